import type { EventName, JobView, WireEvent } from './engine.generated';
import { eventAt, type Missing, missingAt, type Timeline } from './timeline';
import { count, counted } from './words';

/** A background job as its events show it, up to one step. */
export type JobStory = ReturnType<typeof begun>;
type JobStage = JobStory['stages'][number];

const FLUSH: readonly (readonly [string, EventName])[] = [
  ['started', 'flush.begin'],
  ['table created', 'table.create'],
  ['data blocks', 'table.block'],
  ['filter', 'table.filter'],
  ['index', 'table.index'],
  ['footer', 'table.footer'],
  ['table synced', 'table.sync'],
  ['manifest edit', 'manifest.append'],
  ['manifest synced', 'manifest.sync'],
  ['installed', 'flush.install'],
  ['log deleted', 'wal.delete'],
  ['done', 'flush.done'],
];

const COMPACTION: readonly (readonly [string, EventName])[] = [
  ['picked', 'compaction.pick'],
  ['started', 'compaction.begin'],
  ['tables created', 'table.create'],
  ['entries merged', 'compaction.progress'],
  ['data blocks', 'table.block'],
  ['filters', 'table.filter'],
  ['indexes', 'table.index'],
  ['footers', 'table.footer'],
  ['tables synced', 'table.sync'],
  ['manifest edit', 'manifest.append'],
  ['manifest synced', 'manifest.sync'],
  ['installed', 'compaction.install'],
  ['inputs deleted', 'table.delete'],
  ['done', 'compaction.done'],
];

/** Most steps searched for the beginning of a job. */
const LOOK_MAX = 4000;

/** The story of `job` up to `step`, and the events still to be fetched for it. */
export function jobStory(
  timeline: Timeline,
  step: number,
  job: number,
): { story: JobStory | null; missing: Missing | null } {
  const events: WireEvent[] = [];
  for (let at = step; at > Math.max(step - LOOK_MAX, 0); at -= 1) {
    const event = eventAt(timeline, at);
    if (!event) return { story: null, missing: missingAt(timeline, at) };
    events.push(event);
    if (begunBy(event)?.job === job) return { story: fold(events.reverse(), job), missing: null };
  }
  return { story: null, missing: null };
}

type Plan = typeof FLUSH;

/** The story of a job before its first event. */
function begun({ job, what, reason }: JobView, plan: Plan, step: number) {
  const stages = plan.map(([name]) => ({
    name,
    /** The engine's last sentence about it; empty before the first one. */
    sentence: '',
    /** How often it has happened. */
    times: 0,
    /** The step at which it happened last. */
    step: null as number | null,
  }));
  return {
    job,
    what,
    /** The reason for the job. */
    reason,
    /** Whether it moves tables as they are: no entry is merged and no table written. */
    moves: false,
    /** The step that picked or began it. */
    begun: step,
    stages,
    /** The stage that happened last. */
    now: 0,
    /** Why it failed; empty otherwise. */
    failure: '',
    over: false,
    /** Whether the end of the process cut it off. */
    cutOff: false,
  };
}

/** The story of `events`, which begin with the first one of `job`. */
export function fold(events: readonly WireEvent[], job: number): JobStory | null {
  const [first] = events;
  const begins = first && begunBy(first);
  if (!first || !begins) return null;
  const plan = begins.what === 'flush' ? FLUSH : COMPACTION;
  const kinds: string[] = plan.map(([, kind]) => kind);
  const story = { ...begun(begins, plan, first.step), job };
  for (const event of events) {
    if (story.over) break;
    add(story, event, kinds.indexOf(event.kind));
  }
  return story;
}

/** The job that begins with `event`. */
export function begunBy({ patches }: WireEvent): JobView | null {
  for (const patch of patches) {
    if (patch.of === 'job' && 'add' in patch.edit) return patch.edit.add;
  }
  return null;
}

/** Adds `event`; `place` is that of its stage. */
function add(story: JobStory, event: WireEvent, place: number): void {
  const { kind, sentence, step } = event;
  if (event.begins === 'recovery') {
    story.cutOff = true;
    story.over = true;
  }
  // The last holder of a file deletes it, so a deletion names no job.
  if (event.job !== story.job && !(event.job === null && kind.endsWith('.delete'))) return;
  if (event.ends === 'job') {
    story.failure = sentence;
    story.over = true;
  }
  story.moves ||= kind === 'compaction.begin' && hasNothingToRead(event);
  const stage = story.stages[place];
  if (!stage) return;
  story.stages[place] = { ...stage, times: stage.times + 1, sentence, step };
  story.now = place;
  story.over = event.ends !== null;
}

/** Whether the job that begins with `event` has no entries to read: a trivial move. */
function hasNothingToRead({ patches }: WireEvent): boolean {
  return patches.some(
    (patch) =>
      patch.of === 'job' && 'change' in patch.edit && patch.edit.change[1].entriesTotal === 0,
  );
}

/** Stages that write tables: a trivial move has none of them. */
const OF_TABLES: ReadonlySet<string> = new Set(COMPACTION.slice(2, 9).map(([name]) => name));

/** The state of a stage, in a word. A stage that an ended job has not done was not needed, or never began. */
export function stageText(stage: JobStage, story: JobStory): string {
  const { over, failure, cutOff, moves } = story;
  if (stage.times === 0 && moves && OF_TABLES.has(stage.name)) return 'not needed';
  if (stage.times === 0 && over) return failure !== '' || cutOff ? 'never' : 'not needed';
  if (stage.times === 0) return 'not yet';
  return stage.times === 1 ? '✓' : `✓ ${count(stage.times)} times`;
}

/** The job in a few words. */
export function jobTitle({ job, what, over, failure, cutOff }: JobStory): string {
  const state = failure !== '' ? 'failed' : cutOff ? 'cut off' : over ? 'done' : 'at work';
  const name = what === 'flush' ? 'Flush' : 'Compaction';
  return `${name} job ${job}: ${state}`;
}

/** Stages that have happened, of all; of a job that is over, those that were not needed. */
export function stagesText({ stages, over, failure, cutOff }: JobStory): string {
  const done = stages.filter((stage) => stage.times > 0).length;
  const left = stages.length - done;
  if (!over || failure !== '' || cutOff) return `${done} of ${counted(stages.length, 'stage')}`;
  return left === 0 ? '' : `${counted(left, 'stage')} not needed`;
}
