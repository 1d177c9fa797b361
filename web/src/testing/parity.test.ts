import { beforeAll, expect, it } from 'vitest';
import type { Message, View } from '../model/engine.generated';
import { reduce } from '../model/reduce';
import { ask, loadEngine, openEngine, type WasmEngine } from './realEngine';

/*
 * The page's picture against the engine's own: after each command of random scripts, the events folded
 * into the view before must give exactly the view that the engine answers.
 */

let Make: new (place: string) => WasmEngine;

beforeAll(async () => {
  Make = await loadEngine();
});

type Batch = Extract<Message, { type: 'events' }>;

function drain(engine: WasmEngine): Batch {
  const batch = engine.events(true);
  if (batch === undefined) throw new Error('the engine has no events');
  return JSON.parse(batch);
}

/** Small, fast, good enough (mulberry32). */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const TRANSACTION_LINES = [
  'commit',
  'rollback',
  'rollback all',
  'put shared first --in none',
  'begin; put shared mine; put shared theirs --in none; commit',
];

function command(pick: (below: number) => number, snapshots: number): string {
  const key = () => `k${String(pick(300)).padStart(3, '0')}`;
  switch (pick(16)) {
    case 0:
      return `del ${key()}`;
    case 1:
      return `get ${key()}`;
    case 2:
      return 'rotate';
    case 3:
      return 'sync';
    case 4:
      return 'flush';
    case 5:
      return `compact ${pick(3)}`;
    case 6:
      return pick(2) === 0 ? 'snapshot' : `put ${key()} s; snapshot`;
    case 7:
      return snapshots > 0 ? `release ${1 + pick(snapshots)}` : 'scan --limit 3';
    case 8:
      return `batch { put ${key()} x, del ${key()} }`;
    case 9:
    case 10:
      return `step ${1 + pick(6)}`;
    case 11:
      return 'step entry 3';
    case 12:
      return `fill ${1 + pick(14)} --words --seed ${pick(1000)}`;
    case 13:
      return pick(2) === 0 ? 'begin' : `begin --serializable; get ${key()}; scan --limit 2`;
    case 14:
      return TRANSACTION_LINES[pick(TRANSACTION_LINES.length)] ?? '';
    default:
      return `put ${key()} ${'v'.repeat(1 + pick(60))}`;
  }
}

it('folding events gives the view of the engine, for every command', () => {
  const first = Number(process.env.LEVELSCOPE_SEED ?? 1);
  const kinds = new Set<string>();
  for (let seed = first; seed < first + 6; seed += 1) {
    const pick = random(seed);
    const engine = new Make('memory');
    openEngine(engine);
    let view = drain(engine).view as View;
    let snapshots = 0;
    for (let turn = 0; turn < 250; turn += 1) {
      const line = command(pick, snapshots);
      if (line.endsWith('snapshot')) snapshots += 1;
      ask(engine, line);
      const batch = drain(engine);
      expect(batch.elided, 'too many events for this test').toBe(0);
      for (const event of batch.events) kinds.add(event.kind);
      const folded = batch.events.reduce(reduce, view);
      const where = `LEVELSCOPE_SEED=${seed}, turn ${turn}: ${line}`;
      expect(folded, where).toEqual(batch.view);
      view = folded;
    }
  }
  for (const kind of [
    'flush.install',
    'compaction.install',
    'wal.delete',
    'stall.begin',
    'op.conflict',
  ]) {
    expect(kinds, kind).toContain(kind);
  }
});
