import { countBefore } from '../../../model/search';
import { hasSign } from '../../Timeline/scene/signs';
import { type Strip, slotOf } from '../../Timeline/scene/strip';
import type { Levels, StepLine } from './answers';

/** The known history, and the step on show. */
export interface InHistory {
  steps: readonly StepLine[];
  family: number;
  step: number;
  last: number;
}

/** Whether a step changes anything of `family` that the picture shows. */
export function changes(step: StepLine, family: number): boolean {
  if (step.kind === 'bookkeeping') return false;
  return step.families.length === 0 || step.families.includes(family);
}

/** The least height of a bar. */
const BAR_MIN = 0.15;

/** The history of a family as a line: bars as high as the bytes that were written. */
export function stripOf({ steps, family, last }: Omit<InHistory, 'step'>): Strip {
  const ends = { first: 0, last };
  const shown = steps.filter((step) => changes(step, family));
  const heights = (slots: number) => {
    const written = new Float64Array(slots);
    for (const { step, added } of shown) {
      const slot = slotOf(step, ends, slots);
      written[slot] = added.reduce((sum, [, , bytes]) => sum + bytes, written[slot] ?? 0);
    }
    const most = Math.max(1, ...written);
    return Array.from(written, (bytes) => Math.max(Math.sqrt(bytes / most), BAR_MIN));
  };
  return {
    ...ends,
    marks: shown.flatMap(({ step, kind }) => (hasSign(kind) ? [{ step, kind }] : [])),
    heights,
    gaps: steps.length > last ? [] : [{ from: steps.length, to: last }],
  };
}

/** The next step that changes `family`, from `step` on in a direction; `null` when there is none. */
export function nextChange(
  steps: readonly StepLine[],
  family: number,
  step: number,
  direction: 1 | -1,
): number | null {
  for (let at = step + direction; at >= 0 && at < steps.length; at += direction) {
    const line = steps[at];
    if (line && changes(line, family)) return at;
  }
  return null;
}

/** The step of a version edit; `null` when the history has no such edit. */
export function stepOfEdit(steps: readonly StepLine[], edit: number): number | null {
  const line = steps[countBefore(steps, ({ firstEdit }) => firstEdit <= edit) - 1];
  return line && edit < line.firstEdit + line.edits ? line.step : null;
}

/** The last step that was made at a moment or before it; steps without a time are passed over. */
export function stepAtTime(steps: readonly StepLine[], micros: number): number | null {
  let found: number | null = null;
  for (const { step, micros: at } of steps) {
    if (at === null) continue;
    if (at > micros) break;
    found = step;
  }
  return found;
}

/** First and last known time of the history [µs since 1970]. */
export function timesOf(steps: readonly StepLine[]): { first: number; last: number } | null {
  const first = steps.find(({ micros }) => micros !== null)?.micros;
  const last = steps.findLast(({ micros }) => micros !== null)?.micros;
  return first == null || last == null ? null : { first, last };
}

/** A family's extent over its history: the picture keeps a place for all of it. */
export interface Extent {
  /** Levels that held a table at some step, in order. */
  levels: number[];
  /** Most tables that level 0 held. */
  most: number;
}

/** The extent of a family, from the known steps and the levels on show. */
export function extentOf(
  steps: readonly StepLine[],
  { family, levels: shown, style }: Pick<Levels, 'family' | 'levels' | 'style'>,
): Extent {
  const filled = shown.filter(({ tables }) => tables.length > 0);
  const levels = new Set([0, ...filled.map(({ level }) => level)]);
  let [count, most] = [0, shown[0]?.tables.length ?? 0];
  for (const step of steps) {
    // Steps of several families are rare; an unused lane is better than a missing one.
    if (!changes(step, family)) continue;
    for (const [level] of step.added) {
      levels.add(level);
      if (level === 0) count += 1;
    }
    count = Math.max(count - step.removed.filter(([level]) => level === 0).length, 0);
    most = Math.max(most, count);
  }
  // In FIFO compaction the files of level 0 seldom overlap: they share lanes.
  return { levels: [...levels].sort((a, b) => a - b), most: style === 'FIFO' ? 0 : most };
}
