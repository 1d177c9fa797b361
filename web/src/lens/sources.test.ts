// @vitest-environment jsdom
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { Listed } from '../share/entries';
import { blobOf } from '../testing/slices';
import { chosenSource } from './sources';

const listed = (path: string, bytes = new Uint8Array()): Listed => {
  const file = Object.assign(blobOf(bytes), { name: path });
  return { path, file: file as unknown as File };
};

describe('what was dropped or chosen', () => {
  it('is a directory with the name of its folder, or files with the name of a single one', async () => {
    const files = [listed('mydb/CURRENT'), listed('mydb/MANIFEST-000001')];
    expect(await chosenSource(files)).toMatchObject({ kind: 'files', name: 'mydb' });
    expect(await chosenSource([listed('a.sst')])).toMatchObject({ kind: 'files', name: 'a.sst' });
    const loose = [listed('a.sst'), listed('b.log')];
    expect(await chosenSource(loose)).toMatchObject({ kind: 'files', name: 'the files' });
  });

  it('may be an archive, also when it is broken', async () => {
    const archive = zipSync({ 'notes.txt': new Uint8Array(1) });
    for (const [name, bytes] of [
      ['x.zip', archive],
      ['cut', archive.slice(0, 30)],
      ['bad.ZIP', new Uint8Array(9)],
    ] as const) {
      expect(await chosenSource([listed(name, bytes)])).toMatchObject({ kind: 'zip', name });
    }
    // Among other files it is one of them.
    const two = [listed('x.zip', archive), listed('a.sst')];
    expect(await chosenSource(two)).toMatchObject({ kind: 'files' });
  });
});
