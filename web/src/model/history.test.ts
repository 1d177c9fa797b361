import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  ask,
  finish,
  loadEngine,
  openEngine,
  startWindow,
  type WasmEngine,
} from '../testing/realEngine';
import { RUNS } from '../testing/runs';
import type { Message, View } from './engine.generated';
import { reduce } from './reduce';
import { stateHash } from './stateHash';
import { emptyTimeline, eventAt, snapshotAt, type Timeline } from './timeline';
import { append } from './timelineGrow';
import { causes, stepOut, stepOver, walk } from './timelineWalk';

/*
 * The history of real sessions: the page must show any step the same forwards and backwards,
 * and at the end of each command what the engine itself answers.
 */

let Make: new (place: string) => WasmEngine;

beforeAll(async () => {
  Make = await loadEngine();
});

type Batch = Extract<Message, { type: 'events' }>;
type Window = Extract<Message, { type: 'window' }>;

/** The result of a session: its history, and the engine's own view after some of its steps. */
interface Played {
  engine: WasmEngine;
  timeline: Timeline;
  views: Map<number, View>;
}

function play(lines: readonly string[]): Played {
  const engine = new Make('memory');
  openEngine(engine);
  const views = new Map<number, View>();
  let timeline = emptyTimeline();
  const drain = () => {
    const batch: Batch = JSON.parse(engine.events(true) ?? 'null');
    expect(batch.elided, 'too many events for this test').toBe(0);
    timeline = append(timeline, batch.events, null);
    if (batch.view) views.set(timeline.last, batch.view);
  };
  drain();
  for (const line of lines) {
    ask(engine, line);
    drain();
  }
  return { engine, timeline, views };
}

