import { describe, expect, it, vi } from 'vitest';
import { opened, SOURCE, started } from '../testing/lensWorker';
import { Lens } from './lens';
import type { Problem } from './lens.generated';

/** An overview, as far as it counts here. */
const OPENED = JSON.stringify({
  families: [],
  shownFirst: 4,
  problems: [],
});

describe('the lens', () => {
  function lensWith() {
    const { workers, start } = started();
    const lens = new Lens({ start, sample: async () => new Blob(['zip']) });
    return { workers, lens };
  }

  async function openWith({ workers, lens }: ReturnType<typeof lensWith>) {
    const opening = lens.open(SOURCE);
    workers.at(-1)?.answer(0, opened);
    await vi.waitFor(() => expect(workers.at(-1)?.asked).toHaveLength(2));
    workers.at(-1)?.answer(1, OPENED);
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

  it('shows the family that comes first in a directory that opens, at its last step', async () => {
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
      workers[0]?.answer(at, { text: JSON.stringify(ran), saved: [] });
    };
    const going = lens.run('goto 3');
    answered(2, { step: 3 });
    await going;
    expect(lens.cursor.get()).toEqual({ family: 4, step: 3 });
    const looking = lens.run('levels');
    expect(workers[0]?.asked[3]).toEqual(['run', 'levels', { family: 4, step: 3 }]);
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

  it('marks earlier answers that may lack damage: after a check, and after damage that was met', async () => {
    const around = lensWith();
    await openWith(around);
    const { lens, workers } = around;
    let at = 2;
    const run = async (line: string, failure: object | null, hasChecked = false) => {
      const running = lens.run(line);
      const ran = { lines: [], failure, hasChecked, family: 4, step: null };
      workers[0]?.answer(at++, { text: JSON.stringify(ran), saved: [] });
      await running;
      return lens.checks.get();
    };
    expect(await run('levels', null)).toBe(0);
    expect(await run('levles', { kind: 'usage', message: '', hint: null })).toBe(0);
    const found = () => {
      workers[0]?.answer(at++, '{"problems":[{"file":"000010.sst"}]}');
    };
    expect(await run('stats; check --deep', null, true)).toBe(1);
    found();
    expect(await run('get a', { kind: 'damaged', message: '', hint: null })).toBe(2);
    found();
    await vi.waitFor(() => expect(JSON.stringify(lens.store.get())).toContain('000010.sst'));
  });

  it('lets one of several folders be chosen', async () => {
    const { workers, lens } = lensWith();
    const opening = lens.open(SOURCE);
    workers[0]?.answer(0, { folders: ['a/', 'b/'] });
    await opening;
    expect(lens.store.get()).toMatchObject({ state: 'choosing', folders: ['a/', 'b/'] });
    void lens.choose('b/');
    expect(workers[1]?.asked[0]).toEqual(['open', SOURCE, 'b/']);
  });

  it('shows why nothing was opened', async () => {
    const { workers, lens } = lensWith();
    const opening = lens.open(SOURCE);
    const failure = { kind: 'missing', message: 'The manifest is missing.' } as const;
    workers[0]?.fail(0, failure);
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
    workers[1]?.fail(0, failure);
    expect(await replacing).toEqual(failure);
    expect(lens.notice.get()).toBeNull();
    lens.showFailure('bad.zip', failure);
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
    workers[1]?.answer(0, opened);
    await vi.waitFor(() => expect(workers[1]?.asked).toHaveLength(2));
    expect(lens.store.get()).toMatchObject({ state: 'open', name: 'db' });
    workers[1]?.answer(1, '{"families":[],"problems":[]}');
    expect(await replacing).toBeNull();
    expect(lens.store.get()).toMatchObject({ state: 'open', name: 'other' });
    expect(lens.source).toEqual(other);
    expect(lens.notice.get()).toBeNull();
    expect(workers[0]?.terminate).toHaveBeenCalled();
  });

  it('shows nothing of files that are not for it while none is open', async () => {
    const { workers, lens } = lensWith();
    const heard = vi.fn();
    lens.store.subscribe(heard);
    const replacing = lens.replace(SOURCE);
    const failure = { kind: 'invalid', message: 'No database of these engines.' } as const;
    workers[0]?.fail(0, failure);
    expect(await replacing).toEqual(failure);
    expect(heard).not.toHaveBeenCalled();
    lens.showFailure('db', failure);
    expect(lens.store.get()).toEqual({ state: 'failed', name: 'db', failure });
    expect(lens.notice.get()).toBeNull();
  });

  it('ends an opening when something else is given', async () => {
    const { workers, lens } = lensWith();
    const first = lens.replace({ ...SOURCE, name: 'first' });
    void lens.replace({ ...SOURCE, name: 'second' });
    expect(await first).toMatchObject({ kind: 'stopped' });
    expect(workers[0]?.terminate).toHaveBeenCalled();
    expect(lens.notice.get()).toEqual({ name: 'second', failure: null });
  });

  it('forgets what comes too late', async () => {
    const around = lensWith();
    const first = around.lens.open({ ...SOURCE, name: 'first' });
    await openWith(around);
    around.workers[0]?.answer(0, opened);
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
    worker?.report(2, { done: 3, total: 4, news });
    expect(around.lens.store.get()).toMatchObject({
      work: { what: 'check', progress: { done: 3, total: 4 } },
    });
    around.lens.stop();
    expect(await check).toEqual({
      extent: '',
      stopped: { done: 3, total: 4, parts: 1, left: 5, next: ['table 9', 'table 7'] },
    });
    expect(around.lens.store.get()).toMatchObject({
      ...{ state: 'open', work: null, overview: { problems: [problem] } },
    });
  });

  it('shows the damage that an answer has met', async () => {
    const around = lensWith();
    await openWith(around);
    const [worker] = around.workers;
    const problem = { file: 'a.sst', message: 'It is damaged.' } as Problem;
    const text = JSON.stringify({ families: [], problems: [problem] });
    const asked = around.lens.ask({ ask: 'get', family: 0, key: '', sequence: null });
    worker?.answer(2, text);
    await vi.waitFor(() => expect(worker?.asked).toHaveLength(4));
    worker?.answer(3, text);
    await asked;
    expect(around.lens.store.get()).toMatchObject({ overview: { problems: [problem] } });
  });

  it('shows how far a directory has come that opens, until it is stopped', async () => {
    const { workers, lens } = lensWith();
    const opening = lens.open(SOURCE);
    const [worker] = workers;
    worker?.report(0, { done: 7, total: null, files: 3 });
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

  it('lists files left out of an archive among all findings', async () => {
    const { workers, lens } = lensWith();
    const left = { file: 'LOG', message: 'The file was left out.' } as Problem;
    const opening = lens.open(SOURCE);
    workers[0]?.answer(0, { folder: 'db/', leftOut: [left] });
    await vi.waitFor(() => expect(workers[0]?.asked).toHaveLength(2));
    workers[0]?.answer(1, '{"families":[],"problems":[{"file":"a"}]}');
    await opening;
    expect(lens.store.get()).toMatchObject({ overview: { problems: [left, { file: 'a' }] } });
    const check = lens.check(true);
    workers[0]?.answer(2, '{"problems":[{"file":"b"}],"extent":"all"}');
    await vi.waitFor(() => expect(workers[0]?.asked).toHaveLength(4));
    workers[0]?.answer(3, '{"families":[],"problems":[{"file":"b"}]}');
    expect(await check).toEqual({ extent: 'all', stopped: null });
    expect(lens.store.get()).toMatchObject({ overview: { problems: [left, { file: 'b' }] } });
  });

  it('counts the bytes read for the question at work', async () => {
    const around = lensWith();
    await openWith(around);
    const [worker] = around.workers;
    const asked = around.lens.ask({ ask: 'levels', family: 0, step: null });
    worker?.report(2, { done: 9, total: null, files: 3 });
    expect(around.lens.reading.get()).toBe(9);
    worker?.answer(2, '{}');
    await asked;
    expect(around.lens.reading.get()).toBe(0);
  });

  it('opens a sample of the page', async () => {
    const { workers, lens } = lensWith();
    void lens.openSample('pebble');
    expect(lens.store.get()).toEqual({ state: 'opening', name: 'pebble', progress: null });
    await vi.waitFor(() => expect(workers).toHaveLength(1));
    expect(workers[0]?.asked[0]).toMatchObject(['open', { kind: 'zip' }, null]);
  });
});
