/** The files of a database, as the byte inspector lists them. */

import { type Damages, damageText } from './damage';
import {
  FILE_NAMES,
  type FileEntry,
  type LevelView,
  type MemtableView,
  type View,
} from './engine.generated';
import { fileOf, parseSelection, type Selection } from './selection';

/**
 * The memtable that holds the writes of log `wal`, if one does: it names the first of the logs that opening has read into
 * it.
 */
export function memtableOfLog({ memtables }: Pick<View, 'memtables'>, wal: number) {
  const before = memtables.filter((memtable) => memtable.wal > 0 && memtable.wal <= wal);
  const newest = (best: MemtableView | undefined, one: MemtableView) =>
    best && best.wal > one.wal ? best : one;
  return before.reduce<MemtableView | undefined>(newest, undefined);
}

/** A file that the byte inspector can open. */
export type KnownFile = ReturnType<typeof knownFiles>[number];

type FileKind = keyof typeof FILE_NAMES;

const KINDS = Object.keys(FILE_NAMES) as FileKind[];

/** The name of the file of this kind and number. */
export function fileName(kind: FileKind, number: number): string {
  return FILE_NAMES[kind].replace(/0+/, (digits) => String(number).padStart(digits.length, '0'));
}

/** The selection of a file by its name; `null` for a foreign file. */
export function idOfName(name: string): string | null {
  const [digits] = /\d+/.exec(name) ?? [];
  const kind = KINDS.find((known) => fileName(known, Number(digits ?? 0)) === name);
  if (kind === undefined) return null;
  return digits === undefined ? kind : `${kind}:${Number(digits)}`;
}

/** The files in reading order: `CURRENT` and manifest, logs, tables from L0 down. */
export function knownFiles(entries: readonly FileEntry[], view: View, damages: Damages) {
  const known = entries.flatMap(({ name, bytes, role }) => {
    /** `table:12`, `current`. */
    const id = idOfName(name);
    if (id === null) return [];
    const { kind, number = 0 } = parseSelection(id) ?? {};
    const of = kind === 'table' ? levelOf(number, view) : undefined;
    /** Level of a table; `null` for every other file. */
    const level = of?.score.level ?? null;
    /** Where it is damaged, in words; `null`: nowhere that is known. */
    const damage = damageText(damages.get(id));
    return [{ id, name, bytes, role, level, damage }];
  });
  const rank = ({ id, level }: (typeof known)[number]) => {
    const kinds = ['current', 'lock', 'manifest', 'wal', 'table'];
    const kind = kinds.indexOf(id.split(':')[0] ?? '');
    return kind * 100 + (level ?? 99);
  };
  return known.sort((left, right) => rank(left) - rank(right));
}

/** The level that a table is in. */
export const levelOf = (table: number, view: View): LevelView | undefined =>
  view.levels.find(({ tables }) => tables.some((known) => known.table === table));

/** Whether a view has the memtable, log or table that a selection is in. */
export function isIn(view: View, selection: string): boolean {
  const { kind, number = 0 } = parseSelection(selection) ?? {};
  if (kind === 'memtable') return view.memtables.some(({ memtable }) => memtable === number);
  if (kind === 'wal') return view.wals.some(({ wal }) => wal === number);
  return kind === 'table' && levelOf(number, view) !== undefined;
}

/** The file that a selection belongs to; a memtable belongs to its log. */
export function fileOfSelection(selection: Selection | null, view: View): string | null {
  if (!selection || selection.kind === 'level') return null;
  if (selection.kind !== 'memtable') return fileOf(selection);
  const memtable = view.memtables.find((known) => known.memtable === selection.number);
  return memtable ? `wal:${memtable.wal}` : null;
}
