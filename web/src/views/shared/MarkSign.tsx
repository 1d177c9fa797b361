import type { MarkKind } from '../../model/timelineMarks';

/** The name of each landmark. */
export const MARK_NAMES: Readonly<Record<MarkKind, string>> = {
  flush: 'flush installed',
  compaction: 'compaction installed',
  rotate: 'memtable rotated',
  stall: 'write stall',
  failure: 'failure',
  recovery: 'opened, recovery begins',
  creation: 'a new database',
  break: 'breakpoint',
  bookmark: 'bookmark',
};

/** The outline of each landmark, 10 × 10 around a point, relative to it: never colour alone. */
const SHAPES: Readonly<Record<MarkKind, string>> = {
  flush: 'm-4.5-4h9l-4.5 8.5z',
  compaction: 'm0-5l5 5l-5 5l-5-5z',
  rotate: 'm-1.2-4.5h2.4v9h-2.4z',
  stall: 'm0-5l5 9.5h-10z',
  failure: 'm-4.5-2.5l2-2 2.5 2.5 2.5-2.5 2 2-2.5 2.5 2.5 2.5-2 2-2.5-2.5-2.5 2.5-2-2 2.5-2.5z',
  recovery: 'm-4.5-4.5h9v9h-9zm2.5 2.5v4h4v-4z',
  creation: 'm-1.2-4.8h2.4v3.6h3.6v2.4h-3.6v3.6h-2.4v-3.6h-3.6v-2.4h3.6z',
  break: 'm0-4.8a4.8 4.8 0 1 1-.01 0z',
  bookmark: 'm-3.5-5h7v10l-3.5-2.8-3.5 2.8z',
};

interface Props {
  kind: MarkKind;
  /** Where landmarks of this kind stand: all of them are one outline. */
  xs: readonly number[];
  y: number;
}

/** The sign of a landmark, once or at many places. */
export function MarkSign({ kind, xs, y }: Props) {
  const d = xs.map((x) => `M${x.toFixed(1)} ${y}${SHAPES[kind]}`).join('');
  return <path className={`mark mark-${kind}`} d={d} fillRule="evenodd" />;
}
