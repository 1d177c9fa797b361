import { useMemo, useRef } from 'react';
import type { RecentWrites } from '../../model/engine.generated';
import type { Page } from '../../model/shown';
import { useAnswer } from '../shared/useAnswer';
import {
  type Contents,
  ENTRIES_MAX,
  type Entry,
  knownEntries,
  NO_CONTENTS,
  TABLES_MAX,
} from './scene/contents';
import type { MergePart } from './scene/sweep';

/** The query for the entries of some tables. */
export const contentsQuery = (tables: number[]) =>
  ({ ask: 'contents', tables, limit: ENTRIES_MAX }) as const;

/**
 * The entries of the small tables at the step on show. A table never changes, so each is fetched once in a branch. Until
 * the answer arrives, a table whose job was watched has the entries that the job wrote.
 */
export function useContents(
  page: Pick<Page, 'branch' | 'begun' | 'busy' | 'connection' | 'view' | 'writing'>,
  recent: readonly RecentWrites[],
  merge: MergePart | null,
): Contents {
  const { branch, begun, busy, connection, view, writing } = page;
  const of = `${branch} ${begun}`;
  const known = useRef({ of, fetched: NO_CONTENTS, written: NO_CONTENTS });
  if (known.current.of !== of) known.current = { of, fetched: NO_CONTENTS, written: NO_CONTENTS };
  const now = known.current;
  const tables = view.levels.flatMap((level) => level.tables);
  const small = tables.filter(({ entries }) => entries <= ENTRIES_MAX);
  const missing = small.filter(({ table }) => !now.fetched.has(table)).map(({ table }) => table);
  const isOpen = busy === null && connection.state === 'open';
  const asks = isOpen && tables.length <= TABLES_MAX && missing.length > 0;
  const answer = useAnswer(asks ? contentsQuery(missing) : null);
  if (answer.state === 'ready') {
    now.fetched = joined(
      now.fetched,
      answer.result.map(({ table, entries }) => [table, entries]),
    );
  }
  const { fetched, written } = now;
  const contents = useMemo(() => new Map([...written, ...fetched]), [written, fetched]);
  if (writing.size > 0) {
    const { tables: atWork } = knownEntries(view, writing, recent, contents, merge?.kept);
    now.written = joined(
      now.written,
      [...atWork].filter(([table]) => writing.has(table)),
    );
  }
  return contents;
}

function joined(known: Contents, found: readonly [number, readonly Entry[]][]): Contents {
  const news = found.filter(([table, { length }]) => known.get(table)?.length !== length);
  return news.length === 0 ? known : new Map([...known, ...news]);
}
