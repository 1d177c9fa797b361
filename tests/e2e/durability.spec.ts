// Every acknowledged write is there after a reload, after the worker ended at each phase of a flush and a
// compaction, and after the browser was killed while it wrote.

import { type CheckResult, pairsOf, type WorkResult } from './answers';
import { expect, test } from './harness';
import { openRig, type Rig } from './rig';

test.use({ ownBrowser: true });

const key = (number: number) => `key${String(number).padStart(5, '0')}`;

async function everything(rig: Rig): Promise<string[]> {
  const { result, error } = await rig.command('scan --limit 100000');
  expect(error).toBeNull();
  return pairsOf(result);
}

async function reopened(rig: Rig): Promise<string[]> {
  const opened = await rig.open();
  expect(opened, JSON.stringify(opened)).toMatchObject({ type: 'opened', storage: 'opfs' });
  const check = await rig.command('check');
  expect(check.error).toBeNull();
  expect((check.result as CheckResult).errors).toBe(0);
  return everything(rig);
}

test('a new worker finds what the old one wrote', async ({ page, site }) => {
  const rig = await openRig(page, site);
  expect(await reopened(rig)).toEqual([]);
  await rig.command('put apple red; put pear green; del apple');
  await rig.command('fill 40 --words --seed 7');
  const before = await everything(rig);
  expect(before).toContain('pear=green');
  expect(before.some((pair) => pair.startsWith('apple='))).toBe(false);

  await rig.restart();
  expect(await reopened(rig)).toEqual(before);
  await page.reload();
  expect(await reopened(await openRig(page, site))).toEqual(before);
});

test('the worker may end after any phase of a flush and a compaction', async ({ page, site }) => {
  const rig = await openRig(page, site);
  expect(await reopened(rig)).toEqual([]);
  const expected = new Map<string, string>();
  let cut = 1;
  // Every round writes, starts background work, and ends the worker one phase later than the round before.
  for (let round = 0; round < 40; round += 1) {
    const commands: string[] = [];
    for (let number = 0; number < 12; number += 1) {
      const name = key((round * 7 + number * 5) % 80);
      const value = `r${round}n${number}-${'x'.repeat(40)}`;
      commands.push(`put ${name} ${value}`);
      expected.set(name, value);
    }
    const gone = key((round * 7) % 80);
    commands.push(`del ${gone}`);
    expected.delete(gone);
    const wrote = await rig.command(commands.join('; '));
    expect(wrote.error).toBeNull();
    await rig.command('flush');
    const stepped = await rig.command(`step phase ${cut}`);
    expect(stepped.error).toBeNull();
    cut = (stepped.result as WorkResult).next === null ? 1 : cut + 1;

    await rig.restart();
    const wanted = [...expected].map(([name, value]) => `${name}=${value}`).sort();
    expect(await reopened(rig), `after round ${round}`).toEqual(wanted);
  }
});

test('killing the browser while it writes loses no acknowledged write', async ({
  browserOnDisk,
  complaints,
  page,
  site,
}) => {
  const acknowledged = new Set<string>();
  let started = 0;
  await browserOnDisk.context.exposeFunction('acknowledge', (name: string) =>
    acknowledged.add(name),
  );
  let rig = await openRig(page, site);
  await rig.open({ settings: { maintenance: 'inline' } });

  for (let round = 0; round < 3; round += 1) {
    const first = round * 100_000;
    // Not awaited: it writes until the browser is gone.
    const writing = rig.page
      .evaluate(async (start) => {
        const report = (window as unknown as { acknowledge(name: string): Promise<void> })
          .acknowledge;
        for (let number = start; ; number += 1) {
          const name = `key${String(number).padStart(5, '0')}`;
          const { error } = await window.rig.command(`put ${name} value-of-${name}`);
          if (error !== null) throw new Error(error.message);
          // Waited for: a writer that ran ahead would leave a hundred thousand records to read again.
          await report(name);
        }
      }, first)
      .catch((error: Error) => error);
    const before = acknowledged.size;
    await expect.poll(() => acknowledged.size - before, { intervals: [10] }).toBeGreaterThan(200);
    await browserOnDisk.kill();
    expect(String(await writing)).toMatch(/closed|crashed/i);

    const context = await browserOnDisk.start();
    await context.exposeFunction('acknowledge', (name: string) => acknowledged.add(name));
    rig = await openRig(context.pages()[0] ?? (await context.newPage()), site);
    const found = new Map((await reopened(rig)).map((pair) => pair.split('=') as [string, string]));
    const lost = [...acknowledged].filter((name) => !found.has(name));
    expect(lost, `lost of ${acknowledged.size} acknowledged writes`).toEqual([]);
    for (const [name, value] of found) expect(value).toBe(`value-of-${name}`);
    // At most one unacknowledged write may be there: the one under way when the browser was killed.
    started = found.size;
  }
  expect(started).toBeGreaterThan(600);
  complaints.length = 0;
});
