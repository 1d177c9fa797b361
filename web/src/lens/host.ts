// The worker's side of the lens: opens one directory and answers questions, one after the other.

import { messageOf } from '../model/failures';
import type {
  FromWorker,
  LensFailure,
  LensFailureKind,
  LensReply,
  LensRequest,
  Source,
  ToWorker,
} from './protocol';
import { type ReadFile, readers } from './readers';

/** An open directory in the module. */
export interface WasmDirectory {
  ask(question: string): WasmOutcome;
  advance(): WasmOutcome;
  csv(question: string): string;
  beginExport(family: number): void;
  export(): Uint8Array | undefined;
  exported(): number;
}

/** An answer, or how far it has come. */
export interface WasmOutcome {
  takeAnswer(): string | undefined;
  readonly done: number;
  readonly total: number | undefined;
  free(): void;
}

/** Reads the files that the module asks for. */
export interface WasmHost {
  read(file: number, at: number, buffer: Uint8Array): number;
}

/** The module, as far as it is used here. */
export interface LensWasm {
  foldersOf(names: string[]): string[];
  OpenDirectory: {
    open(names: string[], lengths: Float64Array, folder: string, host: WasmHost): WasmDirectory;
  };
}

/** What the host needs from the place it runs in. */
export interface HostSurroundings {
  /** Fetches the module; rejects when it does not come. */
  load(): Promise<LensWasm>;
  send(message: FromWorker): void;
  /** The bytes of a part of a file, at once. */
  readSlice(slice: Blob): ArrayBuffer;
  /** Lets messages out. */
  breathe(): Promise<void>;
}

type Of<Type extends LensRequest['type']> = Extract<LensRequest, { type: Type }>;

/** A failure that is told as it is. */
class Refused extends Error {
  readonly kind: LensFailureKind;

  constructor(kind: LensFailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

export class LensHost {
  readonly #around: HostSurroundings;
  #directory: WasmDirectory | null = null;
  #last: Promise<void> = Promise.resolve();

  constructor(around: HostSurroundings) {
    this.#around = around;
  }

  /** Takes a request; its reply is sent when those before have theirs. */
  receive(message: ToWorker): void {
    this.#last = this.#last.then(() => this.#serve(message));
  }

  async #serve({ id, request }: ToWorker): Promise<void> {
    let reply: LensReply;
    try {
      reply = await this.#reply(id, request);
    } catch (error) {
      reply = { type: 'failed', failure: failureOf(error) };
    }
    this.#around.send({ id, reply });
  }

  #reply(id: number, request: LensRequest): Promise<LensReply> {
    switch (request.type) {
      case 'open':
        return this.#open(request);
      case 'ask':
        return this.#ask(id, request);
      case 'csv':
        return this.#csv(request);
      case 'export':
        return this.#export(id, request);
    }
  }

  async #open({ source, folder }: Of<'open'>): Promise<LensReply> {
    const wasm = await this.#load();
    const files = filesOf(source, this.#around);
    const names = files.map(({ path }) => path);
    const folders = wasm.foldersOf(names);
    const [only] = folders;
    if (folder === null && folders.length > 1) return { type: 'folders', folders };
    const opened = folder ?? only ?? '';
    const lengths = Float64Array.from(files, ({ bytes }) => bytes);
    const host: WasmHost = {
      read: (file, at, buffer) => files[file]?.read(at, buffer) ?? 0,
    };
    this.#directory = wasm.OpenDirectory.open(names, lengths, opened, host);
    return { type: 'opened', folder: opened };
  }

  async #load(): Promise<LensWasm> {
    try {
      return await this.#around.load();
    } catch (error) {
      const message = `The part of the page that reads directories did not come: ${messageOf(error)}.`;
      throw new Refused('unserved', message);
    }
  }

  async #ask(id: number, { query }: Of<'ask'>): Promise<LensReply> {
    const directory = this.#opened();
    let outcome = directory.ask(JSON.stringify(query));
    for (;;) {
      const text = outcome.takeAnswer();
      const progress = { done: outcome.done, total: outcome.total ?? null };
      outcome.free();
      if (text !== undefined) return { type: 'answer', text };
      this.#around.send({ id, progress });
      await this.#around.breathe();
      outcome = directory.advance();
    }
  }

  async #csv({ query }: Of<'csv'>): Promise<LensReply> {
    return { type: 'csv', text: this.#opened().csv(JSON.stringify(query)) };
  }

  async #export(id: number, { family }: Of<'export'>): Promise<LensReply> {
    const directory = this.#opened();
    directory.beginExport(family);
    const parts: Blob[] = [];
    for (let part = directory.export(); part; part = directory.export()) {
      // The browser may keep the content of a blob on the disk. Memory of a module is never shared here.
      parts.push(new Blob([part as Uint8Array<ArrayBuffer>]));
      this.#around.send({ id, progress: { done: directory.exported(), total: null } });
      await this.#around.breathe();
    }
    return { type: 'table', table: new Blob(parts) };
  }

  #opened(): WasmDirectory {
    if (this.#directory === null) throw new Refused('invalid', 'No directory is open.');
    return this.#directory;
  }
}

function filesOf(source: Source, around: HostSurroundings): readonly ReadFile[] {
  return readers(source, around.readSlice);
}

const KINDS: ReadonlySet<string> = new Set<LensFailureKind>([
  'damaged',
  'not_read',
  'missing',
  'io',
  'invalid',
  'too_large',
  'stopped',
  'unserved',
]);

function failureOf(error: unknown): LensFailure {
  const message = messageOf(error);
  if (error instanceof Error && 'kind' in error && KINDS.has(String(error.kind))) {
    return { kind: error.kind as LensFailureKind, message };
  }
  // The module ends without unwinding: a trap, or its memory is full.
  return { kind: 'panic', message: `The reader of the directory failed: ${message}.` };
}
