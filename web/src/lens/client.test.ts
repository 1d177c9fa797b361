import { describe, expect, it, vi } from 'vitest';
import { LensClient, type LensWorker } from './client';
import { Lens } from './lens';
import type { Problem } from './lens.generated';
import type { FromWorker, LensReply, ToWorker } from './protocol';

const SOURCE = { kind: 'files', name: 'db', files: [] } as const;
const OVERVIEW = { ask: 'overview' } as const;
const CHECK = { ask: 'check', deep: false } as const;
/** An overview, as far as it counts here. */
const OPENED = JSON.stringify({
  families: [
    { id: 0, tableBytes: 10, blobBytes: 0, logEntries: 0 },
    { id: 4, tableBytes: 90, blobBytes: 0, logEntries: 0 },
  ],
  problems: [],
});

/** A worker whose replies a test gives. */
class FakeWorker implements LensWorker {
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  readonly asked: ToWorker[] = [];
  readonly terminate = vi.fn();

  postMessage(message: ToWorker): void {
    this.asked.push(message);
  }

  tell(message: FromWorker): void {
    this.onmessage?.({ data: message } as MessageEvent<FromWorker>);
  }

  /** Replies to the request `at`. */
  reply(at: number, reply: LensReply): void {
    this.tell({ id: this.asked[at]?.id ?? -1, reply });
  }
}

function started() {
  const workers: FakeWorker[] = [];
  const start = () => {
    const worker = new FakeWorker();
    workers.push(worker);
    return worker;
  };
  return { workers, start };
}

const opened: LensReply = { type: 'opened', folder: 'db/', leftOut: [] };

describe('the client', () => {
  it('gives answers to their questions, and progress before', async () => {
    const { workers, start } = started();
    const client = new LensClient(start);
    const opening = client.open(SOURCE, null);
    workers[0]?.reply(0, opened);
    expect(await opening).toEqual(opened);
    const heard = vi.fn();
    const check = client.ask(CHECK, heard);
    const overview = client.ask(OVERVIEW);
    const [worker] = workers;
    worker?.tell({ id: worker.asked[1]?.id ?? 0, progress: { done: 5, total: 9 } });
    worker?.reply(2, { type: 'answer', text: '{"engine":"pebble"}' });
    worker?.reply(1, { type: 'answer', text: '[]' });
    expect(await check).toEqual([]);
    expect(await overview).toEqual({ engine: 'pebble' });
    expect(heard.mock.calls).toEqual([[{ done: 5, total: 9 }]]);
  });

  it('opens the same folder again after a stop', async () => {
    const { workers, start } = started();
    const client = new LensClient(start);
    const opening = client.open(SOURCE, null);
    workers[0]?.reply(0, opened);
    await opening;
    const check = client.ask(CHECK);
    client.stop();
    await expect(check).rejects.toMatchObject({ kind: 'stopped', message: 'It was stopped.' });
    expect(workers[0]?.terminate).toHaveBeenCalled();
    const overview = client.ask(OVERVIEW);
    expect(workers[1]?.asked.map(({ request }) => request)).toEqual([
      { type: 'open', source: SOURCE, folder: 'db/' },
      { type: 'ask', query: OVERVIEW },
    ]);
    workers[1]?.reply(1, { type: 'answer', text: '{}' });
    expect(await overview).toEqual({});
  });

  it('ends a worker whose module failed, and tells every question', async () => {
    const { workers, start } = started();
    const client = new LensClient(start);
    const opening = client.open(SOURCE, null);
    workers[0]?.reply(0, opened);
    await opening;
    const first = client.ask(OVERVIEW);
    const second = client.ask(CHECK);
    const failure = { kind: 'panic', message: 'It failed.' } as const;
    workers[0]?.reply(1, { type: 'failed', failure });
    await expect(first).rejects.toMatchObject(failure);
    await expect(second).rejects.toMatchObject(failure);
    expect(workers[0]?.terminate).toHaveBeenCalled();
    client.ask(OVERVIEW).catch(() => undefined);
    workers[1]?.onerror?.({ message: 'no script' } as ErrorEvent);
    expect(workers[1]?.terminate).toHaveBeenCalled();
  });
});

