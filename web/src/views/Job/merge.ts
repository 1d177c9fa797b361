import type { Verdict } from '../../model/engine.generated';
import type { TermName } from '../../model/terms.generated';

/** Why, in a few words, and the term of the glossary that explains it; the sentence of the event says it in full. */
export const REASONS: Readonly<Record<Verdict, { text: string; term: TermName }>> = {
  keptNewest: { text: 'newest version', term: 'sequence number' },
  keptForSnapshot: { text: 'a snapshot reads it', term: 'snapshot' },
  keptTombstone: { text: 'still hides older data', term: 'tombstone' },
  droppedShadowed: { text: 'shadowed', term: 'shadowed' },
  droppedTombstone: { text: 'nothing left to hide', term: 'tombstone' },
  droppedRangeDeleted: { text: 'a range tombstone hides it', term: 'range tombstone' },
  keptChanged: { text: 'changed by the filter', term: 'compaction' },
  keptAsTombstone: { text: 'removed by the filter', term: 'tombstone' },
  droppedByFilter: { text: 'removed by the filter', term: 'compaction' },
};

/** Whether an entry is written to the output. */
export function isKept(verdict: Verdict): boolean {
  return verdict.startsWith('kept');
}
