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
import type { ForeignFile } from '../share/foreign';
import { trusted, WORKER } from './trusted';
import { messageIn, type Outcome, offerOf, type Parcel, parcelOf, type WireMessage } from './wire';

/** The part of a `Worker` that the client uses. */
export interface WorkerLike {
  postMessage(parcel: Parcel, transfer: Transferable[]): void;
  terminate(): void;
  onmessage: ((event: MessageEvent) => void) | null;
  onmessageerror: ((event: MessageEvent) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

/** How the opening of the database ended. */
type OpenOutcome = Extract<Message, { type: 'opened' | 'owned' }>;

/** The request to open the database. */
export type OpenRequest = Omit<Extract<Request, { type: 'open' }>, 'type'>;

/** A request that the worker refused, or that its end left unanswered. */
export class EngineError extends Error {
  /** `kind`: an engine error kind, or `panic`, `protocol`, `closed`. */
  constructor(
    readonly kind: string,
    message: string,
  ) {
    super(message);
    this.name = 'EngineError';
  }
}

/** Events of the past, and the view before them. */
export type Window = Extract<Message, { type: 'window' }>;

const REPLIES = ['opened', 'owned', 'done', 'window', 'completions', 'closed'] as const;

type Reply = Extract<Message, { type: (typeof REPLIES)[number] }>;

interface Waiting {
  resolve(reply: Reply): void;
  reject(error: EngineError): void;
}

function isAnswer(message: Message): message is Reply {
  return (REPLIES as readonly string[]).includes(message.type);
}

/** The client of one worker. */
export class EngineClient {
  readonly #worker: WorkerLike;
  readonly #listeners = new Set<(message: Message) => void>();
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;
  #dead: EngineError | null = null;

  constructor(worker: WorkerLike) {
    this.#worker = worker;
    worker.onmessage = ({ data }) => this.#receive(data);
    worker.onmessageerror = () => this.#die('protocol', 'A message of the engine was unreadable.');
    worker.onerror = (event) => this.#die('panic', event.message || 'The engine could not start.');
  }

  /** Opens the database, or learns that another tab has it. */
  async open(request: OpenRequest): Promise<OpenOutcome> {
    const answer = await this.#ask({ type: 'open', ...request });
    if (answer.type === 'opened' || answer.type === 'owned') return answer;
    throw unexpected(answer);
  }

  /** Runs a line of commands. `at`: answered by the past; only commands that change nothing. */
  command(line: string, at: number | null = null): Promise<Outcome> {
    return this.#run({ type: 'command', line, at });
  }

  /** Answers a question, as of step `at` or of now; rejects with an {@link EngineError}. */
  async query<Q extends Query>(query: Q, at: number | null): Promise<Answers[Q['ask']]> {
    const { answers, error } = await this.#run({ type: 'query', query, at });
    if (error) throw new EngineError(error.kind, error.message);
    const [answer] = answers;
    if (answer?.kind === query.ask) return answer.value as Answers[Q['ask']];
    throw new EngineError('protocol', `The engine answered ${query.ask} with ${answer?.kind}.`);
  }

  /** Replays the events `from`..`to` of a branch; `null`: of the current one. */
  async window(branch: number | null, from: number, to: number, details: boolean): Promise<Window> {
    const answer = await this.#ask({ type: 'window', branch, from, to, details });
    if (answer.type !== 'window') throw unexpected(answer);
    return answer;
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
    const answer = await this.#ask({ type: 'complete', line, cursor });
    if (answer.type !== 'completions') throw unexpected(answer);
    return answer.items;
  }

  /** Lets background work go on by itself; 0 steps a second: as fast as possible. */
  play(grain: PlayGrain, stepsPerSecond: number): void {
    this.#post({ type: 'play', grain, stepsPerSecond });
  }

  /** Stops {@link play}. */
  pause(): void {
    this.#post({ type: 'pause' });
  }

  /** Stops the command at work; its promise resolves with an error of kind `cancelled`. */
  cancel(): void {
    this.#post({ type: 'cancel' });
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

  /** Ends the worker. Synced writes stay; waiting requests are rejected. */
  terminate(): void {
    this.#worker.terminate();
    this.#bury(new EngineError('closed', 'The engine was stopped.'));
  }

  async #run(request: Request, files: readonly ForeignFile[] = []): Promise<Outcome> {
    const answer = await this.#ask(request, files);
    if (answer.type !== 'done') throw unexpected(answer);
    return { answers: answer.answers, error: answer.error };
  }

  #ask(request: Request, files: readonly ForeignFile[] = []): Promise<Reply> {
    return new Promise<Reply>((resolve, reject) => {
      if (this.#dead !== null) {
        reject(this.#dead);
        return;
      }
      this.#waiting.set(this.#post(request, files), { resolve, reject });
    });
  }

  #post(request: Request, files: readonly ForeignFile[] = []): number {
    const id = this.#nextId++;
    if (this.#dead === null) {
      const parcel = parcelOf({ id, request }, files);
      // The page no longer needs the bytes.
      const buffers = new Set(files.map(({ bytes }) => bytes.buffer));
      this.#worker.postMessage(parcel, [...buffers]);
    }
    return id;
  }

  #receive(data: WireMessage): void {
    const message = messageIn(data);
    for (const listener of [...this.#listeners]) listener(message);
    if (isAnswer(message)) this.#settle(message.id)?.resolve(message);
    if (message.type === 'failed') {
      const error = new EngineError(message.kind, message.message);
      if (message.id !== null) this.#settle(message.id)?.reject(error);
      if (message.kind === 'panic') this.#bury(error);
    }
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  /** The worker has failed: rejects requests and calls listeners as the worker itself would. */
  #die(kind: string, text: string): void {
    if (this.#dead !== null) return;
    this.#worker.terminate();
    this.#bury(new EngineError(kind, text));
    for (const listener of [...this.#listeners]) {
      listener({ type: 'failed', id: null, kind, message: text });
    }
  }

  #bury(error: EngineError): void {
    this.#dead ??= error;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

function unexpected(answer: Reply): EngineError {
  return new EngineError('protocol', `The engine answered with ${answer.type}.`);
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
