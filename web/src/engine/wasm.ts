// What the worker's side uses of the wasm module, and of the place it runs in.

import type { Failure, OptionState, OutputLine, PresetState } from '../model/engine.generated';
import type { Directory, Handle } from './opfs';
import type { Message } from './protocol';

/** What wasm exports, as far as it is used here. */
export interface Wasm<H extends Handle> {
  Engine: new (place: string) => Engine;
  lastPanic(): string | undefined;
  /** `identity`: 16 random bytes, which a database that is created here carries in all its files. */
  beginDirectory(names: string[], identity: Uint8Array): void;
  registerHandle(name: string, handle: H): void;
  isWanted(name: string): boolean;
  filesToRemove(): string[];
  handlesToClose(cap: number): string[];
  closeDirectory(): string[];
}

/** One console and its database; structured answers are JSON. */
export interface Engine {
  open(request: string): string;
  settings(): string;
  start(line: string): void;
  /** Begins to answer a query in JSON; says why it is none. */
  startQuery(query: string, step?: number): string | undefined;
  /** Takes a file that `startFiles` opens. */
  offerFile(name: string, bytes: Uint8Array): void;
  startFiles(): void;
  /** One of the files that a person is to keep; `undefined` when none is left. */
  takeExported(): { name: string; bytes: Uint8Array; free(): void } | undefined;
  startAt(line: string, step: number): void;
  startWindow(from: number, to: number, details: boolean): void;
  takeWindow(): string | undefined;
  advance(units: number): string;
  cancel(): void;
  step(grain: string, count: number): string;
  wantDetails(wanted: boolean): void;
  events(checkpoint: boolean): string | undefined;
  /** Messages about branches and breakpoints, as a list. */
  news(): string;
  hasWork(): boolean;
  filesWantedSoon(): string;
  complete(line: string, cursor: number): string;
  close(): string;
}

/** The outcome of claiming the files of the origin. */
export type Claim<H extends Handle> =
  | { state: 'mine'; directory: Directory<H>; persisted: boolean }
  | { state: 'owned' }
  /** The browser does not give any; `why` is a sentence. */
  | { state: 'denied'; why: string };

/** What the host needs from the place it runs in. */
export interface Surroundings<H extends Handle> {
  load(): Promise<Wasm<H>>;
  send(message: Message): void;
  /** Claims the files; `onLoss` runs when another tab takes them. */
  claim(takeOver: boolean, onLoss: () => void): Promise<Claim<H>>;
  /** Gives the claim back. */
  release(): void;
  /** Lets messages in. */
  breathe(): Promise<void>;
  /** [ms] */
  now(): number;
}

export type Opened = { state: 'opened' };
export type Blocked = { state: 'blocked'; file: string };
export type Failed = { state: 'failed'; error: Failure };
export type Stepped = { state: 'idle' | 'more' | 'stopped' } | Blocked | Failed;
export type Settings = { options: OptionState[]; presets: PresetState[]; preset: string };
export type Progressed = {
  lines: OutputLine[];
  play: boolean | null;
  /** `open` was typed without files. */
  pick: boolean;
  /** `export` was typed: what the files are called that wait for `takeExported`. */
  save: string | null;
} & (
  | { state: 'idle' }
  /** `turns`: events so far have to be told before the next call. */
  | { state: 'more'; done: number; total: number | null; label: string; turns: boolean }
  | Blocked
  | { state: 'done'; result: unknown; error: Failure | null }
);

/** A failure to be told to the page, with its kind. */
export class Refused extends Error {
  readonly kind: string;

  constructor({ kind, message }: Pick<Failure, 'kind' | 'message'>) {
    super(message);
    this.kind = kind;
  }
}
