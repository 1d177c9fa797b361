import { beforeAll, expect, it } from 'vitest';
import { ask, loadEngine, openEngine } from '../testing/realEngine';
import type { Message } from './engine.generated';
import { isKept, judgedAt, type MergeEvent, mergeOf } from './judged';
import { detailsAt, emptyTimeline, snapshotAt, type Timeline } from './timeline';
import { append } from './timelineGrow';

type Batch = Extract<Message, { type: 'events' }>;

let timeline: Timeline;

/** A history with merges of the real engine. */
beforeAll(async () => {
  const engine = new (await loadEngine())('memory');
  openEngine(engine);
  timeline = emptyTimeline();
  for (const line of ['', 'fill 60 --words --seed 7', 'fill 60 --words --seed 7', 'run']) {
    if (line !== '') ask(engine, line);
    for (let text = engine.events(false); text !== undefined; text = engine.events(false)) {
      timeline = append(timeline, (JSON.parse(text) as Batch).events, null, true);
    }
  }
});

const steps = () => Array.from({ length: timeline.last }, (_, index) => index + 1);

it('a verdict is about the input that comes first, and agrees with its sentence', () => {
  const merged: MergeEvent[] = steps().flatMap((step) =>
    detailsAt(timeline, step).flatMap(mergeOf),
  );
  const contested = merged.filter((event) => event.heads.length > 1);
  expect(contested.length).toBeGreaterThan(10);
  for (const event of contested) {
    const winners = event.heads.filter((head) => head.first);
    expect(winners.map(({ key, sequence }) => ({ key, sequence }))).toEqual([
      { key: event.key, sequence: event.sequence },
    ]);
    expect(event.sentence).toContain(isKept(event) ? 'is kept' : 'is dropped');
  }
  expect(merged.every(isKept)).toBe(false);
});

it('verdicts are counted from the first entry to the last, whatever happens between two of them', () => {
  const read = new Map<number, number>();
  for (const step of steps()) {
    const places = [0, ...detailsAt(timeline, step).map(({ detail }) => detail)];
    for (const detail of places) {
      for (const job of snapshotAt(timeline, step)?.snapshot.view.jobs ?? []) {
        if (job.entriesTotal === 0) continue;
        const { judged, missing } = judgedAt(timeline, { step, detail }, job);
        expect(missing).toBeNull();
        expect(judged.isWhole).toBe(true);
        const { length } = judged.entries;
        const before = read.get(job.job) ?? 0;
        expect(length, `step ${step}, detail ${detail}`).toBeGreaterThanOrEqual(before);
        expect(length, `step ${step}, detail ${detail}`).toBeLessThanOrEqual(before + 1);
        read.set(job.job, length);
      }
    }
  }
  expect(read.size).toBeGreaterThan(2);
});
