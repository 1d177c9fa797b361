import type { EngineClient } from '../engine/client';

/** The engine of this page. */
export { engine as connect, type Order, type Question, type Reply } from '../engine/client';
export { type Outcome, offerOf } from '../engine/wire';

/** The engine as the page sees it; the worker's client is one, tests have others. */
export type EnginePort = Pick<EngineClient, 'ask' | 'send' | 'query' | 'on'>;
