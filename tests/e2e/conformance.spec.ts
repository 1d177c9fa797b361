// The engine in a real worker on the real files of an origin: the storage conformance suite, and a bug.

import { expect, test } from './harness';
import { openRig } from './rig';

type Outcome = { name: string; problem: string | null };

test('the files of the origin keep the contract of the storage', async ({ page, site }) => {
  await page.goto(`${site.url}rig.html`);
  const outcomes = await page.evaluate(
    () =>
      new Promise<Outcome[]>((resolve, reject) => {
        const worker = new Worker('conformance/worker.js', { type: 'module' });
        worker.onmessage = ({ data }: MessageEvent<Outcome[]>) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(`The worker failed: ${message}`));
      }),
  );
  expect(outcomes.length).toBeGreaterThanOrEqual(60);
  expect(outcomes.filter(({ problem }) => problem !== null)).toEqual([]);
});

test('a bug in the engine stops the worker, is reported, and gives the files back', async ({
  browserOnDisk,
  page,
  site,
}) => {
  const rig = await openRig(page, { ...site, worker: 'assets/broken-worker.js' });
  expect(await rig.open()).toMatchObject({ type: 'opened', storage: 'opfs' });
  await page.evaluate(() =>
    window.rig.post(['{"id":100,"request":{"type":"command","line":"put apple red","at":null}}']),
  );
  const failures = () =>
    page.evaluate(() => window.rig.messages.filter(({ type }) => type === 'failed'));
  await expect
    .poll(failures)
    .toMatchObject([
      { id: null, kind: 'panic', message: expect.stringContaining('a test asked for it') },
    ]);

  // The worker is still there, but neither it nor its files stand in the way of the next one.
  const next = await openRig(await browserOnDisk.context.newPage(), site);
  expect(await next.open()).toMatchObject({ type: 'opened', storage: 'opfs' });
  expect((await next.command('put apple red')).error).toBeNull();
});
