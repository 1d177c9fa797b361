// History, branches and their past in a page that is loaded again: the real engine on a disk that behaves like the
// browser's.

import { afterEach, beforeAll, expect, it } from 'vitest';
import { FakeDisk, loadWasm, onDisk, type Page } from '../testing/hostPage';

beforeAll(async () => {
  await loadWasm();
});

let page: Page | null = null;
afterEach(async () => {
  await page?.ask({ type: 'close' });
  page = null;
});

/** A page on `disk`, whose tab is closed without a word by the next one. */
async function visit(disk: FakeDisk): Promise<Page> {
  page = onDisk(disk);
  await page.open();
  return page;
}

/** Ends the tab like a crash of the browser, but lets the module go on. */
async function killed(disk: FakeDisk): Promise<FakeDisk> {
  const survivor = disk.survivor();
  await page?.ask({ type: 'close' });
  return survivor;
}

const stepsOf = (here: Page) =>
  here.of('events').reduce((last, { events }) => events.at(-1)?.step ?? last, 0);

async function window(here: Page, branch: number | null, from: number, to: number) {
  const answer = await here.ask({ type: 'window', branch, from, to, details: false });
  if (answer.type !== 'window') throw new Error(JSON.stringify(answer));
  return answer.events.map(({ step, sentence }) => `${step} ${sentence}`);
}

it('is there again after the tab was killed, with the branches', async () => {
  const disk = new FakeDisk();
  const first = await visit(disk);
  expect(first.of('opened')[0]?.step).toBe(0);
  await first.command('fill 40 --words --seed 3; flush; run');
  const before = await window(first, null, 1, 60);
  const steps = stepsOf(first);
  await first.command('fork 50; put b 2');
  await first.command('branch main');
  const second = await visit(await killed(disk));
  expect(second.of('opened')[0]?.step).toBe(steps);
  await second.command('stats');
  expect(second.text()).toContain('Branch fork 1 of your last visit is there again.');
  const { branches } = second.of('branches').at(-1) ?? { branches: [] };
  expect(branches.map(({ name }) => name)).toEqual(['main', 'fork 1']);
  expect(await window(second, null, 1, 60)).toEqual(before);
  expect((await window(second, 1, 1, 50)).slice(0, 50)).toEqual(before.slice(0, 50));
  const answer = await second.ask({ type: 'command', line: 'stats', at: 30 });
  expect(answer).toMatchObject({ type: 'done', error: null });
});

it('begins anew where its file is damaged or of another version, and the database is as it was', async () => {
  const disk = new FakeDisk();
  const first = await visit(disk);
  await first.command('put apple red');
  const rest = await killed(disk);
  const damaged = rest.survivor();
  const bytes = damaged.beside.files.get('history') ?? new Uint8Array();
  bytes[bytes.length - 1] = 255 - (bytes.at(-1) ?? 0);
  const second = await visit(damaged);
  expect(second.of('opened')[0]?.step).toBe(0);
  await second.command('get apple');
  expect(second.text()).toContain('is damaged at offset');
  expect(second.text()).toContain('red');
  await second.ask({ type: 'close' });

  const other = rest.survivor();
  const text = new TextEncoder().encode('next');
  other.beside.files.get('history')?.set(text, 'levelscope history 1\n'.length + 1);
  const third = await visit(other);
  expect(third.of('opened')[0]?.step).toBe(0);
  await third.command('get apple');
  expect(third.text()).toContain('another version');
});

it('is never in the way: without its file, or without room for it, all commands work', async () => {
  const disk = new FakeDisk();
  disk.beside.open = () => {
    throw new DOMException('no', 'NotAllowedError');
  };
  const first = await visit(disk);
  expect(first.of('opened')[0]).toMatchObject({ step: 0, isHistoryKept: false });
  expect((await first.command('put apple red; get apple')).error).toBeNull();
  await first.ask({ type: 'close' });

  const full = new FakeDisk();
  const open = full.beside.open.bind(full.beside);
  full.beside.open = (name) => {
    const handle = open(name);
    const write = handle.write.bind(handle);
    handle.write = (buffer, at) => {
      if (at.at > 100) throw new DOMException('full', 'QuotaExceededError');
      return write(buffer, at);
    };
    return handle;
  };
  const second = await visit(full);
  expect((await second.command('put apple red; get apple')).error).toBeNull();
  expect((await second.command('fill 100; run')).error).toBeNull();
  const third = await visit(await killed(full));
  expect(third.of('opened')[0]?.step ?? 0).toBeLessThan(stepsOf(second));
  expect((await third.command('get apple')).error).toBeNull();
});
