import type {
  JobView,
  LevelView,
  OutputView,
  TableInfo,
  View,
} from '../../../model/engine.generated';
import { compareKeys, keyText } from '../../../model/keys';
import { TERMS } from '../../../model/terms.generated';
import { count, counted, ratio, size } from '../../../model/words';
import type { Writing } from '../../../model/writing';
import type { KeyAxis } from './axis';
import { beadsIn } from './beads';
import type { Entry } from './contents';
import { LANES_MAX, type Span } from './geometry';
import { type LevelRow, placedLevel } from './levels';
import { type Output, outputShapes } from './outputs';
import { deletionsText, type Room, type Table } from './tables';

/** Inputs of the layout of the tree's levels. */
export interface Ground extends Room {
  axis: KeyAxis;
  /** Numbers of the tables that running jobs merge. */
  inputs: ReadonlySet<number>;
  /** How many of its first entries a merge has read, by table. */
  read?: ReadonlyMap<number, number>;
  /** All entries of tables, where they are known. */
  known: ReadonlyMap<number, readonly Entry[]>;
}

/** The entries of a table have places where they are known. */
export function groundOf(of: Omit<Ground, 'beadsOn'>): Ground {
  const { axis, known, read } = of;
  const beadsOn: Room['beadsOn'] = (table, floor) =>
    beadsIn(`table:${table}`, known.get(table) ?? [], floor, axis, read?.get(table));
  return { ...of, beadsOn };
}

/** Places the tables of one level of the tree. */
export function levelRow(
  view: View,
  writing: Writing,
  level: LevelView,
  ground: Ground & { through: number },
  span: Span,
): LevelRow {
  const { read, through } = ground;
  const { score } = level;
  const number = score.level;
  const outputs = outputsOf(level, writing).map((output) => withInputs(output, view));
  const job = view.jobs.find((known) => known.outputLevel === number && known.what !== 'flush');
  const total = counted(level.tables.length, 'table');
  const scores = isUnread(view) ? [UNREAD, 'unread'] : scoreTexts(level);
  // While nothing is in them, levels share a row.
  const isShared = through > number && level.tables.length === 0 && outputs.length === 0;
  const title = isShared ? `L${number}–L${through}` : `L${number}`;
  const laned = hasLanes(level);
  const isFilled = level.tables.length > 0;
  const shapesOf = (each: readonly Output[]) => (lane: Span) => outputShapes(each, lane, ground);
  return placedLevel(
    {
      ...{ level: number, title, due: score.due },
      hint: number === 0 ? TERMS.L0 : TERMS.level,
      wordings: job && job.entriesTotal > 0 ? jobTexts(job, score.due, scores) : scores,
      filled: isFilled && score.limit > 0 ? score.score : null,
      order: number === 0 ? 'stack' : laned ? 'lanes' : 'one',
      lanes: laneCount(level),
      runs: runsOf(level).map((run) => run.map((info) => tableOf(info, ground))),
      written: (laned || outputs.length === 0 ? byJob(outputs) : [outputs]).map(shapesOf),
      // A merge has no captions that need a line.
      isMerging: (read?.size ?? 0) > 0,
      note: '',
      label: isUnread(view)
        ? `${title}, ${UNREAD}`
        : `${title}, ${isFilled ? total : 'empty'}, ${size(score.bytes)}, ${scores[0]}`,
    },
    ground,
    span,
  );
}

function tableOf(info: TableInfo, { axis, inputs }: Ground): Table {
  const { smallest, largest, ranges, entries, tombstones } = info;
  const isInput = inputs.has(info.table);
  return {
    number: info.table,
    run: info.run,
    from: axis.x(smallest),
    to: axis.x(largest),
    role: isInput ? 'input' : 'table',
    ...{ isNew: false, isDeleted: false },
    shade: null,
    tombstones: tombstones / Math.max(entries, 1),
    deleted: ranges
      ? {
          from: axis.x(ranges.over.begin),
          to: ranges.over.end === null ? Number.POSITIVE_INFINITY : axis.x(ranges.over.end),
        }
      : null,
    words: () => ({
      first: axis.label(smallest),
      last: axis.label(largest),
      figures: figuresOf(info),
    }),
    label: () => tableLabel(info, isInput),
  };
}

