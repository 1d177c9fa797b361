// The page's side of a worker: requests, each with one answer and progress before it.

/** The part of a `Worker` that is used. */
export interface WorkerLike<Sent> {
  postMessage(message: Sent, transfer?: Transferable[]): void;
  terminate(): void;
  onmessage: ((event: MessageEvent) => void) | null;
  onmessageerror: ((event: MessageEvent) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

interface Waiting<Answer, Progress> {
  resolve(answer: Answer): void;
  reject(error: Error): void;
  report(progress: Progress): void;
}

/** The requests that wait for their answers, by number. */
export class Requests<Answer, Progress = never> {
  readonly #waiting = new Map<number, Waiting<Answer, Progress>>();
  #last = 0;

  /** Resolves with the answer to the request that `send` sends under this number; numbers begin at 1. */
  ask(
    send: (id: number) => void,
    report: (progress: Progress) => void = () => {},
  ): Promise<Answer> {
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, report });
      send(id);
    });
  }

  report(id: number, progress: Progress): void {
    this.#waiting.get(id)?.report(progress);
  }

  resolve(id: number, answer: Answer): void {
    this.#taken(id)?.resolve(answer);
  }

  reject(id: number, error: Error): void {
    this.#taken(id)?.reject(error);
  }

  rejectAll(error: Error): void {
    for (const id of [...this.#waiting.keys()]) this.reject(id, error);
  }

  #taken(id: number): Waiting<Answer, Progress> | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}
