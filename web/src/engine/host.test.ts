// The host with the real engine: wasm in Node, on a disk that behaves like the browser's.

import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Message, Query, View } from '../model/engine.generated';
import { FakeDisk, inMemory, loadWasm, onDisk, Page } from '../testing/hostPage';
import type { Wasm } from './wasm';

let wasm: Wasm;

beforeAll(async () => {
  wasm = await loadWasm();
});

let page: Page | null = null;
const use = (opened: Page) => {
  page = opened;
  return opened;
};
afterEach(async () => {
  // The wasm module is shared: its directory must be free for the next test.
  await page?.ask({ type: 'close' });
  page = null;
});

describe('a database in memory', () => {
  it('opens with a view, options and presets, and reports why it is memory', async () => {
    const opened = await use(inMemory()).open();
    expect(opened).toMatchObject({
      type: 'opened',
      storage: 'memory',
      why: 'A test has no files.',
      preset: 'classroom',
      persisted: false,
    });
    if (opened.type !== 'opened') return;
    expect(opened.view.memtables).toHaveLength(1);
    expect(opened.view.levels).toHaveLength(5);
    expect(opened.options.find(({ name }) => name === 'memtable_bytes')?.value).toBe('1024');
    expect(opened.presets.map(({ name }) => name)).toContain('article');
  });

  it('puts and gets, and sends its events before the answer', async () => {
    const { command, heard, of } = bind(use(inMemory()));
    await page?.open();
    const before = heard.length;
    expect((await command('put apple 1')).error).toBeNull();
    const batch = heard.slice(before).find((message) => message.type === 'events');
    expect(batch?.type === 'events' && batch.events.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['op.put', 'wal.append', 'wal.sync', 'memtable.insert', 'op.done']),
    );
    expect(heard.at(-1)?.type).toBe('done');
    expect((await command('get apple')).result).toMatchObject({ found: true, value: '1' });
    for (const { events } of of('events')) {
      for (const { sentence } of events) expect(sentence.length).toBeGreaterThan(3);
    }
  });

  it('answers queries without output, refuses other questions, and completes what is typed', async () => {
    const here = use(inMemory());
    await here.open();
    const outputs = here.of('output').length;
    const stats = await here.ask({ type: 'query', query: { ask: 'stats' }, at: null });
    expect(stats).toMatchObject({
      type: 'done',
      answers: [{ kind: 'stats', value: { puts: 0 } }],
      error: null,
    });
    for (const query of [{ ask: 'reset' }, { ask: 'stats', more: 1 }, { ask: 'ribbon', file: 7 }]) {
      const wrong = { type: 'query', query: query as unknown as Query, at: null } as const;
      expect(await here.ask(wrong)).toMatchObject({ type: 'failed', kind: 'protocol' });
    }
    expect(here.of('output')).toHaveLength(outputs);
    const answer = await here.ask({ type: 'complete', line: 'pu', cursor: 2 });
    expect(answer).toMatchObject({ type: 'completions' });
    if (answer.type === 'completions') {
      expect(answer.items.map(({ text }) => text.trim())).toContain('put');
    }
  });

  it('refuses wrong settings and wrong requests, and goes on', async () => {
    const here = use(inMemory());
    expect(await here.open('classroom', { memtable_bytes: 'many' })).toMatchObject({
      type: 'failed',
      kind: 'invalidArgument',
    });
    expect(await here.ask({ type: 'command', line: 'get a', at: null })).toMatchObject({
      type: 'failed',
      kind: 'closed',
    });
    await here.open();
    const line = ' '.repeat(2_000_000);
    expect(await here.ask({ type: 'command', line, at: null })).toMatchObject({
      type: 'failed',
      kind: 'protocol',
    });
    expect((await here.command('put a 1')).error).toBeNull();
  });

  it('stops a long command at once when cancelled', async () => {
    const here = use(inMemory());
    await here.open('default');
    const filling = here.ask({ type: 'command', line: 'fill 1000000', at: null });
    await here.until((message): message is Message => message.type === 'events');
    here.post({ type: 'cancel' });
    const done = await here.until((message): message is Message => message.type === 'done');
    expect(done).toMatchObject({ error: { kind: 'cancelled' } });
    void filling;
    expect((await here.command('stats')).error).toBeNull();
  });

  it('stops a command that had come but not begun', async () => {
    const here = use(inMemory());
    await here.open('default');
    here.post({ type: 'query', query: { ask: 'stats' }, at: null });
    const id = here.post({ type: 'command', line: 'fill 1000000', at: null });
    here.post({ type: 'cancel' });
    const isIts = (message: Message): message is Message =>
      message.type === 'done' && message.id === id;
    expect(await here.until(isIts)).toMatchObject({ error: { kind: 'cancelled' } });
    expect(here.of('done').find((done) => done.id === id - 1)?.error).toBeNull();
    expect((await here.command('stats')).error).toBeNull();
  });

  it('sends bounded batches with a view whenever events are left out', async () => {
    const here = use(inMemory());
    await here.open();
    await here.command('fill 2000');
    const batches = here.of('events');
    expect(batches.some(({ elided }) => elided > 0)).toBe(true);
    for (const { events, elided, view } of batches) {
      expect(events.length).toBeLessThanOrEqual(500);
      if (elided > 0) expect(view).not.toBeNull();
    }
  });

  it('hands events on as the text that the engine wrote', async () => {
    const here = use(inMemory());
    await here.open();
    await here.command('fill 50');
    const { sent, heard } = here;
    const batches = sent.filter((_, at) => heard[at]?.type === 'events');
    expect(batches.length).toBeGreaterThan(1);
    for (const batch of batches) expect(batch).toBeTypeOf('string');
  });

  it('plays until nothing is left to do', async () => {
    const here = use(inMemory());
    await here.open();
    await here.command('fill 60; flush');
    here.post({ type: 'play', grain: 'phase', stepsPerSecond: 0 });
    await here.until((message): message is Message => message.type === 'playing');
    await here.until(
      (message): message is Message => message.type === 'events' && message.next === null,
    );
    here.post({ type: 'pause' });
    expect(here.of('playing').map(({ playing }) => playing)).toEqual([true, false]);
    const { result } = await here.command('lsm');
    expect((result as View).memtables).toHaveLength(1);
  });

  it('plays by command of the terminal', async () => {
    const here = use(inMemory());
    await here.open();
    await here.command('play');
    await here.command('pause');
    expect(here.of('playing').map(({ playing }) => playing)).toEqual([true, false]);
  });

  it('plays at the speed that a line of several commands names', async () => {
    const here = use(inMemory());
    await here.open();
    await here.command('put a 1; play max');
    await here.command('put a 2; play');
    await here.command('put a 3; play 0.5');
    await here.command('put a 4; pause; play; pause');
    const speeds = here.of('playing').map(({ stepsPerSecond }) => stepsPerSecond);
    expect(speeds.slice(0, 3)).toEqual([0, 1, null]);
    expect((await here.command('put a 5; play sideways')).error).toMatchObject({
      message: 'play takes one of these speeds: 0.5, 1, 4, max',
    });
  });

  it('sends new options, and a view when the database is a new one', async () => {
    const here = use(inMemory());
    await here.open();
    await here.command('options memtable_bytes=2k');
    await here.command('put a 1');
    await here.command('options preset default');
    expect(here.of('options').at(-1)?.preset).toBe('default');
    const restarts = here
      .of('events')
      .filter(({ events }) => events.some(({ kind }) => kind === 'recovery.begin'));
    expect(restarts.length).toBeGreaterThan(1);
    for (const { view } of restarts) expect(view).not.toBeNull();
  });
});

