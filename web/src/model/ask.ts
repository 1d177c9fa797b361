/** What the inspector asks the engine for, by what is selected. */

import type { View } from './engine.generated';
import type { Selection } from './selection';

/** Files larger than this are laid out only when somebody asks [bytes]. */
export const LAYOUT_BYTES_MAX = 4 * 1024 * 1024;

/** A question, and a key that changes exactly when its answer may. */
export interface Question {
  command: string;
  key: string;
  bytes: number;
}

/** The question for the parts of the file behind `selection`; `null` when there is none. */
export function layoutQuestion(selection: Selection | null, view: View): Question | null {
  if (!selection) return null;
  const { kind, number } = selection;
  if (kind === 'table') {
    const info = view.levels.flatMap((level) => level.tables).find((t) => t.table === number);
    // An installed table never changes: its number is key enough.
    return info ? question(`table:${number}`, '', info.bytes) : null;
  }
  const wal = walOf(selection, view);
  if (wal) return question(`wal:${wal.wal}`, `${wal.bytes}`, wal.bytes);
  if (kind === 'manifest') {
    return question(`manifest:${number}`, `${view.manifestBytes}`, view.manifestBytes);
  }
  return null;
}

/** A memtable's log holds the same writes. */
function walOf({ kind, number }: Selection, view: View) {
  if (kind === 'memtable') {
    const memtable = view.memtables.find((known) => known.memtable === number);
    return view.wals.find((wal) => wal.wal === memtable?.wal) ?? null;
  }
  return kind === 'wal' ? (view.wals.find((wal) => wal.wal === number) ?? null) : null;
}

function question(file: string, state: string, bytes: number): Question {
  return { command: `layout ${file} -v`, key: `${file} ${state}`, bytes };
}
