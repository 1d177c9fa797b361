/**
 * Two configurations that ran the same commands, under one cursor. The cursor stands in a command, at the same share of it
 * on both sides: the side with more steps goes one step at a time, the other one waits for it.
 *
 * ```text
 * cursor    0 ……………… 4 ……… 7
 * command     fill 300   run
 * leveled   2   3   4   6   9        steps of its branch
 * tiered    2   3   3   4   6
 * ```
 */

import { historyFrom } from './branchHistory';
import type { CompareMoment, CompareResult, CompareSide, Grain } from './engine.generated';
import type { PageState } from './page';
import { countBefore } from './search';
import { aroundOf } from './selection';
import {
  eventAt,
  type Missing,
  missingAt,
  snapshotAt,
  type Timeline,
  timelineFrom,
} from './timeline';
import { touched } from './touched';
import type { Goal } from './travel';

/** The last comparison. */
export interface Comparison {
  result: CompareResult;
  /** Where the cursor stands; 0 is the moment before the first command. */
  at: number;
  /** Whether it is on show. */
  shown: boolean;
}

/** One command on the axis of the cursor, after `from` up to `to`. */
export interface Part {
  text: string;
  from: number;
  to: number;
  /** The last step before it, and its last step, on each side. */
  steps: readonly { from: number; to: number }[];
}

/** The axis of the cursor. */
export interface Axis {
  parts: readonly Part[];
  total: number;
  /** Where the tables of each side change. */
  changes: readonly (readonly number[])[];
}

const axes = new WeakMap<CompareResult, Axis>();

export function axisOf(result: CompareResult): Axis {
  const known = axes.get(result);
  if (known) return known;
  let before = result.sides.map(({ opened }) => opened);
  let total = 0;
  const parts = result.commands.map(({ text, ends }): Part => {
    const steps = before.map((from, side) => ({ from, to: ends[side] ?? from }));
    const from = total;
    total += Math.max(1, ...steps.map((range) => range.to - range.from));
    before = steps.map(({ to }) => to);
    return { text, from, to: total, steps };
  });
  const changes = result.sides.map((side, index) => changesOf(side, index, parts));
  const axis = { parts, total, changes };
  axes.set(result, axis);
  return axis;
}

function changesOf({ moments }: CompareSide, side: number, parts: readonly Part[]): number[] {
  const places = new Set<number>();
  for (const [index, moment] of moments.entries()) {
    const before = moments[index - 1];
    if (!before || isSame(before, moment)) continue;
    const place = placeOfStep(parts, side, moment.step);
    if (place !== null) places.add(place);
  }
  return [...places].sort((a, b) => a - b);
}

function isSame(before: CompareMoment, moment: CompareMoment): boolean {
  return before.tables === moment.tables && before.tableBytes === moment.tableBytes;
}

/** The first place of the cursor at which a side has made `step`. */
function placeOfStep(parts: readonly Part[], side: number, step: number): number | null {
  const part = parts.find(({ steps }) => step <= (steps[side]?.to ?? 0));
  const range = part?.steps[side];
  if (!part || !range || range.to === range.from) return null;
  // `stepIn` rounds: half a step before `step` is the first place that can show it.
  const share = (step - 0.5 - range.from) / (range.to - range.from);
  let place = part.from + Math.max(1, Math.floor(share * (part.to - part.from)));
  while (place < part.to && stepIn(part, side, place) < step) place += 1;
  return place;
}

function stepIn(part: Part, side: number, at: number): number {
  const range = part.steps[side];
  if (!range) return 0;
  const share = (at - part.from) / (part.to - part.from);
  return range.from + Math.round(share * (range.to - range.from));
}

/** The command in which the cursor stands; `null` before the first one. */
export function partAt({ result, at }: Comparison): { part: Part; number: number } | null {
  const { parts } = axisOf(result);
  const index = at < 1 ? -1 : parts.findIndex(({ to }) => at <= to);
  const part = parts[index];
  return part ? { part, number: index + 1 } : null;
}

/** The step of each side at the cursor. */
export function stepsAt(comparison: Comparison): number[] {
  const found = partAt(comparison);
  return comparison.result.sides.map((side, index) =>
    found ? stepIn(found.part, index, comparison.at) : side.opened,
  );
}

/** The figures of a side at `step`, or at the last step before it with figures. */
export function momentAt({ moments }: CompareSide, step: number): CompareMoment | null {
  return moments[countBefore(moments, (moment) => moment.step <= step) - 1] ?? null;
}

