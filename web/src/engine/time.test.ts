// Time travel through the protocol, with the real engine.

import { afterEach, beforeAll, expect, it } from 'vitest';
import type { Message, View, WireEvent } from '../model/engine.generated';
import { EMPTY_VIEW, reduce } from '../model/reduce';
import { resultOf } from '../testing/answers';
import { FakeDisk, inMemory, loadWasm, onDisk, type Page } from '../testing/hostPage';

beforeAll(async () => {
  await loadWasm();
});

let page: Page | null = null;
afterEach(async () => {
  await page?.ask({ type: 'close' });
  page = null;
});

async function opened(made: Page): Promise<Page> {
  page = made;
  expect(await made.open()).toMatchObject({ type: 'opened' });
  return made;
}

const events = (from: Page) => from.of('events').flatMap((batch) => batch.events);
const last = (from: Page) => events(from).at(-1)?.step ?? 0;

async function ask(from: Page, line: string, at: number) {
  const answer = await from.ask({ type: 'command', line, at });
  if (answer.type !== 'done') throw new Error(JSON.stringify(answer));
  return { ...answer, result: resultOf(answer.answers) };
}

async function window(from: Page, first: number, to: number, details = false) {
  const answer = await from.ask({ type: 'window', branch: null, from: first, to, details });
  if (answer.type !== 'window') throw new Error(JSON.stringify(answer));
  return answer;
}

it('the past answers, read-only, and the present stays', async () => {
  const here = await opened(onDisk(new FakeDisk()));
  await here.command('put a 1');
  const then = last(here);
  await here.command('put a 2');
  expect((await ask(here, 'get a', then)).result).toMatchObject({ value: '1' });
  expect((await ask(here, 'put a 3', then)).error).toMatchObject({ kind: 'past' });
  expect((await ask(here, 'get a', 100_000)).error).toMatchObject({ kind: 'usage' });
  expect((await here.command('get a')).result).toMatchObject({ value: '2' });
});

it('windows return the same events again, and fold from nothing', async () => {
  const here = await opened(onDisk(new FakeDisk()));
  await here.command('fill 60 --words');
  await here.command('flush; run; compact; run');
  await here.command('options set bloom_bits 12');
  await here.command('put z 1');
  const all = await window(here, 1, last(here));
  expect(all.view).toEqual(EMPTY_VIEW);
  expect(all.events.map(({ step }) => step)).toEqual(all.events.map((_, index) => index + 1));
  const phases = events(here).filter(({ detail }) => detail === 0);
  const known = new Map(phases.map((event) => [event.step, event]));
  for (const event of all.events) {
    if (known.has(event.step)) expect(event).toEqual(known.get(event.step));
  }
  const now = (await here.command('lsm')).result as View;
  expect(all.events.reduce<View>(reduce, EMPTY_VIEW)).toEqual(now);
  const part = await window(here, 40, 60);
  expect(part.from).toBeLessThanOrEqual(40);
  const before = all.events.filter(({ step }) => step < part.from);
  expect(before.reduce<View>(reduce, EMPTY_VIEW)).toEqual(part.view);
  const detailed = await window(here, 1, last(here), true);
  expect(detailed.events.filter(({ detail }) => detail === 0)).toEqual(all.events);
  expect(detailed.events.length).toBeGreaterThan(all.events.length);
  expect(
    await here.ask({ type: 'window', branch: null, from: 9000, to: 9001, details: false }),
  ).toMatchObject({
    type: 'failed',
    kind: 'usage',
  });
});

it('a fork of files goes on in memory; the files stay as they are', async () => {
  const disk = new FakeDisk();
  const here = await opened(onDisk(disk));
  await here.command('put a 1');
  const then = last(here);
  await here.command('put a 2');
  const files = new Map([...disk.files].map(([name, bytes]) => [name, bytes.slice()]));
  const forked = await here.command(`fork ${then}`);
  expect(forked).toMatchObject({ type: 'done', error: null });
  expect(here.of('switched').at(-1)).toMatchObject({ branch: 1, storage: 'memory' });
  const state = here.of('branches').at(-1);
  expect(state?.current).toBe(1);
  expect(state?.branches[1]).toMatchObject({ name: 'fork 1', parent: 0, forkedAt: then });
  expect((await here.command('get a')).result).toMatchObject({ value: '1' });
  await here.command('fill 100; flush; run');
  expect(new Map(disk.files)).toEqual(files);
  expect(await here.command('branch 0')).toMatchObject({
    type: 'done',
    error: null,
  });
  expect((await here.command('get a')).result).toMatchObject({ value: '2' });
  expect(await here.command('branch 7')).toMatchObject({ error: { kind: 'usage' } });
});

