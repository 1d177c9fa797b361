import { describe, expect, it, vi } from 'vitest';
import type { Answer, Message } from '../model/engine.generated';
import { EngineError } from '../model/failures';
import type { WorkerLike } from '../worker/requests';
import { EngineClient } from './client';
import { offerOf, type Parcel } from './wire';

class FakeWorker implements WorkerLike<Parcel> {
  readonly sent: unknown[] = [];
  readonly transferred: Transferable[][] = [];
  readonly terminate = vi.fn();
  onmessage: ((event: MessageEvent) => void) | null = null;
  onmessageerror: ((event: MessageEvent) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;

  postMessage([text, ...bytes]: Parcel, transfer: Transferable[]): void {
    this.sent.push(JSON.parse(text), ...bytes);
    this.transferred.push(transfer);
  }

  emit(data: unknown): void {
    this.onmessage?.({ data } as MessageEvent);
  }
}

function start() {
  const worker = new FakeWorker();
  const client = new EngineClient(worker);
  const heard: Message[] = [];
  client.on((message) => heard.push(message));
  return { worker, client, heard };
}

const OPENING = {
  type: 'open',
  preset: 'classroom',
  settings: {},
  storage: 'auto',
  takeOver: false,
} as const;

const commandOf = (line: string, at: number | null = null) =>
  ({ type: 'command', line, at }) as const;

const WRITTEN: Answer = { kind: 'other', value: { sequence: 1 } };

describe('the client', () => {
  it('gives each request its own answer, in any order', async () => {
    const { worker, client } = start();
    const first = client.ask(commandOf('put a 1'));
    const second = client.ask(commandOf('get a', 7));
    expect(worker.sent).toEqual([
      { id: 1, request: { type: 'command', line: 'put a 1', at: null } },
      { id: 2, request: { type: 'command', line: 'get a', at: 7 } },
    ]);
    const error = { kind: 'usage', message: 'no', hint: null };
    worker.emit({ type: 'done', id: 2, answers: [], error });
    worker.emit({ type: 'done', id: 1, answers: [WRITTEN], error: null });
    expect(await first).toMatchObject({ answers: [WRITTEN], error: null });
    expect(await second).toMatchObject({ answers: [], error });
  });

  it('sends the bytes of files beside their names, and gives them away', () => {
    const { worker, client } = start();
    const whole = Uint8Array.from([1, 2, 3, 4]);
    const files = [
      { name: 'a', bytes: whole.subarray(0, 2) },
      { name: 'b', bytes: whole.subarray(2, 3) },
    ];
    void client.ask(offerOf(files), files);
    const named = [
      { name: 'a', bytes: 2 },
      { name: 'b', bytes: 1 },
    ];
    const request = { type: 'files', files: named };
    expect(worker.sent).toEqual([{ id: 1, request }, files[0]?.bytes, files[1]?.bytes]);
    expect(worker.transferred).toEqual([[whole.buffer]]);
  });

  it('takes the answer of another question for a fault', async () => {
    const { worker, client } = start();
    for (const answers of [[], [WRITTEN], [{ kind: 'stats', value: {} }]]) {
      const asked = client.query({ ask: 'files' }, null);
      worker.emit({ type: 'done', id: worker.sent.length, answers, error: null });
      await expect(asked).rejects.toMatchObject({ kind: 'protocol' });
    }
    const asked = client.query({ ask: 'files' }, null);
    worker.emit({ type: 'done', id: 4, answers: [{ kind: 'files', value: [] }], error: null });
    expect(await asked).toEqual([]);
  });

  it('passes every message to listeners, until they leave', () => {
    const { worker, client, heard } = start();
    const more = vi.fn();
    const leave = client.on(more);
    worker.emit({ type: 'playing', playing: true, stepsPerSecond: 2 });
    leave();
    worker.emit({ type: 'lost' });
    expect(heard.map(({ type }) => type)).toEqual(['playing', 'lost']);
    expect(more).toHaveBeenCalledTimes(1);
  });

  it('learns that another tab has the database', async () => {
    const { worker, client } = start();
    const opening = client.ask(OPENING);
    worker.emit({ type: 'owned', id: 1 });
    expect((await opening).type).toBe('owned');
  });

  it('rejects the one request that failed', async () => {
    const { worker, client } = start();
    const opening = client.ask(OPENING);
    const other = client.ask({ type: 'complete', line: 'pu', cursor: 2 });
    worker.emit({ type: 'failed', id: 1, kind: 'corruption', message: 'damaged' });
    await expect(opening).rejects.toMatchObject({ kind: 'corruption', message: 'damaged' });
    worker.emit({ type: 'completions', id: 2, items: [{ text: 'put', kind: 'verb', from: 0 }] });
    expect((await other).items).toHaveLength(1);
  });

  it.each([
    [
      'a panic',
      (worker: FakeWorker) =>
        worker.emit({ type: 'failed', id: null, kind: 'panic', message: 'bug' }),
    ],
    ['an unreadable message', (worker: FakeWorker) => worker.onmessageerror?.({} as MessageEvent)],
    ['a script error', (worker: FakeWorker) => worker.onerror?.({ message: 'x' } as ErrorEvent)],
    // The event of a script that cannot be fetched has no message.
    ['a script that does not come', (worker: FakeWorker) => worker.onerror?.({} as ErrorEvent)],
  ])('rejects every waiting request after %s', async (_what, end) => {
    const { worker, client, heard } = start();
    const waiting = client.ask(commandOf('fill 1000'));
    end(worker);
    await expect(waiting).rejects.toBeInstanceOf(EngineError);
    await expect(client.ask(commandOf('get a'))).rejects.toBeInstanceOf(EngineError);
    expect(heard.at(-1)).toMatchObject({ type: 'failed', id: null });
    expect(worker.sent).toHaveLength(1);
  });
});
