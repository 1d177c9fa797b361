// The page's side of the lens: promises for questions, one worker for one directory.

import type { Completion } from '../model/engine.generated';
import { messageOf } from '../model/failures';
import { count } from '../model/words';
import type { ForeignFile } from '../share/foreign';
import type { Answers, Query } from './lens.generated';
import type {
  Cursor,
  ExportForm,
  ExportPolicy,
  FromWorker,
  LensFailure,
  LensFailureKind,
  LensReply,
  LensRequest,
  MadeTable,
  Progress,
  Ran,
  ReportQuery,
  Source,
  ToWorker,
} from './protocol';

/** The part of a `Worker` that the client uses. */
export interface LensWorker {
  postMessage(message: ToWorker): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

/** The digits of offsets and lengths in groups of three, as everywhere on the page; numbers of files stay as they are. */
function grouped(message: string): string {
  const shown = (_: string, word: string, digits: string) => `${word} ${count(Number(digits))}`;
  return message.replace(/\b(offset|offsets|byte) (\d{4,})\b/g, shown);
}

/** A question that was not answered; the message is a sentence. */
export class LensError extends Error {
  readonly kind: LensFailureKind;

  constructor({ kind, message }: LensFailure) {
    super(grouped(message));
    this.name = 'LensError';
    this.kind = kind;
  }
}

/** The failure of stopped work. */
export const STOPPED: LensFailure = { kind: 'stopped', message: 'It was stopped.' };

/** A failure without a worker's message means that a part of the page did not load. */
export function failureOf(error: unknown): LensFailure {
  if (error instanceof LensError) return { kind: error.kind, message: error.message };
  return { kind: 'unserved', message: messageOf(error) };
}

/** Called during long work. */
export type OnProgress = (progress: Progress) => void;

/** The result of opening: the folder that is open, or the folders to choose from. */
export type Opened = Extract<LensReply, { type: 'opened' | 'folders' }>;

interface Waiting {
  resolve(reply: LensReply): void;
  reject(error: LensError): void;
  onProgress?: OnProgress | undefined;
}

type Reply<Type extends LensReply['type']> = Extract<LensReply, { type: Type }>;

/** The client of the worker of one directory. */
export class LensClient {
  #worker: LensWorker | null = null;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;
  /** A worker that was stopped is replaced by one that opens the same folder again. */
  #opened: { source: Source; folder: string } | null = null;

  /** `start`: begins a new worker. */
  constructor(private readonly start: () => LensWorker) {}

  /** Opens the database in `folder` of `source`, with progress in bytes; rejects with a {@link LensError}. */
  async open(source: Source, folder: string | null, onProgress?: OnProgress): Promise<Opened> {
    const reply = await this.#ask({ type: 'open', source, folder }, onProgress);
    if (reply.type === 'opened') this.#opened = { source, folder: reply.folder };
    if (reply.type === 'opened' || reply.type === 'folders') return reply;
    throw unexpected(reply);
  }

  /** Answers a question, with progress in bytes. Questions are answered one after the other. */
  async ask<Q extends Query>(
    query: Q,
    onProgress?: OnProgress,
  ): Promise<Answers[Q['ask'] & keyof Answers]> {
    const { text } = await this.#asked('answer', { type: 'ask', query }, onProgress);
    return JSON.parse(text);
  }

  /** The table of a report as comma-separated values. */
  async csv(query: ReportQuery): Promise<string> {
    return (await this.#asked('answer', { type: 'csv', query })).text;
  }

  /** Runs a line of the terminal about what `cursor` names, with progress in bytes. */
  async run(line: string, { family, step }: Cursor, onProgress?: OnProgress): Promise<Ran> {
    const request = { type: 'run', line, family, step } as const;
    const { text, saved = [] } = await this.#asked('answer', request, onProgress);
    return { ...JSON.parse(text), saved };
  }

  /** All files of the open folder: of a database that becomes a branch. */
  async files(): Promise<readonly ForeignFile[]> {
    return (await this.#asked('whole', { type: 'files' })).files;
  }

  /** Ways to go on typing; `cursor` and `from` count UTF-16 units. */
  async complete(line: string, cursor: number): Promise<Completion[]> {
    const at = encoded(line.slice(0, cursor)).length;
    const { text } = await this.#asked('answer', { type: 'complete', line, at });
    const bytes = encoded(line);
    const unitsOf = (from: number) => new TextDecoder().decode(bytes.subarray(0, from)).length;
    const items: Completion[] = JSON.parse(text);
    return items.map((item) => ({ ...item, from: unitsOf(item.from) }));
  }

  /** The live entries of a family; progress in entries. */
  async exportTable(
    family: number,
    policy: ExportPolicy,
    form: ExportForm,
    onProgress?: OnProgress,
  ): Promise<MadeTable> {
    const request = { type: 'export', family, form, ...policy } as const;
    const { table, losses } = await this.#asked('table', request, onProgress);
    return { table, losses };
  }

  /** Rejects all waiting questions as stopped; later ones are answered by a new worker. */
  stop(): void {
    this.#end(STOPPED);
  }

  /** Ends the worker for good. */
  close(): void {
    this.#opened = null;
    this.stop();
  }

  async #asked<Type extends LensReply['type']>(
    type: Type,
    request: LensRequest,
    onProgress?: OnProgress,
  ): Promise<Reply<Type>> {
    if (this.#worker === null && this.#opened !== null) {
      const { source, folder } = this.#opened;
      this.#ask({ type: 'open', source, folder }).catch(() => undefined);
    }
    const reply = await this.#ask(request, onProgress);
    if (reply.type === type) return reply as Reply<Type>;
    throw unexpected(reply);
  }

  #ask(request: LensRequest, onProgress?: OnProgress): Promise<LensReply> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, onProgress });
      this.#running().postMessage({ id, request });
    });
  }

  #running(): LensWorker {
    if (this.#worker !== null) return this.#worker;
    const worker = this.start();
    worker.onmessage = ({ data }) => this.#receive(data);
    worker.onerror = (event) =>
      this.#end({ kind: 'panic', message: `The reader of the directory failed: ${event.message}` });
    this.#worker = worker;
    return worker;
  }

  #receive(message: FromWorker): void {
    const waiting = this.#waiting.get(message.id);
    if (waiting === undefined) return;
    if ('progress' in message) {
      waiting.onProgress?.(message.progress);
      return;
    }
    this.#waiting.delete(message.id);
    const { reply } = message;
    if (reply.type !== 'failed') {
      waiting.resolve(reply);
      return;
    }
    waiting.reject(new LensError(reply.failure));
    // A module's state after a panic is unreliable.
    if (reply.failure.kind === 'panic') this.#end(reply.failure);
  }

  #end(failure: LensFailure): void {
    this.#worker?.terminate();
    this.#worker = null;
    const error = new LensError(failure);
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

const encoded = (text: string) => new TextEncoder().encode(text);

function unexpected({ type }: LensReply): LensError {
  return new LensError({ kind: 'panic', message: `The worker answered with "${type}".` });
}
