// The page's side of the protocol: promises for requests, listeners for everything the worker sends.

import { BUILD } from '../model/build';
import type {
  Answers,
  Completion,
  Message,
  PlayGrain,
  Query,
  Request,
} from '../model/engine.generated';
import { EngineError, engineError } from '../model/failures';
import type { ForeignFile } from '../share/foreign';
import { Requests, type WorkerLike } from '../worker/requests';
import { trusted, WORKER } from './trusted';
import { messageIn, type Outcome, offerOf, type Parcel, parcelOf, type WireMessage } from './wire';

/** How the opening of the database ended. */
type OpenOutcome = Extract<Message, { type: 'opened' | 'owned' }>;

/** The request to open the database. */
export type OpenRequest = Omit<Extract<Request, { type: 'open' }>, 'type'>;

/** Events of the past, and the view before them. */
export type Window = Extract<Message, { type: 'window' }>;

/** The messages that answer a request. */
const REPLIES = ['opened', 'owned', 'done', 'window', 'completions', 'closed'] as const;
type Reply<Type = (typeof REPLIES)[number]> = Extract<Message, { type: Type }>;

function isReply(message: Message): message is Reply {
  return (REPLIES as readonly string[]).includes(message.type);
}

/** The number of requests without an answer. */
const UNANSWERED = 0;

/** The client of one worker. */
export class EngineClient {
  readonly #listeners = new Set<(message: Message) => void>();
  readonly #requests = new Requests<Reply>();
  #dead: EngineError | null = null;

  constructor(private readonly worker: WorkerLike<Parcel>) {
    worker.onmessage = ({ data }) => this.#receive(data);
    worker.onmessageerror = () => this.#die('protocol', 'A message of the engine was unreadable.');
    worker.onerror = (event) => this.#die('panic', event.message || 'The engine could not start.');
  }

  /** Opens the database, or learns that another tab has it. */
  open(request: OpenRequest): Promise<OpenOutcome> {
    return this.#ask({ type: 'open', ...request });
  }

  /** Runs a line of commands. `at`: answered by the past; only commands that change nothing. */
  command(line: string, at: number | null = null): Promise<Outcome> {
    return this.#run({ type: 'command', line, at });
  }

  /** Answers a question, as of step `at` or of now; rejects with an {@link EngineError}. */
  async query<Q extends Query>(query: Q, at: number | null): Promise<Answers[Q['ask']]> {
    const { answers, error } = await this.#run({ type: 'query', query, at });
    if (error) throw engineError(error);
    const [answer] = answers;
    if (answer?.kind === query.ask) return answer.value as Answers[Q['ask']];
    throw new EngineError('protocol', `The engine answered ${query.ask} with ${answer?.kind}.`);
  }

  /** Replays the events `from`..`to` of a branch; `null`: of the current one. */
  window(branch: number | null, from: number, to: number, details: boolean): Promise<Window> {
    return this.#ask({ type: 'window', branch, from, to, details });
  }

  /** Makes a branch of files from outside: of a database, or a log of entries. */
  importFiles(files: readonly ForeignFile[]): Promise<Outcome> {
    return this.#run(offerOf(files), files);
  }

  /** Plays the lesson that is written in a file. */
  playLesson(name: string, text: string): Promise<Outcome> {
    return this.#run({ type: 'lesson', name, text });
  }

  /** Plays a script that was shared, all of it or line by line. */
  playShared(text: string, runs: boolean): Promise<Outcome> {
    return this.#run({ type: 'shared', text, runs });
  }

  /** Ways to go on typing; `cursor` counts UTF-16 units. */
  async complete(line: string, cursor: number): Promise<Completion[]> {
    return (await this.#ask<Reply<'completions'>>({ type: 'complete', line, cursor })).items;
  }

  /** Lets background work go on by itself; 0 steps a second: as fast as possible. */
  play(grain: PlayGrain, stepsPerSecond: number): void {
    this.#post(UNANSWERED, { type: 'play', grain, stepsPerSecond });
  }

  /** Stops {@link play}. */
  pause(): void {
    this.#post(UNANSWERED, { type: 'pause' });
  }

  /** Stops the command at work; its promise resolves with an error of kind `cancelled`. */
  cancel(): void {
    this.#post(UNANSWERED, { type: 'cancel' });
  }

  /** Closes the database and its files. */
  async close(): Promise<void> {
    await this.#ask({ type: 'close' });
  }

  /** Calls `listener` with every message, answers included; returns a function that ends this. */
  on(listener: (message: Message) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #run(request: Request, files: readonly ForeignFile[] = []): Promise<Outcome> {
    const { answers, error } = await this.#ask<Reply<'done'>>(request, files);
    return { answers, error };
  }

  /** The engine is of the same build: its answer is of the kind that belongs to the request. */
  async #ask<Answer extends Reply>(
    request: Request,
    files: readonly ForeignFile[] = [],
  ): Promise<Answer> {
    if (this.#dead !== null) throw this.#dead;
    return (await this.#requests.ask((id) => this.#post(id, request, files))) as Answer;
  }

  #post(id: number, request: Request, files: readonly ForeignFile[] = []): void {
    if (this.#dead !== null) return;
    // The page no longer needs the bytes.
    const buffers = new Set(files.map(({ bytes }) => bytes.buffer));
    this.worker.postMessage(parcelOf({ id, request }, files), [...buffers]);
  }

  #receive(data: WireMessage): void {
    const message = messageIn(data);
    this.#emit(message);
    if (isReply(message)) this.#requests.resolve(message.id, message);
    if (message.type === 'failed') {
      const error = engineError(message);
      if (message.id !== null) this.#requests.reject(message.id, error);
      if (message.kind === 'panic') this.#bury(error);
    }
  }

  #emit(message: Message): void {
    for (const listener of [...this.#listeners]) listener(message);
  }

  /** The worker has failed: rejects requests and calls listeners as the worker itself would. */
  #die(kind: string, message: string): void {
    if (this.#dead !== null) return;
    this.worker.terminate();
    this.#bury(new EngineError(kind, message));
    this.#emit({ type: 'failed', id: null, kind, message });
  }

  #bury(error: EngineError): void {
    this.#dead ??= error;
    this.#requests.rejectAll(error);
  }
}

let shared: EngineClient | null = null;

/**
 * The engine of this page: one worker, whatever mounts or unmounts. When the page goes away the
 * database is closed; a page that comes back from the browser's memory starts afresh.
 */
export function engine(): EngineClient {
  if (shared !== null) return shared;
  const worker = new Worker(trusted(WORKER), { type: 'module', name: BUILD });
  const client = new EngineClient(worker);
  shared = client;
  window.addEventListener('pagehide', () => {
    client.close().catch(() => undefined);
  });
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) window.location.reload();
  });
  return client;
}
