import { beforeAll, describe, expect, it } from 'vitest';
import type { Message } from '../../model/engine.generated';
import { judgedAt, type MergeEvent, mergeOf } from '../../model/judged';
import { detailsAt, emptyTimeline, snapshotAt } from '../../model/timeline';
import { append } from '../../model/timelineGrow';
import { ask, loadEngine, openEngine, type WasmEngine } from '../../testing/realEngine';
import { isKept, REASONS } from './merge';

let Make: new (place: string) => WasmEngine;

beforeAll(async () => {
  Make = await loadEngine();
});

type Batch = Extract<Message, { type: 'events' }>;

function open(): WasmEngine {
  const engine = new Make('memory');
  openEngine(engine);
  return engine;
}

describe('the verdicts of a merge', () => {
  it('are on the input that comes first, and say what their sentence says', () => {
    const engine = open();
    const merged: MergeEvent[] = [];
    for (const line of ['fill 60 --words --seed 7', 'fill 60 --words --seed 7', 'run']) {
      ask(engine, line);
      for (let text = engine.events(false); text !== undefined; text = engine.events(false)) {
        const batch: Batch = JSON.parse(text);
        merged.push(...batch.events.flatMap(mergeOf));
      }
    }
    const contested = merged.filter((event) => event.heads.length > 1);
    expect(contested.length).toBeGreaterThan(10);
    for (const event of contested) {
      const winners = event.heads.filter((head) => head.first);
      expect(winners.map(({ key, sequence }) => ({ key, sequence }))).toEqual([
        { key: event.key, sequence: event.sequence },
      ]);
      expect(REASONS[event.verdict].text).not.toBe('');
      expect(event.sentence).toContain(isKept(event.verdict) ? 'is kept' : 'is dropped');
    }
    expect(merged.some((event) => !isKept(event.verdict))).toBe(true);
  });

  it('are counted from the first entry to the last, whatever happens between two of them', () => {
    const engine = open();
    let timeline = emptyTimeline();
    for (const line of ['', 'fill 60 --words --seed 7', 'fill 60 --words --seed 7', 'run']) {
      if (line !== '') ask(engine, line);
      for (let text = engine.events(false); text !== undefined; text = engine.events(false)) {
        timeline = append(timeline, (JSON.parse(text) as Batch).events, null, true);
      }
    }
    const read = new Map<number, number>();
    for (let step = 1; step <= timeline.last; step += 1) {
      const view = snapshotAt(timeline, step)?.snapshot.view;
      const places = [0, ...detailsAt(timeline, step).map(({ detail }) => detail)];
      for (const detail of places) {
        for (const { job, entriesDone, entriesTotal } of view?.jobs ?? []) {
          const done = entriesDone + judgedAt(timeline, { step, detail }, job).judged.since;
          expect(done, `step ${step}, detail ${detail}`).toBeLessThanOrEqual(entriesTotal);
          expect(done, `step ${step}, detail ${detail}`).toBeGreaterThanOrEqual(read.get(job) ?? 0);
          read.set(job, done);
        }
      }
    }
    expect(read.size).toBeGreaterThan(2);
  });
});
