import type { Query } from '../model/engine.generated';
import type { Ask } from '../views/shared/contexts';

/** Answers each query with the value of `reply`; an error that it throws rejects the query. */
export function asking(reply: (query: Query) => unknown): Ask {
  return (async (query: Query) => reply(query)) as Ask;
}
