// Refusals of the browser: another tab owns the files, the files are denied, the disk is full.

import { type CheckResult, pairsOf } from './answers';
import { expect, limitQuota, test } from './harness';
import { openRig } from './rig';

test('a second worker learns that the database is owned, and may take it over', async ({
  browserOnDisk,
  page,
  site,
}) => {
  const first = await openRig(page, site);
  expect(await first.open()).toMatchObject({ type: 'opened', storage: 'opfs' });
  await first.command('put apple red');

  const second = await openRig(await browserOnDisk.context.newPage(), site);
  expect(await second.open()).toMatchObject({ type: 'owned' });
  expect(await second.open({ takeOver: true })).toMatchObject({ type: 'opened', storage: 'opfs' });
  expect(await second.command('get apple')).toMatchObject({
    result: { found: true, value: 'red' },
  });
  await expect
    .poll(() => page.evaluate(() => window.rig.messages.some((message) => message.type === 'lost')))
    .toBe(true);

  // Later calls of the first worker are refused: it cannot change the files of the second.
  const late = await first.command('put apple yellow');
  expect(late.error).not.toBeNull();
  expect(await second.command('get apple')).toMatchObject({ result: { value: 'red' } });
});

test('a folder of another program is refused, and nothing is made in it', async ({
  page,
  site,
}) => {
  const rig = await openRig(page, site);
  const put = (files: Record<string, string>) =>
    page.evaluate(async (contents) => {
      const root = await navigator.storage.getDirectory();
      const folder = await root.getDirectoryHandle('levelscope', { create: true });
      for (const [name, content] of Object.entries(contents)) {
        const handle = await folder.getFileHandle(name, { create: true });
        const writable = await handle.createWritable();
        await writable.write(content);
        await writable.close();
      }
    }, files);
  await put({ CURRENT: 'MANIFEST-000005\n', '000007.ldb': 'not ours', notes: 'mine' });
  const before = await rig.files();
  const opened = await rig.open();
  expect(opened.type, JSON.stringify(opened)).toBe('failed');
  expect(JSON.stringify(opened)).toMatch(/LevelDB/);
  await rig.terminate();
  expect(await rig.files()).toEqual(before);
});

test('a full disk makes the database read-only, and everything acknowledged stays', async ({
  complaints,
  page,
  site,
}) => {
  const rig = await openRig(page, site);
  expect(await rig.open({ settings: { maintenance: 'inline' } })).toMatchObject({
    storage: 'opfs',
  });
  await rig.command('put before safe');
  await limitQuota(page, site.origin, 6 << 20);

  const acknowledged: string[] = [];
  let refusal: { kind: string; message: string } | null = null;
  for (let number = 0; number < 400 && refusal === null; number += 1) {
    const name = `big${String(number).padStart(4, '0')}`;
    const answer = await rig.command(`fill 1 --start ${number} --value-size 60000 --sync on`);
    if (answer.error === null) acknowledged.push(name);
    else refusal = answer.error;
  }
  expect(refusal, 'six megabytes must not hold twenty-four').not.toBeNull();
  expect(refusal?.message).toMatch(/space|quota|full/i);

  const count = async () => pairsOf((await rig.command('scan --limit 100000')).result).length;
  expect(await rig.command('get before')).toMatchObject({ result: { found: true, value: 'safe' } });
  expect(await count()).toBeGreaterThanOrEqual(acknowledged.length + 1);
  const again = await rig.command('put after refused');
  expect(again.error, 'a database that could not write is read-only').not.toBeNull();

  await limitQuota(page, site.origin, 1 << 30);
  await rig.restart();
  expect(await rig.open()).toMatchObject({ type: 'opened', storage: 'opfs' });
  const check = await rig.command('check');
  expect((check.result as CheckResult).errors).toBe(0);
  expect(await rig.command('get before')).toMatchObject({ result: { value: 'safe' } });
  expect(await count()).toBeGreaterThanOrEqual(acknowledged.length + 1);
  expect((await rig.command('put after welcome')).error).toBeNull();
  complaints.length = 0;
});

test('without the file system the worker reports why it uses memory', async ({ page, site }) => {
  const denied = { ...site, url: site.deniedUrl };
  const rig = await openRig(page, denied);
  const opened = await rig.open();
  expect(opened).toMatchObject({ type: 'opened', storage: 'memory' });
  expect('why' in opened ? opened.why : null).toMatch(/\w+ \w+/);
  await rig.command('put apple red');
  expect(await rig.command('get apple')).toMatchObject({ result: { value: 'red' } });
});