const key = fc.integer({ min: 0, max: 80 }).map((n) => `k${String(n).padStart(3, '0')}`);
const command = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(key, fc.integer({ min: 1, max: 60 }))
      .map(([k, n]) => `put ${k} ${'v'.repeat(n)}`),
  },
  { weight: 1, arbitrary: key.map((k) => `del ${k}`) },
  { weight: 1, arbitrary: key.map((k) => `get ${k}`) },
  { weight: 1, arbitrary: key.map((k) => `batch { put ${k} x, del ${k} }`) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 14 }), fc.nat(999))
      .map(([n, seed]) => `fill ${n} --words --seed ${seed}`),
  },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 9 }).map((n) => `step ${n}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'flush',
      'rotate',
      'sync',
      'compact 0',
      'snapshot',
      'step entry 3',
      'step job',
      'run',
      'options set memtable_bytes 2k',
      'options set memtable_bytes 1k',
    ),
  },
);

describe('the history of real sessions', () => {
  it('is the same forwards, backwards and forwards again, for random scripts', () => {
    let steps = 0;
    const holds = fc.property(fc.array(command, { minLength: 5, maxLength: 40 }), (lines) => {
      const { timeline, views } = play(lines);
      const first = 1;
      const hashes = new Map<number, number>();
      const hashAt = (step: number) => {
        const found = snapshotAt(timeline, step);
        return found && stateHash(found.snapshot.view);
      };
      for (let step = first; step <= timeline.last; step += 1) {
        hashes.set(step, hashAt(step) ?? -1);
        const view = views.get(step);
        if (view) expect(hashes.get(step), `engine's own view at ${step}`).toBe(stateHash(view));
      }
      for (let step = timeline.last; step >= first; step -= 1) {
        expect(hashAt(step), `back at ${step}`).toBe(hashes.get(step));
      }
      for (let step = first; step <= timeline.last; step += 1) {
        expect(hashAt(step), `again at ${step}`).toBe(hashes.get(step));
      }
      steps += timeline.last - first;
    });
    fc.assert(holds, RUNS);
    expect(steps).toBeGreaterThan(50 * RUNS.numRuns);
  });

  it('equals a replay at every step, for random scripts, reopenings included', () => {
    const start = performance.now();
    let [scripts, steps] = [0, 0];
    const holds = fc.property(
      fc.array(command, { minLength: 5, maxLength: 25 }),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 2 }),
      (lines, shares) => {
        const { engine, timeline } = play(lines);
        const replay = (from: number, to: number) => {
          startWindow(engine, from, to);
          expect(finish(engine, 'the window').error ?? null).toBeNull();
          const replayed: Window = JSON.parse(engine.takeWindow() ?? 'null');
          expect(replayed.from).toBeLessThanOrEqual(from);
          expect(replayed.to).toBeGreaterThanOrEqual(to);
          expect(replayed.events[0]?.step).toBe(replayed.from);
          let view = replayed.view;
          for (const event of replayed.events) {
            expect(eventAt(timeline, event.step)).toEqual(event);
            view = reduce(view, event);
            const known = snapshotAt(timeline, event.step)?.snapshot.view;
            expect(stateHash(view), `step ${event.step}`).toBe(known && stateHash(known));
          }
          return replayed;
        };
        expect(replay(1, timeline.last).events).toHaveLength(timeline.last);
        for (const share of shares) {
          const from = 1 + Math.floor(share * (timeline.last - 1));
          const replayed = replay(from, Math.min(from + 20, timeline.last));
          if (replayed.from === 1) continue;
          const before = snapshotAt(timeline, replayed.from - 1)?.snapshot.view;
          expect(before && stateHash(before), `before ${replayed.from}`).toBe(
            stateHash(replayed.view),
          );
        }
        scripts += 1;
        steps += timeline.last;
      },
    );
    fc.assert(holds, RUNS);
    expect(scripts).toBe(RUNS.numRuns);
    const taken = (performance.now() - start) / 1000;
    process.stdout.write(`  ${scripts} scripts, ${steps} steps replayed: ${taken.toFixed(1)} s\n`);
  });

  it('folds little for any step of 10,000', () => {
    const lines = Array.from({ length: 400 }, (_, turn) =>
      turn % 2 === 1 ? 'run' : `fill 8 --words --seed ${turn}`,
    );
    const { timeline } = play(lines);
    expect(timeline.last).toBeGreaterThan(10_000);
    const times: number[] = [];
    let most = 0;
    let step = 1;
    for (let seek = 0; seek < 3000; seek += 1) {
      step = 1 + ((step * 7919 + seek) % timeline.last);
      const start = performance.now();
      const found = snapshotAt(timeline, step);
      times.push(performance.now() - start);
      most = Math.max(most, found?.folds ?? 0);
    }
    times.sort((a, b) => a - b);
    const p95 = times[Math.floor(times.length * 0.95)] ?? 0;
    process.stdout.write(
      `  ${timeline.last} steps: seek p95 ${p95.toFixed(3)} ms, at most ${most} events folded\n`,
    );
    expect(most).toBeLessThanOrEqual(timeline.limits.stretch);
  });

  it('walks by operation and phase, there and back', () => {
    const lines = ['put a 1', 'get a', 'put b 2', 'fill 30 --words --seed 7', 'run'];
    const { timeline } = play(lines);
    for (const grain of ['operation', 'phase'] as const) {
      const stops = (from: number, to: number, direction: 1 | -1) => {
        const seen: number[] = [];
        for (let at = from; at !== to; ) {
          const next = walk(timeline, { step: at, detail: 0 }, grain, direction);
          if (!('place' in next)) throw new Error('nothing is missing here');
          expect(Math.sign(next.place.step - at)).toBe(direction);
          at = next.place.step;
          seen.push(at);
        }
        return seen;
      };
      const there = stops(1, timeline.last, 1);
      const back = stops(timeline.last, 1, -1);
      expect(back.slice(0, -1).reverse()).toEqual(there.slice(0, -1));
      if (grain === 'phase') expect(there).toHaveLength(timeline.last - 1);
      else expect(there.length).toBeLessThan(timeline.last / 2);
    }
  });

  it('steps over an operation and over a whole job, and out of both', () => {
    const { timeline } = play(['put a 1', 'put b 2', 'flush', 'run']);
    const find = (kind: string, from = 1) => {
      for (let step = from; step <= timeline.last; step += 1) {
        const event = eventAt(timeline, step);
        if (event?.kind === kind) return event;
      }
      throw new Error(`no ${kind}`);
    };
    const put = find('op.put');
    const done = find('op.done', put.step);
    expect(stepOver(timeline, put.step - 1)).toEqual({ place: { step: done.step, detail: 0 } });
    expect(stepOut(timeline, put.step + 1)).toEqual({ place: { step: done.step, detail: 0 } });
    const flush = find('flush.begin');
    const flushed = find('flush.done', flush.step);
    expect(stepOver(timeline, flush.step - 1)).toEqual({
      place: { step: flushed.step, detail: 0 },
    });
    const block = find('table.block', flush.step);
    expect(stepOut(timeline, block.step)).toEqual({ place: { step: flushed.step, detail: 0 } });
  });

  it('follows the causes of an event back to the first one', () => {
    const { timeline } = play(['fill 60 --words --seed 7', 'run']);
    for (let step = timeline.last; step >= 1; step -= 1) {
      const event = eventAt(timeline, step);
      if (event?.kind !== 'table.block') continue;
      const { events, missing } = causes(timeline, event);
      expect(missing).toBeNull();
      expect(events.length).toBeGreaterThan(1);
      expect(events[events.length - 1]?.cause).toBeNull();
      expect(events.map((cause) => cause.step)).toEqual(
        events.map((cause) => cause.step).toSorted((a, b) => b - a),
      );
    }
  });
});
