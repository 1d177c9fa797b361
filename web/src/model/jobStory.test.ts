import { beforeAll, describe, expect, it } from 'vitest';
import { loadEngine, openEngine, start, type WasmEngine } from '../testing/realEngine';
import { historyFrom, withEvents } from './branchHistory';
import type { Message, WireEvent } from './engine.generated';
import { fold, jobStory, jobTitle, stagesText, stageText } from './jobStory';
import { jobOnShow } from './needs';
import { EMPTY_VIEW } from './reduce';
import { eventAt, snapshotAt } from './timeline';
import { eraAt } from './timelineMarks';

let Make: new (place: string) => WasmEngine;

beforeAll(async () => {
  Make = await loadEngine();
});

type Batch = Extract<Message, { type: 'events' }>;

/** All events of a script. */
function eventsOf(lines: readonly string[]): WireEvent[] {
  const engine = new Make('memory');
  openEngine(engine);
  const events: WireEvent[] = [];
  for (const line of lines) {
    start(engine, line);
    for (let call = 0; call < 1000; call += 1) {
      const { state } = JSON.parse(engine.advance(100));
      if (state !== 'more') break;
    }
    for (let text = engine.events(false); text !== undefined; text = engine.events(false)) {
      const batch: Batch = JSON.parse(text);
      events.push(...batch.events);
    }
  }
  return events;
}

/** The events from the beginning of each job on. */
function jobsOf(events: readonly WireEvent[]): WireEvent[][] {
  return events.flatMap((event, index) =>
    event.kind === 'flush.begin' || event.kind === 'compaction.pick' ? [events.slice(index)] : [],
  );
}

describe('the story of a job', () => {
  it('goes through its stages in their order, one event at a time', () => {
    const jobs = jobsOf(eventsOf(['fill 240 --words --seed 7', 'run']));
    expect(jobs.length).toBeGreaterThan(5);
    for (const events of jobs) {
      const job = events[0]?.job ?? 0;
      let before = -1;
      for (let count = 1; count <= events.length; count += 1) {
        const story = fold(events.slice(0, count), job);
        if (!story) throw new Error('no story');
        const done = story.stages.filter((stage) => stage.times > 0).length;
        expect(done).toBeGreaterThanOrEqual(before);
        before = done;
        if (story.over) break;
      }
      expect(fold(events, job)).toMatchObject({ job, over: true, failure: '' });
    }
  });

  it('of a whole flush has the stages that the engine reported', () => {
    const flush = jobsOf(eventsOf(['fill 40 --words --seed 7', 'run']))[0] ?? [];
    const story = fold(flush, flush[0]?.job ?? 0);
    if (!story) throw new Error('no story');
    expect(story.what).toBe('flush');
    expect(story.stages.every((stage) => stage.times > 0)).toBe(true);
    const blocks = flush.filter(
      (event) => event.kind === 'table.block' && event.job === story.job,
    ).length;
    expect(story.stages.find((stage) => stage.name === 'data blocks')?.times).toBe(blocks);
    const installed = flush.find((event) => event.kind === 'flush.install');
    expect(story.stages.find((stage) => stage.name === 'installed')).toMatchObject({
      sentence: installed?.sentence,
      step: installed?.step,
      times: 1,
    });
    expect(jobTitle(story)).toBe(`Flush job ${story.job}: done`);
    expect(stagesText(story)).toBe('');
  });

  it('is shown while the job is at work and at its last step, and none of a deleted database', () => {
    const events = eventsOf(['fill 40 --words --seed 7', 'run', 'reset --yes', 'put a 1']);
    const landmarks = events.flatMap(({ step, landmark: kind }) =>
      kind === null ? [] : [{ step, kind }],
    );
    const { timeline, marks } = withEvents(
      historyFrom(EMPTY_VIEW),
      { events, detailed: true, landmarks, samples: [] },
      null,
    );
    const { last } = timeline;
    const shown = (step: number) => {
      const snapshot = snapshotAt(timeline, step)?.snapshot ?? timeline.now;
      const job = jobOnShow({ event: eventAt(timeline, step), view: snapshot.view });
      return job === null ? null : jobStory(timeline, step, job).story;
    };
    const [begun] = events.filter(({ kind }) => kind === 'flush.begin').map(({ step }) => step);
    const opened = events.filter(({ begins }) => begins === 'recovery').map(({ step }) => step);
    expect(opened).toHaveLength(2);
    expect(eraAt(marks, last, last)).toEqual({ from: opened[1], to: last });
    expect(eraAt(marks, begun ?? 0, last)).toEqual({ from: opened[0], to: (opened[1] ?? 0) - 1 });
    expect(shown(begun ?? 0)?.what).toBe('flush');
    const done = events.find(({ kind }) => kind === 'flush.done');
    expect(shown(done?.step ?? 0)?.over).toBe(true);
    expect(shown((opened[1] ?? 0) - 1)).toBeNull();
    expect(shown(opened[1] ?? 0)).toBeNull();
    expect(shown(last)).toBeNull();
  });

  it('ends with the process, and names the stages never reached', () => {
    const [events = []] = jobsOf(
      eventsOf(['fill 40 --words --seed 7', 'crash after manifest.append', 'step phase 60']),
    );
    const story = fold(events, events[0]?.job ?? 0);
    if (!story) throw new Error('no story');
    expect(jobTitle(story)).toBe(`Flush job ${story.job}: cut off`);
    const texts = new Map(story.stages.map((stage) => [stage.name, stageText(stage, story)]));
    expect(texts.get('manifest edit')).toBe('✓');
    expect(texts.get('installed')).toBe('never');
    // Logs that recovery deletes are none of this job.
    expect(texts.get('log deleted')).toBe('never');
  });

  it('marks the stages that a trivial move does not need', () => {
    const jobs = jobsOf(eventsOf(['fill 300 --seed 7', 'run']));
    const stories = jobs.map((events) => fold(events, events[0]?.job ?? 0));
    const move = stories.find((story) => story?.stages.at(-1)?.sentence.includes('rewritten'));
    if (!move) throw new Error('no table was moved');
    const texts = new Map(move.stages.map((stage) => [stage.name, stageText(stage, move)]));
    expect(texts.get('entries merged')).toBe('not needed');
    expect(texts.get('installed')).toBe('✓');
    // Nor while it is at work.
    const events = jobs.find((job) => job[0]?.job === move.job) ?? [];
    const begin = events.findIndex((event) => event.kind === 'compaction.begin');
    const early = fold(events.slice(0, begin + 1), move.job);
    if (!early) throw new Error('no story');
    const created = early.stages.find((stage) => stage.name === 'tables created');
    expect(created && stageText(created, early)).toBe('not needed');
    const installed = early.stages.find((stage) => stage.name === 'installed');
    expect(installed && stageText(installed, early)).toBe('not yet');
  });
});
