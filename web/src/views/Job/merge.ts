import type { Verdict } from '../../model/engine.generated';
import type { TermName } from '../../model/terms.generated';

const REASONS: Readonly<Record<Verdict, string>> = {
  keptNewest: 'newest version',
  keptForSnapshot: 'a snapshot reads it',
  keptTombstone: 'still hides older data',
  droppedShadowed: 'shadowed',
  droppedTombstone: 'nothing left to hide',
  droppedRangeDeleted: 'a range tombstone hides it',
  keptChanged: 'changed by the filter',
  keptAsTombstone: 'removed by the filter',
  droppedByFilter: 'removed by the filter',
};

/** Whether an entry is written to the output. */
export function isKept(verdict: Verdict): boolean {
  return verdict.startsWith('kept');
}

/** Why, in a few words; the sentence of the event says it in full. */
export function reasonText(verdict: Verdict): string {
  return REASONS[verdict];
}

const TERMS_OF: Readonly<Record<Verdict, TermName>> = {
  keptNewest: 'sequence number',
  keptForSnapshot: 'snapshot',
  keptTombstone: 'tombstone',
  droppedShadowed: 'shadowed',
  droppedTombstone: 'tombstone',
  droppedRangeDeleted: 'range tombstone',
  keptChanged: 'compaction',
  keptAsTombstone: 'tombstone',
  droppedByFilter: 'compaction',
};

/** The term of the glossary that explains a verdict. */
export function termOf(verdict: Verdict): TermName {
  return TERMS_OF[verdict];
}