describe('the client of a terminal', () => {
  async function openClient() {
    const { workers, start } = started();
    const client = new LensClient(start);
    const opening = client.open(SOURCE, null);
    workers[0]?.reply(0, opened);
    await opening;
    return { client, workers };
  }

  it('runs a line about what is on show, with progress before its end', async () => {
    const { client, workers } = await openClient();
    const [worker] = workers;
    const heard = vi.fn();
    const running = client.run('levels', { family: 2, step: null }, heard);
    const request = { type: 'run', line: 'levels', family: 2, step: null };
    expect(worker?.asked[1]?.request).toEqual(request);
    worker?.tell({ id: worker.asked[1]?.id ?? 0, progress: { done: 5, total: null } });
    const ran = { lines: [], failure: null, family: 2, step: 7 };
    worker?.reply(1, { type: 'answer', text: JSON.stringify(ran) });
    expect(await running).toEqual(ran);
    expect(heard).toHaveBeenCalledWith({ done: 5, total: null });
  });

  it('opens the same folder again for a line after a stop', async () => {
    const { client, workers } = await openClient();
    const running = client.run('check', { family: 0, step: null });
    client.stop();
    await expect(running).rejects.toMatchObject({ kind: 'stopped' });
    void client.run('stats', { family: 0, step: null });
    expect(workers[1]?.asked.map(({ request: { type } }) => type)).toEqual(['open', 'run']);
  });

  it('counts letters as the terminal does, and bytes as the module does', async () => {
    const { client, workers } = await openClient();
    const completing = client.complete('family größe "𝛼', 16);
    expect(workers[0]?.asked[1]?.request).toMatchObject({ type: 'complete', at: 20 });
    const items = [{ text: '"𝛼𝛽"', kind: 'word', from: 15 }];
    workers[0]?.reply(1, { type: 'answer', text: JSON.stringify(items) });
    expect(await completing).toEqual([{ text: '"𝛼𝛽"', kind: 'word', from: 13 }]);
  });
});

