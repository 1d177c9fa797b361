// The file of the history when the browser returns counts that cannot be true.

import { expect, it } from 'vitest';
import { FakeDisk } from '../testing/hostPage';
import { KeptHistory } from './keptHistory';
import type { WasmEngine } from './wasm';

const kept = () => ({ anew: true, bytes: new Uint8Array(10).fill(7), free: () => undefined });
const engine = {
  keepHistory: () => ({ steps: 3, branches: 1, why: undefined, free: () => undefined }),
  takeKept: kept,
  keepsHistory: () => true,
} as unknown as WasmEngine;

/** A disk whose handles lie. */
function lying(lies: Partial<Record<'read' | 'write' | 'getSize' | 'truncate', unknown>>) {
  const disk = new FakeDisk();
  disk.files.set('history', new Uint8Array(20));
  const handle = disk.open('history');
  for (const [name, answer] of Object.entries(lies)) {
    Object.assign(handle, { [name]: () => answer });
  }
  return new KeptHistory({
    history: async () => handle as unknown as FileSystemSyncAccessHandle,
  });
}

const nonsense = [4_294_967_288, -8, 0.5, 0, 9, 11, Number.NaN, undefined];

it('is kept while the browser writes all of it', async () => {
  const history = lying({});
  expect(await history.begin(engine, 'test')).toMatchObject({ steps: 3 });
  expect(history.keep(engine)).toBe(true);
});

it.each(nonsense)('is not kept after a write that reports %s of 10 bytes', async (count) => {
  const history = lying({ write: count });
  await history.begin(engine, 'test');
  expect(history.keep(engine)).toBe(false);
  expect(history.keep(engine)).toBe(false);
});

it.each([...nonsense, 19])(
  'is not used after a read that reports %s of 20 bytes',
  async (count) => {
    expect(await lying({ read: count }).begin(engine, 'test')).toMatchObject({ steps: 0 });
  },
);

it.each([4_294_967_288, -8, 0.5, Number.NaN])('is not used if it has %s bytes', async (size) => {
  expect(await lying({ getSize: size }).begin(engine, 'test')).toMatchObject({ steps: 0 });
});

it('is not kept in a file that stays long after its truncation', async () => {
  const history = lying({ truncate: undefined });
  await history.begin(engine, 'test');
  expect(history.keep(engine)).toBe(false);
});
