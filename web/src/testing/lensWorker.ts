// Workers of the lens whose answers a test gives.

import { vi } from 'vitest';
import type { LensFailure } from '../lens/failure';
import type { Call, LensMessage } from '../lens/host';
import type { Progress } from '../lens/protocol';
import type { WorkerLike } from '../worker/requests';

export const SOURCE = { kind: 'files', name: 'db', files: [] } as const;
export const opened = { folder: 'db/', leftOut: [] };

/** A worker whose answers a test gives. */
class FakeWorker implements WorkerLike<Call> {
  onmessage: ((event: MessageEvent) => void) | null = null;
  onmessageerror = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  /** The calls: each its name, then its arguments. */
  readonly asked: (readonly unknown[])[] = [];
  readonly terminate = vi.fn();
  readonly #ids: number[] = [];

  postMessage({ id, name, args }: Call): void {
    this.#ids.push(id);
    this.asked.push([name, ...args]);
  }

  /** Answers the call `at`. */
  answer(at: number, answer: unknown): void {
    this.#send(at, { answer });
  }

  fail(at: number, failure: LensFailure): void {
    this.#send(at, { failure });
  }

  report(at: number, progress: Progress): void {
    this.#send(at, { progress });
  }

  #send(at: number, message: object): void {
    const data = { id: this.#ids[at] ?? -1, ...message } as LensMessage;
    this.onmessage?.({ data } as MessageEvent);
  }
}

/** Begins workers, and remembers them. */
export function started() {
  const workers: FakeWorker[] = [];
  const start = () => {
    const worker = new FakeWorker();
    workers.push(worker);
    return worker;
  };
  return { workers, start };
}
