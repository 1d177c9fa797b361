// Workers of the lens whose replies a test gives.

import { vi } from 'vitest';
import type { LensWorker } from '../lens/client';
import type { FromWorker, LensReply, ToWorker } from '../lens/protocol';

export const SOURCE = { kind: 'files', name: 'db', files: [] } as const;
export const opened: LensReply = { type: 'opened', folder: 'db/', leftOut: [] };

/** A worker whose replies a test gives. */
class FakeWorker implements LensWorker {
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  readonly asked: ToWorker[] = [];
  readonly terminate = vi.fn();

  postMessage(message: ToWorker): void {
    this.asked.push(message);
  }

  emit(message: FromWorker): void {
    this.onmessage?.({ data: message } as MessageEvent<FromWorker>);
  }

  /** Replies to the request `at`. */
  reply(at: number, reply: LensReply): void {
    this.emit({ id: this.asked[at]?.id ?? -1, reply });
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
