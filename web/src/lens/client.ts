// The page's side of the lens: promises for questions, one worker for one directory.

import type { Completion } from '../model/engine.generated';
import { Requests, type WorkerLike } from '../worker/requests';
import { LensError } from './failure';
import type { Answer, Call, CallName, LensMessage } from './host';
import type { LensState } from './lens';
import type { Answers, Problem, Query } from './lens.generated';
import type { Cursor, Progress, Ran, Source } from './protocol';

/** The failure of stopped work. */
export const STOPPED = new LensError('stopped', 'It was stopped.');

/** Called during long work. */
export type OnProgress = (progress: Progress) => void;

/** The result of opening a directory; `leftOut`: files of an archive that cannot be read. */
interface OpeningResult {
  state: LensState;
  leftOut: readonly Problem[];
}

/** The client of the worker of one directory. */
export class LensClient {
  #worker: WorkerLike<Call> | null = null;
  readonly #requests = new Requests<unknown, Progress>();
  #opened: [source: Source, folder: string] | null = null;

  /** `start`: begins a new worker. */
  constructor(private readonly start: () => WorkerLike<Call>) {}

  /**
   * Calls a method of the worker, with progress; rejects with a {@link LensError}. Calls are answered one after the other.
   */
  call<Name extends CallName>(
    name: Name,
    args: Call<Name>['args'],
    onProgress?: OnProgress,
  ): Promise<Answer<Name>> {
    const worker = this.#worker ?? this.#begun();
    const send = (id: number) => worker.postMessage({ id, name, args });
    return this.#requests.ask(send, onProgress) as Promise<Answer<Name>>;
  }

  /** Opens the database in `folder` of `source` and asks for its overview, with progress in bytes. */
  async open(
    source: Source,
    folder: string | null,
    onProgress?: OnProgress,
  ): Promise<OpeningResult> {
    const { name } = source;
    const found = await this.call('open', [source, folder], onProgress);
    if ('folders' in found) return { state: { state: 'choosing', name, ...found }, leftOut: [] };
    const { leftOut, folder: own } = found;
    this.#opened = [source, own];
    const answer = await this.ask({ ask: 'overview' }, onProgress);
    const overview = { ...answer, problems: [...leftOut, ...answer.problems] };
    return { state: { state: 'open', name, folder: own, overview, work: null }, leftOut };
  }

  /** Answers a question, with progress in bytes. */
  async ask<Q extends Query>(
    query: Q,
    onProgress?: OnProgress,
  ): Promise<Answers[Q['ask'] & keyof Answers]> {
    return JSON.parse(await this.call('ask', [query], onProgress));
  }

  /** Runs a line of the terminal about what `cursor` names, with progress in bytes. */
  async run(line: string, cursor: Cursor, onProgress?: OnProgress): Promise<Ran> {
    const { text, saved } = await this.call('run', [line, cursor], onProgress);
    return { ...JSON.parse(text), saved };
  }

  /** Ways to go on typing; `cursor` and `from` count UTF-16 units. */
  async complete(line: string, cursor: number): Promise<Completion[]> {
    const text = await this.call('complete', [line, encoded(line.slice(0, cursor)).length]);
    const bytes = encoded(line);
    const unitsOf = (from: number) => new TextDecoder().decode(bytes.subarray(0, from)).length;
    const items: Completion[] = JSON.parse(text);
    return items.map((item) => ({ ...item, from: unitsOf(item.from) }));
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

  /** A worker that was stopped is replaced by one that opens the same folder again. */
  #begun(): WorkerLike<Call> {
    const worker = this.start();
    worker.onmessage = ({ data }) => this.#receive(data);
    worker.onerror = ({ message }) =>
      this.#end(new LensError('panic', `The reader of the directory failed: ${message}`));
    this.#worker = worker;
    if (this.#opened !== null) this.call('open', this.#opened).catch(() => undefined);
    return worker;
  }

  #receive(message: LensMessage): void {
    const { id } = message;
    if ('progress' in message) this.#requests.report(id, message.progress);
    else if ('answer' in message) this.#requests.resolve(id, message.answer);
    else {
      const error = new LensError(message.failure.kind, message.failure.message);
      this.#requests.reject(id, error);
      // A module's state after a panic is unreliable.
      if (error.kind === 'panic') this.#end(error);
    }
  }

  #end(error: LensError): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#requests.rejectAll(error);
  }
}

const encoded = (text: string) => new TextEncoder().encode(text);
