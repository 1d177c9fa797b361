// The worker's side of the wasm module, and its surroundings.

import type { Home } from './opfs';
import type * as wasm from './pkg/levelscope_wasm.js';
import type { WireMessage } from './wire';

/** The module of experiments: only the engine's module knows its exports. */
export type Labs = object;

/** The exports of wasm; wasm/src documents each. */
export type Wasm = Omit<typeof wasm, 'default' | 'initSync'>;

/** One console and its database; structured answers are JSON. */
export type WasmEngine = wasm.Engine;

/** The restored part of the last visit. */
export type Resumed = Pick<wasm.ResumedHistory, 'steps' | 'branches' | 'why'>;

/** Where a database lives. */
export type Place = typeof IN_MEMORY;

export const IN_MEMORY = {
  /** Its files; `null`: it is in memory. */
  home: null as Home | null,
  /** Why it is in memory though files were wanted, as a sentence. */
  why: null as string | null,
  /** Whether the browser has promised not to clear the files by itself. */
  persisted: false,
};

/** The services that the host needs. */
export interface Surroundings {
  /** Identifies this build of the engine: steps of others may differ. */
  version: string;
  load(): Promise<Wasm>;
  loadLabs(): Promise<Labs>;
  /** The texts of the lessons, in their order. */
  loadLessons(): Promise<string[]>;
  send(message: WireMessage): void;
  /** Claims the files, where the browser gives any; `onLoss` runs when another tab takes them. */
  claim(takeOver: boolean, onLoss: () => void): Promise<Place | 'owned'>;
  /** Gives the claim back. */
  release(): void;
  /** Lets messages in. */
  breathe(): Promise<void>;
  /** [ms] */
  now(): number;
}

export const STOPPED = 'The engine has stopped; reload the page.';
