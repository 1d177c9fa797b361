import { beforeAll, expect, it } from 'vitest';
import type { Message } from '../model/engine.generated';
import { inMemory, loadWasm } from '../testing/hostPage';

beforeAll(async () => {
  await loadWasm();
});

type Window = Extract<Message, { type: 'window' }>;

it('a fork goes on from the last step of the window around its step', async () => {
  const page = inMemory();
  await page.open();
  await page.command('put a 1; fill 30 --words --seed 7; flush; run; put b 2');
  let later = 0;
  for (const step of [2, 7, 9, 100, 133, 140, 150, 160]) {
    const request = { type: 'window', branch: 0, from: step, to: step, details: false } as const;
    const { to } = (await page.ask(request)) as unknown as Window;
    await page.command(`fork ${step}`);
    const fork = page.of('branches').at(-1)?.branches.at(-1);
    expect(fork?.forkedAt, `fork ${step}`).toBe(to);
    if (to > step) later += 1;
    await page.command('branch main');
  }
  expect(later).toBeGreaterThan(1);
});

it('a fork at the end of a command can be shared, and so can one at the end of a run', async () => {
  const page = inMemory();
  await page.open();
  const last = () =>
    page
      .of('events')
      .flatMap(({ events }) => events)
      .at(-1)?.step ?? 0;
  for (const line of ['put a 1', 'fill 60 --words', 'run']) {
    await page.command(line);
    const step = last();
    await page.command('put later 1');
    await page.command(`fork ${step}`);
    const { answers, error } = await page.command('share');
    expect(error, line).toBeNull();
    expect(JSON.stringify(answers), line).toContain(line);
    await page.command('branch main');
  }
});
