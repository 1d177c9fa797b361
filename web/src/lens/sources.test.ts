// @vitest-environment jsdom
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { Listed } from '../share/entries';
import { blobOf } from '../testing/slices';
import { looksForeign } from './looks';
import { chosenSource, foreignSource } from './sources';

const listed = (path: string, bytes = new Uint8Array()): Listed => {
  const file = Object.assign(blobOf(bytes), { name: path });
  return { path, file: file as unknown as File };
};

describe('files look like a directory of another engine', () => {
  it.each([
    [['db/CURRENT', 'db/MANIFEST-000005', 'db/000012.sst', 'db/notes.txt'], true],
    [['db/marker.manifest.000001.MANIFEST-000001', 'db/000007.log'], true],
    [['a/deep/MANIFEST-000001'], true],
    [['CURRENT', 'MANIFEST-000005', '000012.ldb', 'LOG', 'LOG.old', 'LOCK'], true],
    // Files of several programs that were dropped together.
    [['CURRENT', 'MANIFEST-000005', 'stage1.sst'], false],
    // Levelscope's own.
    [['db/CURRENT', 'db/MANIFEST-000001', 'db/000002.wal'], false],
    [['MANIFEST-000001'], false],
    [['db/000012.sst', 'db/000013.sst'], false],
    [[], false],
  ])('%j: %s', (paths, is) => {
    expect(looksForeign(paths)).toBe(is);
  });
});

describe('what was dropped', () => {
  it('is a source when it looks like such a directory, with the name of its folder', async () => {
    const files = [listed('mydb/CURRENT'), listed('mydb/MANIFEST-000001')];
    expect(await foreignSource(files)).toMatchObject({ kind: 'files', name: 'mydb' });
    expect(await foreignSource([listed('a.sst')])).toBeNull();
  });

  it('may be an archive', async () => {
    const archive = zipSync({
      'db/CURRENT': new Uint8Array(1),
      'db/MANIFEST-000001': new Uint8Array(2),
    });
    expect(await foreignSource([listed('db.zip', archive)])).toMatchObject({
      kind: 'zip',
      name: 'db.zip',
    });
    const mixed = zipSync({
      CURRENT: new Uint8Array(1),
      'MANIFEST-000001': new Uint8Array(2),
      'how it was made.txt': new Uint8Array(3),
    });
    expect(await foreignSource([listed('mixed.zip', mixed)])).toMatchObject({ kind: 'zip' });
    const odd = zipSync({ '._x (1)/./#/marker.manifest.000001.MANIFEST-000001': new Uint8Array() });
    expect(await foreignSource([listed('odd.zip', odd)])).toMatchObject({ kind: 'zip' });
    const own = zipSync({ 'db/CURRENT': new Uint8Array(1), 'db/000002.wal': new Uint8Array(2) });
    expect(await foreignSource([listed('own.zip', own)])).toBeNull();
    expect(await foreignSource([listed('cut.zip', archive.slice(0, 30))])).toBeNull();
  });

  it('may be a broken archive while the view of directories is on show', async () => {
    const archive = zipSync({ 'db/CURRENT': new Uint8Array(1) });
    const cut = [listed('cut', archive.slice(0, 30))];
    expect(await foreignSource(cut, true)).toMatchObject({ kind: 'zip', name: 'cut' });
    const garbage = [listed('bad.ZIP', new Uint8Array(9))];
    expect(await foreignSource(garbage)).toBeNull();
    expect(await foreignSource(garbage, true)).toMatchObject({ kind: 'zip', name: 'bad.ZIP' });
    expect(await foreignSource([listed('a.sst', new Uint8Array(9))], true)).toBeNull();
    const other = zipSync({ 'notes.txt': new Uint8Array(1) });
    expect(await foreignSource([listed('x.zip', other)], true)).toBeNull();
  });

  it('is what a person chose, whatever it looks like', async () => {
    expect(await chosenSource([listed('notes.txt')])).toMatchObject({ kind: 'files' });
    const archive = zipSync({ 'notes.txt': new Uint8Array(1) });
    expect(await chosenSource([listed('x.zip', archive)])).toMatchObject({ kind: 'zip' });
  });

  it('is an archive also when it is broken, and has the name of a single file', async () => {
    const broken = await chosenSource([listed('bad.ZIP', new Uint8Array(9))]);
    expect(broken).toMatchObject({ kind: 'zip', name: 'bad.ZIP' });
    expect(await chosenSource([listed('notes.txt')])).toMatchObject({ name: 'notes.txt' });
  });
});