describe('the lens', () => {
  function lensWith() {
    const { workers, start } = started();
    const lens = new Lens({ start, sample: async () => new Blob(['zip']) });
    return { workers, lens };
  }

  async function openWith({ workers, lens }: ReturnType<typeof lensWith>) {
    const opening = lens.open(SOURCE);
    workers.at(-1)?.reply(0, opened);
    await vi.waitFor(() => expect(workers.at(-1)?.asked).toHaveLength(2));
    workers.at(-1)?.reply(1, { type: 'answer', text: OPENED });
    await opening;
  }

  it('shows the overview of the directory that it has opened', async () => {
    const around = lensWith();
    await openWith(around);
    expect(around.lens.store.get()).toEqual({
      state: 'open',
      name: 'db',
      folder: 'db/',
      overview: JSON.parse(OPENED),
      work: null,
    });
    around.lens.close();
    expect(around.lens.store.get()).toEqual({ state: 'empty' });
    expect(around.workers[0]?.terminate).toHaveBeenCalled();
  });

  it('shows the largest family of a directory that opens, at its last step', async () => {
    const around = lensWith();
    around.lens.cursor.update(() => ({ family: 9, step: 3 }));
    await openWith(around);
    expect(around.lens.cursor.get()).toEqual({ family: 4, step: null });
  });

  it('goes where a line of the terminal leads, and keeps what was chosen meanwhile', async () => {
    const around = lensWith();
    await openWith(around);
    const { lens, workers } = around;
    const answered = (at: number, part: object) => {
      const ran = { lines: [], failure: null, family: 4, step: null, ...part };
      workers[0]?.reply(at, { type: 'answer', text: JSON.stringify(ran) });
    };
    const going = lens.run('goto 3');
    answered(2, { step: 3 });
    await going;
    expect(lens.cursor.get()).toEqual({ family: 4, step: 3 });
    const looking = lens.run('levels');
    expect(workers[0]?.asked[3]?.request).toMatchObject({ family: 4, step: 3 });
    lens.cursor.update((cursor) => ({ ...cursor, step: 8 }));
    answered(3, { step: 3 });
    await looking;
    expect(lens.cursor.get()).toEqual({ family: 4, step: 8 });
    const choosing = lens.run('family default');
    lens.cursor.update((cursor) => ({ ...cursor, step: 9 }));
    answered(4, { family: 0, step: 8 });
    await choosing;
    expect(lens.cursor.get()).toEqual({ family: 0, step: 9 });
  });

  it('says that answers from before may lack damage: after a check, and after damage that was met', async () => {
    const around = lensWith();
    await openWith(around);
    const { lens, workers } = around;
    let at = 2;
    const run = async (line: string, failure: object | null) => {
      const running = lens.run(line);
      const ran = { lines: [], failure, family: 4, step: null };
      workers[0]?.reply(at++, { type: 'answer', text: JSON.stringify(ran) });
      await running;
      return lens.checks.get();
    };
    expect(await run('levels', null)).toBe(0);
    expect(await run('levles', { kind: 'usage', message: '', hint: null })).toBe(0);
    const found = () => {
      workers[0]?.reply(at++, { type: 'answer', text: '{"problems":[{"file":"000010.sst"}]}' });
    };
    expect(await run('stats; check --deep', null)).toBe(1);
    found();
    expect(await run('get a', { kind: 'damaged', message: '', hint: null })).toBe(2);
    found();
    await vi.waitFor(() => expect(JSON.stringify(lens.store.get())).toContain('000010.sst'));
  });

  it('lets one of several folders be chosen', async () => {
    const { workers, lens } = lensWith();
    const opening = lens.open(SOURCE);
    workers[0]?.reply(0, { type: 'folders', folders: ['a/', 'b/'] });
    await opening;
    expect(lens.store.get()).toMatchObject({ state: 'choosing', folders: ['a/', 'b/'] });
    void lens.choose('b/');
    expect(workers[1]?.asked[0]?.request).toMatchObject({ folder: 'b/' });
  });

  it('shows why nothing was opened', async () => {
    const { workers, lens } = lensWith();
    const opening = lens.open(SOURCE);
    const failure = { kind: 'missing', message: 'The manifest is missing.' } as const;
    workers[0]?.reply(0, { type: 'failed', failure });
    await opening;
    expect(lens.store.get()).toEqual({ state: 'failed', name: 'db', failure });
    await expect(lens.csv({ ask: 'report', id: 'l', family: 0, key: null })).rejects.toMatchObject({
      message: 'No directory is open.',
    });
  });

  it('keeps the open directory when another one that is given does not open', async () => {
    const around = lensWith();
    await openWith(around);
    const { lens, workers } = around;
    const before = lens.store.get();
    const replacing = lens.replace({ ...SOURCE, name: 'bad.zip' });
    expect(lens.notice.get()).toEqual({ name: 'bad.zip', failure: null });
    const failure = { kind: 'damaged', message: 'The archive is cut off.' } as const;
    workers[1]?.reply(0, { type: 'failed', failure });
    expect(await replacing).toEqual(failure);
    expect(lens.store.get()).toBe(before);
    expect(lens.source).toEqual(SOURCE);
    expect(lens.notice.get()).toEqual({ name: 'bad.zip', failure });
    expect(workers[1]?.terminate).toHaveBeenCalled();
    expect(workers[0]?.terminate).not.toHaveBeenCalled();
    lens.dismiss();
    expect(lens.notice.get()).toBeNull();
  });

  it('shows a directory in the place of the open one as soon as it is open', async () => {
    const around = lensWith();
    await openWith(around);
    const { lens, workers } = around;
    const other = { ...SOURCE, name: 'other' };
    const replacing = lens.replace(other);
    workers[1]?.reply(0, opened);
    await vi.waitFor(() => expect(workers[1]?.asked).toHaveLength(2));
    expect(lens.store.get()).toMatchObject({ state: 'open', name: 'db' });
    workers[1]?.reply(1, { type: 'answer', text: '{"families":[],"problems":[]}' });
    expect(await replacing).toBeNull();
    expect(lens.store.get()).toMatchObject({ state: 'open', name: 'other' });
    expect(lens.source).toEqual(other);
    expect(lens.notice.get()).toBeNull();
    expect(workers[0]?.terminate).toHaveBeenCalled();
  });

  it('shows the failure of a directory that was given while none is open', async () => {
    const { workers, lens } = lensWith();
    const replacing = lens.replace(SOURCE);
    const failure = { kind: 'damaged', message: 'The archive is cut off.' } as const;
    workers[0]?.reply(0, { type: 'failed', failure });
    expect(await replacing).toEqual(failure);
    expect(lens.store.get()).toEqual({ state: 'failed', name: 'db', failure });
    expect(lens.notice.get()).toBeNull();
  });

  it('forgets what comes too late', async () => {
    const around = lensWith();
    const first = around.lens.open({ ...SOURCE, name: 'first' });
    await openWith(around);
    around.workers[0]?.reply(0, opened);
    await first;
    expect(around.lens.store.get()).toMatchObject({ state: 'open', name: 'db' });
  });

  it('shows a check that goes on, and that it was stopped', async () => {
    const around = lensWith();
    await openWith(around);
    const [worker] = around.workers;
    const check = around.lens.check(false);
    const problem = { file: 'a.sst', message: 'It is damaged.' } as Problem;
    const news = { parts: 1, left: 5, next: ['table 9', 'table 7'], problems: [problem] };
    worker?.tell({ id: worker.asked[2]?.id ?? 0, progress: { done: 3, total: 4, news } });
    expect(around.lens.store.get()).toMatchObject({
      work: { what: 'check', progress: { done: 3, total: 4 } },
    });
    around.lens.stop();
    expect(await check).toEqual({
      problems: [problem],
      extent: '',
      stopped: { done: 3, total: 4, parts: 1, left: 5, next: ['table 9', 'table 7'] },
    });
    expect(around.lens.store.get()).toMatchObject({ state: 'open', work: null });
  });

  it('shows how far a directory has come that opens, until it is stopped', async () => {
    const { workers, lens } = lensWith();
    const opening = lens.open(SOURCE);
    const [worker] = workers;
    worker?.tell({ id: worker.asked[0]?.id ?? 0, progress: { done: 7, total: null, files: 3 } });
    expect(lens.store.get()).toMatchObject({
      state: 'opening',
      progress: { files: 3, bytes: 7 },
    });
    lens.close();
    await opening;
    expect(worker?.terminate).toHaveBeenCalled();
    expect(lens.store.get()).toEqual({ state: 'empty' });
  });

  it('stops the listing of a directory, too', async () => {
    const { workers, lens } = lensWith();
    const goesOn: boolean[] = [];
    const opening = lens.openListed('db', async (onListed) => {
      goesOn.push(onListed(64));
      expect(lens.store.get()).toMatchObject({ progress: { files: 64, bytes: 0 } });
      lens.close();
      goesOn.push(onListed(128));
      return SOURCE;
    });
    await opening;
    expect(goesOn).toEqual([true, false]);
    expect(workers).toHaveLength(0);
    expect(lens.store.get()).toEqual({ state: 'empty' });
  });

  it('tells files of an archive that were left out among all findings', async () => {
    const { workers, lens } = lensWith();
    const left = { file: 'LOG', message: 'The file was left out.' } as Problem;
    const opening = lens.open(SOURCE);
    workers[0]?.reply(0, { type: 'opened', folder: 'db/', leftOut: [left] });
    await vi.waitFor(() => expect(workers[0]?.asked).toHaveLength(2));
    workers[0]?.reply(1, { type: 'answer', text: '{"families":[],"problems":[{"file":"a"}]}' });
    await opening;
    expect(lens.store.get()).toMatchObject({ overview: { problems: [left, { file: 'a' }] } });
    const check = lens.check(true);
    workers[0]?.reply(2, { type: 'answer', text: '{"problems":[{"file":"b"}],"extent":"all"}' });
    const problems = [left, { file: 'b' }];
    expect(await check).toEqual({ problems, extent: 'all', stopped: null });
  });

  it('tells how many bytes were read for the question at work', async () => {
    const around = lensWith();
    await openWith(around);
    const [worker] = around.workers;
    const asked = around.lens.ask({ ask: 'levels', family: 0, step: null });
    worker?.tell({ id: worker.asked[2]?.id ?? 0, progress: { done: 9, total: null, files: 3 } });
    expect(around.lens.reading.get()).toBe(9);
    worker?.reply(2, { type: 'answer', text: '{}' });
    await asked;
    expect(around.lens.reading.get()).toBe(0);
  });

  it('opens a sample of the page', async () => {
    const { workers, lens } = lensWith();
    void lens.openSample('pebble');
    expect(lens.store.get()).toEqual({ state: 'opening', name: 'pebble', progress: null });
    await vi.waitFor(() => expect(workers).toHaveLength(1));
    expect(workers[0]?.asked[0]?.request).toMatchObject({ source: { kind: 'zip' }, folder: null });
  });
});
