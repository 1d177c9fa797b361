// The messages between a database and its worker that are not frames: how the database is opened.

import type { OpenRequest } from '../engine/backend';
import type { Trouble } from '../engine/error';

/** Opens the database; the first message to a worker. */
export interface Opening {
  readonly levelscope: 'open';
  readonly location: string;
  readonly inspect: boolean;
  readonly fallback: 'memory' | undefined;
  readonly module: WebAssembly.Module;
  readonly request: OpenRequest;
  /** Name of a Web Lock that the worker holds as long as it lives. */
  readonly life: string;
}

/** A worker's reports on its opening. Its other messages are frames. */
export type Opened =
  | { readonly state: 'alive' }
  | { readonly state: 'open'; readonly inMemory: boolean }
  | { readonly state: 'failed'; readonly trouble: Trouble };
