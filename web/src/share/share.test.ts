import { strToU8, unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { listDropped } from './entries';
import { packed } from './zip';

const bytes = (text: string) => strToU8(text) as Uint8Array<ArrayBuffer>;

describe('files that are given to the page', () => {
  it('come out of dropped directories, to a depth', async () => {
    const leaf = (name: string): unknown => ({
      name,
      isFile: true,
      isDirectory: false,
      file: (done: (file: File) => void) => done(new File(['1'], name)),
    });
    const directory = (name: string, content: readonly unknown[]): unknown => {
      const portions = [content, []];
      const readEntries = (done: (some: unknown) => void) => done(portions.shift() ?? []);
      return { name, isFile: false, isDirectory: true, createReader: () => ({ readEntries }) };
    };
    let deep = directory('d', [leaf('too-deep')]);
    for (const name of ['c', 'b', 'a', 'x', 'y'])
      deep = directory(name, [deep, leaf(`in-${name}`)]);
    const transfer = {
      items: [{ kind: 'file', webkitGetAsEntry: () => deep }],
      files: [],
    } as unknown as DataTransfer;
    expect((await listDropped(transfer)).map(({ path }) => path)).toEqual([
      'y/in-y',
      'y/x/in-x',
      'y/x/a/in-a',
      'y/x/a/b/in-b',
    ]);
  });
});

it('archives go out, and are the same each time', () => {
  const files = [
    { name: 'db/CURRENT', bytes: bytes('one') },
    { name: 'db/000001.sst', bytes: new Uint8Array(0) },
  ];
  const archive = packed(files);
  expect(packed(files)).toEqual(archive);
  const back = unzipSync(archive);
  expect(Object.keys(back)).toEqual(['db/CURRENT', 'db/000001.sst']);
  expect([...(back['db/CURRENT'] ?? [])]).toEqual([...bytes('one')]);
});
