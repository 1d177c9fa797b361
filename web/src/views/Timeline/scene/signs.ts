import type { MarkKind } from '../../../model/timelineMarks';

interface Sign {
  words: string;
  /** The outline, 10 × 10 around a point, relative to it: never colour alone. */
  shape: string;
}

const DISC = 'm0-4.8a4.8 4.8 0 1 1-.01 0z';
const PLUS = 'm-1.2-4.8h2.4v3.6h3.6v2.4h-3.6v3.6h-2.4v-3.6h-3.6v-2.4h3.6z';
const BAR = 'm-1.2-4.5h2.4v9h-2.4z';

/** What a step can be marked as, rarer kinds first: landmarks of this engine, and kinds of steps of other ones. */
export const SIGNS = {
  bookmark: { words: 'bookmark', shape: 'm-3.5-5h7v10l-3.5-2.8-3.5 2.8z' },
  break: { words: 'breakpoint', shape: DISC },
  failure: {
    words: 'failure',
    shape: 'm-4.5-2.5l2-2 2.5 2.5 2.5-2.5 2 2-2.5 2.5 2.5 2.5-2 2-2.5-2.5-2.5 2.5-2-2 2.5-2.5z',
  },
  family_dropped: { words: 'family dropped', shape: `${DISC}m0 2a2.8 2.8 0 1 0 .01 0z` },
  family_created: { words: 'family created', shape: DISC },
  creation: { words: 'a new database', shape: PLUS },
  recovery: { words: 'recovery', shape: 'm-4.5-4.5h9v9h-9zm2.5 2.5v4h4v-4z' },
  deletion: { words: 'deletion of tables', shape: `${DISC}m-3 3.8v2h6v-2z` },
  excise: { words: 'excise', shape: 'm-4.5-1.2h9v2.4h-9z' },
  ingestion: { words: 'ingestion', shape: PLUS },
  stall: { words: 'write stall', shape: 'm0-5l5 9.5h-10z' },
  compaction: { words: 'compaction', shape: 'm0-5l5 5l-5 5l-5-5z' },
  move: { words: 'trivial move', shape: 'm-4.5-1.3h4.4v-3.2l5 4.5l-5 4.5v-3.2h-4.4z' },
  flush: { words: 'flush', shape: 'm-4.5-4h9l-4.5 8.5z' },
  rotate: { words: 'memtable rotated', shape: BAR },
  snapshot: { words: 'snapshot', shape: BAR },
} satisfies Record<MarkKind, Sign> & Record<string, Sign>;

export type SignKind = keyof typeof SIGNS;
export const SIGN_KINDS = Object.keys(SIGNS) as SignKind[];

/** Whether a kind of steps has a sign; bookkeeping has none. */
export function hasSign(kind: string): kind is SignKind {
  return kind in SIGNS;
}

/** What a kind of steps is called. */
export function signWords(kind: string): string {
  return hasSign(kind) ? SIGNS[kind].words : kind;
}
