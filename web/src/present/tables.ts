// A view as it travels between windows: each table is a row of values, without the names of its fields, because a view
// has hundreds of tables and a message a limit.

import type { LevelView, ShownKey, TableInfo, View } from '../model/engine.generated';

type Packed<Level> = Omit<Level, 'tables'> & { tables: readonly unknown[] };

/** A view with rows in the place of tables. */
export type PackedView = Omit<View, 'levels'> & { levels: readonly Packed<LevelView>[] };

const NUMBERS = [
  'table',
  'run',
  'bytes',
  'entries',
  'tombstones',
  'blocks',
  'sequenceMin',
  'sequenceMax',
] as const satisfies readonly (keyof TableInfo)[];

const packedKey = ({ head, bytes, rest }: ShownKey) =>
  rest === undefined ? [head, bytes] : [head, bytes, rest];

export function packed(view: View): PackedView {
  const levels = view.levels.map((level) => ({ ...level, tables: level.tables.map(row) }));
  return { ...view, levels };
}

function row(table: TableInfo): unknown[] {
  const keys = [packedKey(table.smallest), packedKey(table.largest)];
  return [...NUMBERS.map((name) => table[name]), ...keys];
}

/** The view that `packed` has made into rows; the rows are checked afterwards. */
export function unpacked({ levels, ...view }: PackedView): unknown {
  return {
    ...view,
    levels: levels.map((level) => ({ ...level, tables: level.tables.map(table) })),
  };
}

function table(values: unknown): unknown {
  if (!Array.isArray(values)) return values;
  const named = Object.fromEntries(NUMBERS.map((name, index) => [name, values[index]]));
  const [smallest, largest] = values.slice(NUMBERS.length).map(key);
  return { ...named, smallest, largest };
}

function key(values: unknown): unknown {
  if (!Array.isArray(values)) return values;
  const [head, bytes, rest] = values;
  return rest === undefined ? { head, bytes } : { head, bytes, rest };
}
