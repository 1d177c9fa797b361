import type { View } from './engine.generated';
import { count, counted, ratio } from './words';

/** The work that is due in `view` and has not begun, a sentence each. */
export function pendingOf({ memtables, jobs, levels }: View): string[] {
  const flushing = new Set(jobs.map(({ memtable }) => memtable));
  const waiting = memtables.filter(
    ({ memtable, immutable }) => immutable && !flushing.has(memtable),
  );
  const [only] = waiting;
  const merging = new Set(jobs.flatMap(({ inputs }) => inputs));
  const due = levels.filter(
    ({ score, tables }) => score.due && !tables.some(({ table }) => merging.has(table)),
  );
  return [
    ...(only && waiting.length === 1 ? [`Memtable ${only.memtable} waits for its flush.`] : []),
    ...(waiting.length > 1
      ? [`${counted(waiting.length, 'memtable')} wait for their flushes.`]
      : []),
    ...due.map(
      ({ score }) =>
        `L${count(score.level)} is due for compaction: its score is ${ratio(score.score)}.`,
    ),
  ];
}
