import type { EngineClient, OpenRequest } from '../engine/client';

/** The engine of this page. */
export { engine as connect, type OpenRequest, type Window } from '../engine/client';
export type { Outcome } from '../engine/wire';

/** The engine as the page sees it; the worker's client is one, tests have others. */
export type EnginePort = Omit<EngineClient, 'open' | 'close'> & {
  open(request: OpenRequest): Promise<unknown>;
};