it('a crash opens the remaining files step by step, on a branch listed after its parent', async () => {
  const here = await opened(onDisk(new FakeDisk()));
  await here.command('options set wal_sync none');
  await here.command('put a 1; sync');
  await here.command('crash before flush.install --keep none');
  await here.command('put b 2; flush; run');
  const hit = here.of('break').at(-1);
  expect(hit).toMatchObject({ name: 'flush.install', before: true });
  const switched = here.heard.findIndex((message: Message) => message.type === 'switched');
  const after = here.heard
    .slice(switched)
    .flatMap((message) => (message.type === 'events' ? message.events : []));
  expect(after[0]).toMatchObject({ kind: 'recovery.begin', step: hit?.step });
  const before = here.heard
    .slice(0, switched)
    .flatMap((message): WireEvent[] => (message.type === 'events' ? message.events : []));
  expect(before.at(-1)?.step).toBeGreaterThanOrEqual(hit?.step ?? 0);
  // Folding recovery's events gives the view of the engine.
  const view = (await here.command('lsm')).result as View;
  expect(after.reduce<View>(reduce, EMPTY_VIEW)).toEqual(view);
  expect((await here.command('get a')).result).toMatchObject({ found: true });
  expect((await here.command('check')).error).toBeNull();
});

it('a breakpoint ends Play, and its message reaches the terminal', async () => {
  const here = await opened(inMemory());
  await here.command('fill 60 --words');
  await here.command('break when l0 >= 2');
  expect(here.of('breakpoints').at(-1)?.breakpoints).toMatchObject([{ text: 'when l0 >= 2' }]);
  const paused = here.until(
    (message): message is Extract<Message, { type: 'break' }> => message.type === 'break',
  );
  here.post({ type: 'play', grain: 'phase', stepsPerSecond: 0 });
  const hit = await paused;
  expect(hit).toMatchObject({ breakpoint: 1, before: false });
  const struck = events(here).find(({ step }) => step === hit.step);
  expect(struck?.kind).toBe('flush.install');
  expect(here.of('playing').at(-1)).toMatchObject({ playing: false });
  await here.command('lsm');
  expect(here.text()).toContain('Breakpoint 1');
});

it('Play into a breakpoint keeps the past, at every grain', async () => {
  for (const grain of ['job', 'phase', 'entry'] as const) {
    const here = await opened(inMemory());
    await here.command('fill 80 --words --seed 7; break before compaction');
    const paused = here.until(
      (message): message is Extract<Message, { type: 'break' }> => message.type === 'break',
    );
    here.post({ type: 'play', grain, stepsPerSecond: 0 });
    const hit = await paused;
    await here.command('put apple red');
    const now = last(here);
    expect(now, grain).toBeGreaterThan(hit.step);
    // Answers about the past, and a fork of it, belong to the requested step; later writes change nothing in it.
    for (const step of [hit.step - 1, now]) {
      const answer = await ask(here, 'get apple', step);
      expect(answer.result, `${grain} ${step}`).toMatchObject({ found: step === now });
      const shown = await window(here, Math.max(1, step - 3), step, true);
      expect(shown.events.at(-1)?.step, grain).toBe(step);
    }
    await here.command(`fork ${hit.step - 1}`);
    expect((await here.command('get apple')).result).toMatchObject({ found: false });
    await here.command('branch main; crash');
    expect((await here.command('check')).error, grain).toBeNull();
    expect(here.text()).not.toMatch(/the replay came to|differs/);
    await here.ask({ type: 'close' });
  }
});

it('a long replay leaves room for messages, and can be stopped', async () => {
  const here = await opened(inMemory());
  await here.command('options preset default');
  await here.command('fill 60000');
  const branches = (await here.command('branches')).result as { steps: number }[];
  const steps = branches[0]?.steps ?? 0;
  expect(steps).toBeGreaterThan(200_000);
  const start = performance.now();
  const answer = await window(here, steps - 5, steps);
  expect(answer.events.at(-1)?.step).toBe(steps);
  const taken = performance.now() - start;
  process.stdout.write(`  replay of ${steps} steps: ${taken.toFixed(0)} ms\n`);
  // The replica has gone past it: the same again begins anew.
  const stopped = here.until(
    (message): message is Extract<Message, { type: 'failed' }> => message.type === 'failed',
  );
  const id = here.post({
    type: 'window',
    branch: null,
    from: steps - 5,
    to: steps,
    details: false,
  });
  // The host has begun once the tasks that wait have run.
  await new Promise((resolve) => setTimeout(resolve));
  here.post({ type: 'cancel' });
  expect(await stopped).toMatchObject({ id, kind: 'cancelled' });
});
