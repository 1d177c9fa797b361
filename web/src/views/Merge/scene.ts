import type { MergeHead, MergeStep, Verdict, WireEvent } from '../../model/engine.generated';
import { keyText } from '../../model/keys';
import { count } from '../../model/words';

/** The verdict of a merge on one entry, and the event that tells it. */
export type MergeEvent = MergeStep & Pick<WireEvent, 'detail' | 'job' | 'sentence'>;

/** The merge data of `event`. */
export function mergeOf({ merge, detail, job, sentence }: WireEvent): MergeEvent[] {
  return merge ? [{ ...merge, detail, job, sentence }] : [];
}

/** One input of a merge, where it stands. */
export interface LaneScene {
  table: number;
  y: number;
  key: string;
  sequence: string;
  tombstone: boolean;
  /** Whether it is the one that is judged. */
  first: boolean;
}

/** One entry that was judged. */
export interface JudgedScene {
  detail: number;
  y: number;
  key: string;
  sequence: string;
  tombstone: boolean;
  kept: boolean;
  reason: string;
  now: boolean;
}

/** Inputs on the left, verdicts on their entries on the right. */
export interface MergeScene {
  width: number;
  height: number;
  lanes: LaneScene[];
  judged: JudgedScene[];
  /** From the winner to its verdict; empty when no input is told. */
  arrow: string;
  /** Where verdicts begin [px]. */
  outX: number;
}

const LANE_H = 44;
const JUDGED_MAX = 7;
const TOP = 26;

const REASONS: Readonly<Record<Verdict, string>> = {
  keptNewest: 'newest version',
  keptForSnapshot: 'a snapshot reads it',
  keptTombstone: 'still hides older data',
  droppedShadowed: 'shadowed',
  droppedTombstone: 'nothing left to hide',
};

/** Whether an entry is written to the output. */
export function isKept(verdict: Verdict): boolean {
  return verdict.startsWith('kept');
}

/** Why, in a few words; the sentence of the event says it in full. */
export function reasonText(verdict: Verdict): string {
  return REASONS[verdict];
}

/** The merge as it stood at the last of `events`, its details so far. */
export function mergeScene(events: readonly MergeEvent[], width: number): MergeScene | null {
  const last = events[events.length - 1];
  if (!last) return null;
  const letters = Math.max(6, Math.floor((width / 2 - 60) / 8));
  const lanes = last.heads.map((head: MergeHead, index) => ({
    table: head.table,
    y: TOP + index * LANE_H,
    key: keyText(head.key, letters),
    sequence: `#${count(head.sequence)}`,
    tombstone: head.entry === 'delete',
    first: head.first,
  }));
  const shown = events.slice(-JUDGED_MAX).toReversed();
  const judged = shown.map((event, index) => ({
    detail: event.detail,
    y: TOP + index * LANE_H,
    key: keyText(event.key, letters),
    sequence: `#${count(event.sequence)}`,
    tombstone: event.entry === 'delete',
    kept: isKept(event.verdict),
    reason: reasonText(event.verdict),
    now: index === 0,
  }));
  const outX = Math.round(width / 2) + 18;
  const winner = lanes.find((lane) => lane.first);
  const from = winner ? winner.y + 18 : 0;
  const to = TOP + 18;
  const left = outX - 34;
  const arrow = winner
    ? `M${left} ${from}C${left + 18} ${from} ${left + 12} ${to} ${outX - 4} ${to}`
    : '';
  const height = TOP + Math.max(lanes.length, judged.length) * LANE_H;
  return { width, height, lanes, judged, arrow, outX };
}
