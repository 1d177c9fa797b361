import { beforeAll, describe, expect, it } from 'vitest';
import type { PartResult, WalResult } from '../../model/engine.generated';
import { resultOf } from '../../testing/answers';
import { loadEngine, openEngine, start, type WasmEngine } from '../../testing/realEngine';
import { logParts } from './scene';

let Make: new (place: string) => WasmEngine;

beforeAll(async () => {
  Make = await loadEngine();
});

/** The result of one line. */
function ask(engine: WasmEngine, line: string): unknown {
  start(engine, line);
  for (let call = 0; call < 1000; call += 1) {
    const progress = JSON.parse(engine.advance(100));
    if (progress.state === 'done') return resultOf(progress.answers);
  }
  throw new Error(`${line} does not end`);
}

describe('the records of a log', () => {
  it('has every record that wal counts, without gaps, and parts what is durable', () => {
    const engine = new Make('memory');
    const settings = { wal_sync: 'none' };
    openEngine(engine, settings);
    for (const line of ['put a 1', 'put b 2', 'sync', 'put c 3', 'del a', 'put d 4']) {
      ask(engine, line);
      const wal = (ask(engine, 'wal') as WalResult).wals.at(-1);
      if (!wal) throw new Error('no log');
      const part = (ask(engine, `layout wal:${wal.wal} --node "" --limit 200`) as PartResult).part;
      const parts = logParts(part.parts, wal);
      const batches = parts.filter((shown) => shown.what.startsWith('batch'));
      expect(batches).toHaveLength(wal.writtenRecords);
      // Marks between them have no number.
      expect(batches.map((shown) => shown.name)).toEqual(
        batches.map((_, at) => `record ${at + 1}`),
      );
      expect(batches.filter((shown) => shown.safety === 'synced')).toHaveLength(wal.syncedRecords);
      let offset = 0;
      for (const shown of parts) {
        expect(shown.offset).toBe(offset);
        offset += shown.bytes;
      }
      expect(offset).toBe(Math.max(wal.bytes, wal.writtenBytes));
      expect(parts.at(-1)?.safety === 'synced').toBe(wal.syncedBytes >= wal.bytes);
    }
  });
});
