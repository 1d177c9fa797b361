import type { MarkKind } from '../model/timelineMarks';

/** What each landmark is called. */
export const MARK_NAMES: Readonly<Record<MarkKind, string>> = {
  flush: 'flush installed',
  compaction: 'compaction installed',
  rotate: 'memtable rotated',
  stall: 'writes wait',
  failure: 'failure',
  recovery: 'opened, recovery begins',
  break: 'breakpoint',
  bookmark: 'bookmark',
};

/** The outline of each landmark in a square of 10 × 10 around the origin: never colour alone. */
const SHAPES: Readonly<Record<MarkKind, string>> = {
  flush: 'M-4.5-4h9L0 4.5z',
  compaction: 'M0-5L5 0L0 5L-5 0z',
  rotate: 'M-1.2-4.5h2.4v9h-2.4z',
  stall: 'M0-5L5 4.5H-5z',
  failure: 'M-4.5-2.5L-2.5-4.5L0-2L2.5-4.5L4.5-2.5L2 0L4.5 2.5L2.5 4.5L0 2L-2.5 4.5L-4.5 2.5L-2 0z',
  recovery: 'M-4.5-4.5h9v9h-9zM-2-2v4h4v-4z',
  break: 'M0-4.8a4.8 4.8 0 1 1-.01 0z',
  bookmark: 'M-3.5-5h7v10L0 2.2L-3.5 5z',
};

/** The sign of a landmark. */
export function MarkSign({ kind, x, y }: { kind: MarkKind; x: number; y: number }) {
  return (
    <path
      className={`mark mark-${kind}`}
      d={SHAPES[kind]}
      fillRule="evenodd"
      transform={`translate(${x.toFixed(1)} ${y})`}
    />
  );
}