describe('a database on files', () => {
  it('has real names, closes everything and finds it again', async () => {
    const disk = new FakeDisk();
    const here = use(onDisk(disk));
    expect(await here.open()).toMatchObject({ type: 'opened', storage: 'opfs', why: null });
    await here.command('put apple 1; fill 300; run');
    expect((await here.command('get apple')).result).toMatchObject({ value: '1' });
    for (const name of disk.files.keys()) {
      expect(name).toMatch(/^(CURRENT|LOCK|MANIFEST-\d{6}|\d{6}\.(wal|sst))$/);
    }
    const { result } = await here.command('check');
    expect(result).toMatchObject({ errors: 0 });
    await here.ask({ type: 'close' });
    expect(disk.open_.size).toBe(0);
    // The lock file has no content; nothing else is left empty.
    const empty = [...disk.files].filter(([, bytes]) => bytes.length === 0);
    expect(empty.map(([name]) => name)).toEqual(['LOCK']);
    expect(here.released).toBeGreaterThan(0);

    const again = use(onDisk(disk));
    await again.open();
    expect((await again.command('get apple')).result).toMatchObject({ value: '1' });
    expect((await again.command('check')).result).toMatchObject({ errors: 0 });
  });

  it('removes the files that the engine deletes', async () => {
    const disk = new FakeDisk();
    const here = use(onDisk(disk));
    await here.open();
    await here.command('fill 400; run');
    const { result } = await here.command('lsm');
    const tables = (result as View).levels.flatMap((level) => level.tables);
    const onDiskTables = [...disk.files].filter(
      ([name, bytes]) => name.endsWith('.sst') && bytes.length > 0,
    );
    expect(onDiskTables).toHaveLength(tables.length);
  });

  it('finds every acknowledged write after the tab was killed', async () => {
    const disk = new FakeDisk();
    const here = use(onDisk(disk));
    await here.open();
    await here.command('fill 200; put last 1');
    const after = disk.survivor();
    await here.ask({ type: 'close' });
    const again = use(onDisk(after));
    await again.open();
    expect((await again.command('get last')).result).toMatchObject({ found: true, value: '1' });
    expect((await again.command('check')).result).toMatchObject({ errors: 0 });
  });

  it('starts over with reset', async () => {
    const disk = new FakeDisk();
    const here = use(onDisk(disk));
    await here.open();
    await here.command('fill 100; run');
    const { error } = await here.command('reset --yes');
    expect(error).toBeNull();
    expect((await here.command('put a 1')).error).toBeNull();
    expect((await here.command('get a')).result).toMatchObject({ found: true });
  });

  it('reports that the disk is full, and reads on', async () => {
    const disk = new FakeDisk();
    const here = use(onDisk(disk));
    await here.open();
    await here.command('put apple 1');
    disk.quota = disk.bytes + 4096;
    expect((await here.command('fill 500')).error).toMatchObject({ kind: 'outOfSpace' });
    expect((await here.command('get apple')).result).toMatchObject({ value: '1' });
    expect((await here.command('put b 1')).error).not.toBeNull();
    expect((await here.command('put b 1')).error).toMatchObject({ kind: 'readOnly' });
    expect((await here.command('get b')).result).toMatchObject({ found: false });
    disk.quota = Number.POSITIVE_INFINITY;
    await here.ask({ type: 'close' });
    const again = use(onDisk(disk));
    await again.open();
    expect((await again.command('get apple')).result).toMatchObject({ value: '1' });
    expect((await again.command('put b 1')).error).toBeNull();
  });

  it.each(['put b 1; scan', 'fill 3; scan', 'put b 1; run; scan'])(
    'acknowledges nothing that has found no space, though nothing is written after it: %s',
    async (line) => {
      const disk = new FakeDisk();
      const here = use(onDisk(disk));
      // Each slice takes long: it is settled before the next.
      let time = 0;
      here.now = () => {
        time += 60;
        return time;
      };
      await here.open();
      await here.command('fill 20 --start 10');
      disk.quota = disk.bytes;
      const before = here.of('output').length;
      expect((await here.command(line)).error).toMatchObject({ kind: 'outOfSpace' });
      expect(here.of('output')).toHaveLength(before);
      expect((await here.command('put c 1')).error).not.toBeNull();
    },
  );

  it('keeps few tables open, and opens them again to read them', async () => {
    const disk = new FakeDisk();
    const here = use(onDisk(disk));
    await here.open('classroom', { table_bytes: '256', memtable_bytes: '512' });
    await here.command('fill 1500 --value-size 40; run');
    await here.command('stats');
    const tables = [...disk.open_.keys()].filter((name) => name.endsWith('.sst'));
    expect(disk.files.size).toBeGreaterThan(100);
    expect(tables.length).toBeLessThanOrEqual(65);
    expect((await here.command('check')).result).toMatchObject({ errors: 0 });
  }, 60_000);

  it('opens nothing that another tab has', async () => {
    const here = new Page('owned');
    expect(await here.open()).toEqual({ type: 'owned', id: 1 });
  });

  it('lets go when another tab takes over', async () => {
    const disk = new FakeDisk();
    const here = use(onDisk(disk));
    await here.open();
    await here.command('put a 1');
    here.onLoss();
    await here.until((message): message is Message => message.type === 'lost');
    expect(disk.open_.size).toBe(0);
    expect(await here.ask({ type: 'command', line: 'get a', at: null })).toMatchObject({
      type: 'failed',
      kind: 'closed',
    });
  });
});

describe('a bug in the engine', () => {
  it('stops everything, closes the files without writing, and reports it', async () => {
    const disk = new FakeDisk();
    const broken: Wasm = Object.create(wasm, {
      Engine: {
        value: class extends wasm.Engine {
          override advance(): string {
            throw new WebAssembly.RuntimeError('unreachable');
          }
        },
      },
      lastPanic: { value: () => 'panicked at a test' },
    });
    const here = new Page(disk, broken);
    await here.open();
    const before = disk.survivor();
    here.post({ type: 'command', line: 'put a 1', at: null });
    const failed = await here.until((message): message is Message => message.type === 'failed');
    expect(failed).toMatchObject({ id: null, kind: 'panic', message: 'panicked at a test' });
    expect(disk.open_.size).toBe(0);
    expect(disk.bytes).toBe(before.bytes);
    here.post({ type: 'close' });
    expect(here.of('failed').at(-1)).toMatchObject({ id: null, kind: 'closed' });
    wasm.closeAll();
  });
});

/** The methods of `here` that tests like to call without it. */
function bind(here: Page) {
  return {
    command: here.command.bind(here),
    of: here.of.bind(here) as Page['of'],
    heard: here.heard,
  };
}