/** The page with a new comparison on show, at its end. */
export function compared(page: PageState, result: CompareResult | undefined): PageState {
  if (result?.sides.length !== 2) return page;
  const histories = new Map(page.histories);
  for (const { branch, view, steps } of result.sides) {
    histories.set(branch, { ...historyFrom(view), timeline: timelineFrom(view, steps) });
  }
  const comparison = { result, at: axisOf(result).total, shown: true };
  return { ...page, histories, comparison, inspecting: false, experiment: null };
}

/** The comparison on show; `null`: there is none. */
export function comparisonShown(page: PageState): Comparison | null {
  const { comparison, inspecting, experiment } = page;
  return comparison?.shown && !inspecting && experiment === null ? comparison : null;
}

/** The comparison, while both of its branches exist. */
export function comparisonOn(
  { comparison }: Pick<PageState, 'comparison'>,
  branches: PageState['branches'],
): Pick<PageState, 'comparison'> {
  const isThere = ({ branch }: CompareSide) => branches.some(({ id }) => id === branch);
  return { comparison: comparison?.result.sides.every(isThere) ? comparison : null };
}

/** The page with the comparison at another place. */
export function compareAt(page: PageState, at: number): PageState {
  const { comparison } = page;
  if (!comparison) return page;
  const { total } = axisOf(comparison.result);
  const place = Math.min(Math.max(Math.round(at), 0), total);
  return place === comparison.at ? page : { ...page, comparison: { ...comparison, at: place } };
}

/** The page with its comparison on show, at another place unless `at` is `null`. */
export function compare(page: PageState, at: number | null): PageState {
  const comparison = page.comparison && { ...page.comparison, shown: true };
  const shown = { ...page, comparison, inspecting: false, experiment: null };
  return at === null ? shown : compareAt(shown, at);
}

/** The page with the picture on show: no bytes, no experiment, no comparison. */
export function withoutFull(page: PageState): PageState {
  const comparison = page.comparison && { ...page.comparison, shown: false };
  const isFull = page.inspecting || page.experiment !== null || comparisonShown(page) !== null;
  const opened = isFull ? page.opened : aroundOf(page.opened);
  return { ...page, inspecting: false, experiment: null, comparison, opened };
}

/** Moves the cursor of the comparison on show; `null`: none is, or the goal is a step of the branch at work. */
export function compareMove(page: PageState, goal: Goal): PageState | null {
  const comparison = comparisonShown(page);
  if (!comparison) return null;
  const { total } = axisOf(comparison.result);
  switch (goal.to) {
    case 'now':
      return compareAt(page, total);
    case 'step':
      return goal.step <= 1 ? compareAt(page, 0) : null;
    case 'walk':
      return compareAt(page, walked(comparison, goal.grain, goal.count));
    case 'mark':
      return compareAt(page, walked(comparison, 'operation', goal.direction));
    case 'over':
    case 'out':
      return compareAt(page, walked(comparison, 'operation', 1));
  }
}

/** Where `count` steps lead: of one command, of one change of the tables, or of one step of the longer side. */
function walked({ result, at }: Comparison, grain: Grain, count: number): number {
  if (grain === 'detail') return at + count;
  const { parts, changes } = axisOf(result);
  const ends = parts.map(({ to }) => to);
  const stops = grain === 'operation' ? ends : [...ends, ...changes.flat()];
  const all = [...new Set([0, ...stops])].sort((a, b) => a - b);
  const index =
    count > 0 ? all.findLastIndex((stop) => stop <= at) : all.findIndex((stop) => stop >= at);
  return all[Math.min(Math.max(index + count, 0), all.length - 1)] ?? at;
}

/** One side as it is drawn. */
export type SideShown = NonNullable<ReturnType<typeof sideAt>>;

/** A side at `step`; `null` until its events arrive. */
export function sideAt(timeline: Timeline, step: number) {
  const found = snapshotAt(timeline, step);
  if (!found) return null;
  const event = eventAt(timeline, step);
  return { ...found.snapshot, event, fresh: new Set(event ? touched(event) : []) };
}

/** Longest history that is fetched at once [steps]. */
const WHOLE_MAX = 6000;

/** The events that the comparison on show still needs. */
export function missingOf(page: PageState): { branch: number; missing: Missing } | null {
  const comparison = comparisonShown(page);
  const steps = comparison ? stepsAt(comparison) : [];
  for (const [index, step] of steps.entries()) {
    const side = comparison?.result.sides[index];
    const timeline = side && page.histories.get(side.branch)?.timeline;
    if (!timeline || (eventAt(timeline, step) && snapshotAt(timeline, step))) continue;
    const all = { from: 1, to: timeline.last, details: false };
    const missing = timeline.last <= WHOLE_MAX ? all : missingAt(timeline, step);
    if (missing) return { branch: side.branch, missing };
  }
  return null;
}
