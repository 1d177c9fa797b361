// A second page of the same origin writes into the files of the database: its bytes are reported as damage, and never used.

import type { Page } from '@playwright/test';
import { type CheckResult, pairsOf } from './answers';
import { expect, test } from './harness';
import { openRig } from './rig';

/** Every file of the database in the browser, and how long it is. */
const listed = (page: Page) =>
  page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle('levelscope');
    const found: [string, number][] = [];
    for await (const [name, handle] of folder as unknown as AsyncIterable<
      [string, FileSystemFileHandle]
    >) {
      if (name !== 'LOCK') found.push([name, (await handle.getFile()).size]);
    }
    return found.sort();
  });

/** Turns over some bytes from `share` of the file on; the browser's refusal, if it refuses. */
const damage = (page: Page, name: string, share: number) =>
  page.evaluate(
    async ([file, part]) => {
      const root = await navigator.storage.getDirectory();
      const folder = await root.getDirectoryHandle('levelscope');
      const handle = await folder.getFileHandle(file);
      const bytes = new Uint8Array(await (await handle.getFile()).arrayBuffer());
      const at = Math.floor(bytes.length * part);
      for (let place = at; place < Math.min(at + 4, bytes.length); place += 1) {
        bytes[place] = (bytes[place] ?? 0) ^ 0xff;
      }
      try {
        const writable = await handle.createWritable({ keepExistingData: true });
        await writable.write(bytes);
        await writable.close();
        return null;
      } catch (error) {
        return (error as DOMException).name;
      }
    },
    [name, share] as const,
  );

/** Remembers every file in the page, or puts all of them back as they were. */
const files = (page: Page, what: 'keep' | 'put back') =>
  page.evaluate(async (task) => {
    type SavedFiles = { kept: Map<string, ArrayBuffer> };
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle('levelscope');
    if (task === 'keep') {
      const kept = new Map<string, ArrayBuffer>();
      for await (const [name, handle] of folder as unknown as AsyncIterable<
        [string, FileSystemFileHandle]
      >) {
        if (name !== 'LOCK') kept.set(name, await (await handle.getFile()).arrayBuffer());
      }
      Object.assign(window, { kept });
      return;
    }
    const names: string[] = [];
    for await (const name of folder.keys()) if (name !== 'LOCK') names.push(name);
    for (const name of names) await folder.removeEntry(name);
    for (const [name, bytes] of (window as unknown as SavedFiles).kept) {
      const handle = await folder.getFileHandle(name, { create: true });
      const writable = await handle.createWritable();
      await writable.write(bytes);
      await writable.close();
    }
  }, what);

const DAMAGE = /checksum|damage|corrupt|cut|magic|not a|cannot be read|impossible|does not/i;

test('bytes that another page writes while the database is closed are reported as damage', async ({
  browserOnDisk,
  page,
  site,
}) => {
  const rig = await openRig(page, site);
  const hostile = await browserOnDisk.context.newPage();
  await hostile.goto(`${site.url}rig.html`);
  expect(await rig.open({ settings: { maintenance: 'inline' } })).toMatchObject({
    storage: 'opfs',
  });
  await rig.command('fill 200 --words --seed 7; flush; put apple red; put fig blue; sync');
  const pairsNow = async () => pairsOf((await rig.command('scan --limit 1000')).result);
  const truth = new Set(await pairsNow());
  await rig.close();
  await rig.terminate();
  await files(hostile, 'keep');
  const kinds = new Set<string>();
  for (const [name, bytes] of await listed(hostile)) {
    const kind = name.replace(/[\d-]/g, '');
    if (bytes === 0 || kinds.has(kind)) continue;
    kinds.add(kind);
    for (const shares of [[0.02], [0.5], [0.02, 0.5]]) {
      const where = `${name} at ${shares}`;
      for (const share of shares) expect(await damage(hostile, name, share)).toBeNull();
      await rig.restart();
      const opened = await rig.open();
      let report = JSON.stringify(opened.type === 'failed' ? opened : '');
      if (opened.type !== 'failed') {
        const scan = await rig.command('scan --limit 1000');
        const found = scan.error ? [] : pairsOf(scan.result);
        for (const pair of found) expect(truth, where).toContain(pair);
        const check = await rig.command('check');
        report = `${JSON.stringify(check.error)} ${check.lines.join(' ')}`;
        const errors = (check.result as CheckResult | null)?.errors ?? 1;
        await rig.close();
        // CURRENT has two slots: without one of them nothing is lost.
        const isSpare = kind === 'CURRENT' && shares.length === 1 && found.length === truth.size;
        if (!isSpare) expect(errors, `${where}: ${report}`).toBeGreaterThan(0);
        if (isSpare && errors === 0) report = 'damage without effect';
      }
      expect(report, where).toMatch(DAMAGE);
      await rig.terminate();
      await expect(async () => files(hostile, 'put back')).toPass();
    }
  }
  expect([...kinds].sort()).toEqual(['.sst', '.wal', 'CURRENT', 'MANIFEST']);
  await rig.restart();
  expect(await rig.open()).toMatchObject({ type: 'opened' });
  expect((await pairsNow()).length).toBe(truth.size);
});

test('while the database is open, the browser refuses such writes or the engine reports them', async ({
  browserOnDisk,
  page,
  site,
}) => {
  const rig = await openRig(page, site);
  const hostile = await browserOnDisk.context.newPage();
  await hostile.goto(`${site.url}rig.html`);
  expect(await rig.open({ settings: { maintenance: 'inline' } })).toMatchObject({
    storage: 'opfs',
  });
  await rig.command('fill 200 --words --seed 7; flush; put apple red; sync');
  const pairsNow = async () => pairsOf((await rig.command('scan --limit 1000')).result);
  const truth = new Set(await pairsNow());
  await rig.restart();
  expect(await rig.open({ settings: { maintenance: 'inline' } })).toMatchObject({
    type: 'opened',
  });
  const outcomes = new Map<string, string | null>();
  for (const [name, bytes] of await listed(hostile)) {
    if (bytes > 0) outcomes.set(name, await damage(hostile, name, 0.02));
  }
  for (const [name, refusal] of outcomes) {
    expect([null, 'NoModificationAllowedError'], name).toContain(refusal);
  }
  const written = [...outcomes].filter(([, refusal]) => refusal === null).map(([name]) => name);
  const scan = await rig.command('scan --limit 1000');
  for (const pair of scan.error ? [] : pairsOf(scan.result)) {
    expect(truth).toContain(pair);
  }
  const check = await rig.command('check');
  const report = `${JSON.stringify(check.error)} ${check.lines.join(' ')}`;
  for (const name of written) expect(report).toContain(name);
  console.log(`  written while open: ${written.join(', ') || 'none'} of ${outcomes.size}`);
});
