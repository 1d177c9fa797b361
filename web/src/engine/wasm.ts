// What the worker's side uses of the wasm module, and of the place it runs in.

import type { Registry } from '../../../js/src/origin/files';
import type { Failure } from '../model/engine.generated';
import type { Home } from './opfs';
import type { Told } from './wire';

/** The module of experiments: only the engine's module knows its exports. */
export type Labs = object;

/** What wasm exports, as far as it is used here. */
export interface Wasm extends Registry {
  Engine: new (place: string) => WasmEngine;
  lastPanic(): string | undefined;
  /** Hands over the module of experiments, after a slice has asked for it. */
  lendLabs(labs: Labs): void;
  /** `identity`: 16 random bytes, which a database that is created here carries in all its files. */
  beginDirectory(names: string[], identity: Uint8Array): void;
  /** From now on new files and new bytes wait in memory for `settle`. */
  stageFiles(): void;
  /** Deleted files in whose place others wait: to be removed before those are opened. */
  filesToReplace(): string[];
  /** Files that have to be open before `settle`. */
  filesToSettle(): string[];
  /**
   * Writes what waits, a few files in each call, in an order that lets the tab die anywhere; how it ended, in JSON. `refused`: the
   * browser did not open a file; name and message of its exception.
   */
  settle(refused?: string, message?: string): string;
  /** Whether `settle` has to come before the next file. */
  isFull(): boolean;
}

/** What of the last visit is there again. */
export interface Resumed {
  /** Its last step. */
  steps: number;
  /** Branches that `beginReturning` brings back. */
  branches: number;
  /** Why the history begins anew, as a sentence. */
  why: string | undefined;
}

/** One console and its database; structured answers are JSON. */
export interface WasmEngine {
  /** Before `open`: goes on after the session whose history `kept` is. */
  keepHistory(version: string, kept: Uint8Array): Resumed & { free(): void };
  /** What is to be kept since the last call: appended, or `anew` in the place of everything. */
  takeKept(): { anew: boolean; bytes: Uint8Array; free(): void } | undefined;
  /** Whether there was room for what was taken. */
  keepsHistory(): boolean;
  /** Begins to bring back the branches of the last visit. */
  beginReturning(): void;
  open(request: string): string;
  settings(): string;
  /**
   * Begins a command, a query, a window, or to open the files that were offered. Returns why the request is refused: a
   * failure in JSON.
   */
  begin(request: string): string | undefined;
  offerFile(name: string, bytes: Uint8Array): void;
  /** One of the files that a person is to keep; `undefined` when none is left. */
  takeExported(): { name: string; bytes: Uint8Array; free(): void } | undefined;
  takeWindow(): string | undefined;
  advance(units: number): string;
  cancel(): void;
  step(grain: string, count: number): string;
  events(checkpoint: boolean): string | undefined;
  /** As `events`, in the middle of work: fewer when it outruns the page. */
  newestEvents(): string | undefined;
  /** Messages about branches and breakpoints, as a list. */
  news(): string;
  hasWork(): boolean;
  complete(line: string, cursor: number): string;
  close(): string;
}

/** Where a database lives. */
export interface Place {
  /** Its files; `null`: it is in memory. */
  home: Home | null;
  /** Why it is in memory though files were wanted, as a sentence. */
  why: string | null;
  /** Whether the browser has promised not to clear the files by itself. */
  persisted: boolean;
}

export const IN_MEMORY: Place = { home: null, why: null, persisted: false };

/** What the host needs from the place it runs in. */
export interface Surroundings {
  /** Tells this build of the engine from others: their steps may differ. */
  version: string;
  load(): Promise<Wasm>;
  loadLabs(): Promise<Labs>;
  send(message: Told): void;
  /** Claims the files, where the browser gives any; `onLoss` runs when another tab takes them. */
  claim(takeOver: boolean, onLoss: () => void): Promise<Place | 'owned'>;
  /** Gives the claim back. */
  release(): void;
  /** Lets messages in. */
  breathe(): Promise<void>;
  /** [ms] */
  now(): number;
}

/** A failure to be told to the page, with its kind. */
export class Refused extends Error {
  readonly kind: string;

  constructor({ kind, message }: Pick<Failure, 'kind' | 'message'>) {
    super(message);
    this.kind = kind;
  }
}

export const STOPPED = 'The engine has stopped; reload the page.';
export const CLOSED = { kind: 'closed', message: 'No database is open.' } as const;
