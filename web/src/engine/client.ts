// The page's side of the protocol: promises for requests, listeners for everything the worker sends.

import { BUILD } from '../model/build';
import type { Answers, Message, Query, Request } from '../model/engine.generated';
import { EngineError, engineError } from '../model/failures';
import type { ForeignFile } from '../share/foreign';
import { Requests, type WorkerLike } from '../worker/requests';
import { trusted, WORKER } from './trusted';
import { messageIn, type Parcel, parcelOf, type WireMessage } from './wire';

/** The messages that answer each request; the others have no answer. */
const REPLIES = {
  open: ['opened', 'owned'],
  command: ['done'],
  query: ['done'],
  files: ['done'],
  lesson: ['done'],
  shared: ['done'],
  window: ['window'],
  complete: ['completions'],
  close: ['closed'],
} as const;

type RequestOf<Type extends Request['type']> = Extract<Request, { type: Type }>;

/** A request that is answered. */
export type Question = RequestOf<keyof typeof REPLIES>;
/** One that is not. */
export type Order = Exclude<Request, Question>;
export type Reply<Type extends Question['type'] = Question['type']> = Extract<
  Message,
  { type: (typeof REPLIES)[Type][number] }
>;

function isReply(message: Message): message is Reply {
  return Object.values<readonly string[]>(REPLIES).flat().includes(message.type);
}

/** The number of an order. */
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

  /**
   * Resolves with the answer to a request; `files`: the bytes of those that it names. Rejects with an {@link EngineError}.
   * The engine is of the same build: its answer is of the kind that belongs to the request.
   */
  async ask<Asked extends Question>(
    request: Asked,
    files: readonly ForeignFile[] = [],
  ): Promise<Reply<Asked['type']>> {
    if (this.#dead !== null) throw this.#dead;
    const reply = await this.#requests.ask((id) => this.#post(id, request, files));
    return reply as Reply<Asked['type']>;
  }

  send(order: Order): void {
    this.#post(UNANSWERED, order);
  }

  /** Answers a question, as of step `at` or of now; rejects with an {@link EngineError}. */
  async query<Q extends Query>(query: Q, at: number | null): Promise<Answers[Q['ask']]> {
    const { answers, error } = await this.ask({ type: 'query', query, at });
    if (error) throw engineError(error);
    const [answer] = answers;
    if (answer?.kind === query.ask) return answer.value as Answers[Q['ask']];
    throw new EngineError('protocol', `The engine answered ${query.ask} with ${answer?.kind}.`);
  }

  /** Calls `listener` with every message, answers included; returns a function that ends this. */
  on(listener: (message: Message) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
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
    client.ask({ type: 'close' }).catch(() => undefined);
  });
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) window.location.reload();
  });
  return client;
}
