// The host of files of the origin, which the npm package has in common with the page.

import { beforeEach, expect, it } from 'vitest';
import { OriginDirectory } from '../../../js/src/origin/directory';
import { OriginFiles } from '../../../js/src/origin/files';
import { FakeDisk } from '../testing/hostPage';

let disk: FakeDisk;
let directory: OriginDirectory;
let files: OriginFiles;
/** The engine's handles, by name. */
let registered: Map<string, FileSystemSyncAccessHandle>;
let removed: string[];

beforeEach(() => {
  disk = new FakeDisk();
  directory = new OriginDirectory(disk as unknown as FileSystemDirectoryHandle, [1, 1, 1]);
  registered = new Map();
  removed = [];
  const registry = {
    isWanted: (name: string) => !registered.has(name),
    register: (name: string, handle: FileSystemSyncAccessHandle) => {
      registered.set(name, handle);
    },
    takeRemoved: () => removed.splice(0),
    closeCold: () => [],
    closeAll: () => {
      for (const handle of registered.values()) handle.close();
      return [...registered.keys()].filter((name) => name === 'spare');
    },
  };
  const refusal = (name: string, thrown?: unknown) =>
    new Error(thrown === undefined ? `${name} still missing` : `${name} refused: ${thrown}`);
  files = new OriginFiles(registry, directory, refusal);
});

it('waits for a file that another tab has, and for its removal', async () => {
  const other = disk.open('a');
  const opening = directory.open('a');
  other.close();
  (await opening).close();
  const again = disk.open('a');
  const removing = directory.remove('a');
  again.close();
  await removing;
  expect(await directory.names()).toEqual([]);
  await directory.remove('a');
});

it('gives up with the words of the browser', async () => {
  disk.open('a');
  await expect(directory.open('a')).rejects.toThrow(DOMException);
  await expect(files.ahead('a')).rejects.toThrow(DOMException);
  await expect(files.need('a')).rejects.toThrow('a refused: NoModificationAllowedError');
  // One that stays is swept later.
  await files.remove(['a']);
});

it('opens a file once for all who ask, and after its removal', async () => {
  disk.files.set('a', new Uint8Array(9));
  void files.remove(['a']);
  await Promise.all([files.ahead('a'), files.ahead('a'), files.need('a', ['a', 'b'])]);
  expect([...registered.keys()]).toEqual(['b', 'a']);
  expect(disk.files.get('a')).toHaveLength(0);
});

it('refuses a file that is asked for again and again though it was opened', async () => {
  await files.need('a');
  for (let time = 0; time < 8; time += 1) await files.need('a');
  await expect(files.need('a')).rejects.toThrow('a still missing');
  await files.need('b');
  await files.need('a');
});

it('closes a file that is being opened, and removes one that was opened for nothing', async () => {
  await files.need('deleted');
  registered.get('deleted')?.close();
  removed = ['deleted'];
  const opening = files.ahead('spare');
  await Promise.resolve();
  await files.close();
  await opening;
  expect(registered.has('spare')).toBe(true);
  await files.ahead('late');
  expect([...disk.files.keys()]).toEqual([]);
  expect(disk.open_.size).toBe(0);
});

it('closes every handle at once when the engine cannot be asked any more', async () => {
  await files.need('a', ['b']);
  files.abandon();
  expect(disk.open_.size).toBe(0);
  expect([...disk.files.keys()]).toEqual(['a', 'b']);
});