function figuresOf({ bytes, tombstones }: TableInfo): string[] {
  const words = counted(tombstones, 'tombstone');
  return [...(tombstones > 0 ? [`${size(bytes)} · ${words}`, words] : []), size(bytes)];
}

function tableLabel(info: TableInfo, input: boolean): string {
  const range = `${keyText(info.smallest)} to ${keyText(info.largest)}`;
  const role = input ? ', input of a running compaction' : '';
  return `table ${info.table}, ${range}, ${size(info.bytes)}, ${counted(info.entries, 'entry')}${deletionsText(info)}${role}`;
}

/** Whether opening has not read yet which tables there are: the picture must not show them as missing. */
export const isUnread = ({ manifest, memtables }: Pick<View, 'manifest' | 'memtables'>) =>
  manifest === 0 && memtables.length === 0;
export const UNREAD = 'not read yet';

/** How full a level is, from the longest wording to the shortest. */
function scoreTexts({ score, tables }: LevelView): string[] {
  const of = (have: number, what: string) => {
    const [has, limit] = [count(have), count(score.limit)];
    return [`${has} of ${counted(score.limit, what)}`, `${has} of ${limit}`, `${has}/${limit}`];
  };
  if (score.level === 0 && score.limit > 0) return of(tables.length, 'table');
  if (tables.length === 0) return ['empty'];
  if (score.unit === 'runs') return of(score.runs, 'run');
  if (score.limit === 0) return [size(score.bytes)];
  return [`score ${ratio(score.score)}`, ratio(score.score)];
}

/** The progress of the compaction into a level; one that is due has its score first. */
function jobTexts(
  { job, entriesDone, entriesTotal }: JobView,
  due: boolean,
  scores: readonly string[],
): string[] {
  const percent = `${Math.round((100 * entriesDone) / entriesTotal)} %`;
  if (due) return [`${scores[0]} · job ${job}: ${percent}`, ...scores];
  return [`job ${job}: ${percent}`, `job ${percent}`];
}

/** The runs of a level, newest first: its tables stand run by run. */
export function runsOf(level: LevelView): TableInfo[][] {
  const runs: TableInfo[][] = [];
  for (const table of level.tables) {
    const last = runs[runs.length - 1];
    if (last?.[0]?.run === table.run) last.push(table);
    else runs.push([table]);
  }
  return runs;
}

/** Whether each run has a lane of its own: they may overlap. */
function hasLanes(level: LevelView): boolean {
  return level.score.level === 0 || level.score.unit === 'runs' || runsOf(level).length > 1;
}

/**
 * Lanes that a level should have: below L0 one for each run and one for the table that comes next; in L0 those of
 * the tables that start a compaction, whatever it holds now.
 */
export function laneCount(level: LevelView): number {
  if (level.score.level === 0) return Math.max(level.score.limit + 1, 3);
  if (!hasLanes(level)) return 1;
  return Math.min(runsOf(level).length + 1, LANES_MAX);
}

function withInputs(output: OutputView, view: View): Output {
  const job = view.jobs.find((known) => known.job === output.job);
  const done = job ? job.entriesDone / Math.max(job.entriesTotal, 1) : 1;
  const numbers = new Set(job?.inputs);
  const tables = view.levels.flatMap((level) => level.tables.filter((t) => numbers.has(t.table)));
  const smallest = tables.map((table) => table.smallest).sort(compareKeys)[0];
  const largest = tables
    .map((table) => table.largest)
    .sort(compareKeys)
    .at(-1);
  return { output, inputs: smallest && largest ? { smallest, largest } : null, done };
}

function outputsOf(level: LevelView, writing: Writing): OutputView[] {
  return [...writing.values()].filter((table) => table.level === level.score.level);
}

/** The tables being written, job by job: one job writes one run. */
function byJob(outputs: readonly Output[]): Output[][] {
  const jobs = new Map<number, Output[]>();
  for (const each of outputs) {
    const { job } = each.output;
    jobs.set(job, [...(jobs.get(job) ?? []), each]);
  }
  return [...jobs.values()];
}

/** Tables of the next level that share keys with `info`. */
export function overlapping(next: LevelView | undefined, info: TableInfo): TableInfo[] {
  return (next?.tables ?? []).filter(
    (table) =>
      compareKeys(table.largest, info.smallest) >= 0 &&
      compareKeys(table.smallest, info.largest) <= 0,
  );
}
