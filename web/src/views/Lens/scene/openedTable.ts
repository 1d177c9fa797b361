import type { TableIn } from '../../Stage/scene/insideTable';
import type { Levels } from './answers';
import { shortKey } from './words';

/** The table that a selection is in, as the picture opens it; `null`: its file is not in the directory. */
export function openedTable({ levels }: Levels, selection: string | null): TableIn | null {
  const [object] = selection?.split('/') ?? [];
  for (const { level, tables } of levels) {
    const found = tables.find(({ number }) => `table:${number}` === object);
    if (!found || found.isMissing) continue;
    const { number: table, bytes, entries, smallest, largest, from, to } = found;
    const keys = `${shortKey(smallest, 16)} … ${shortKey(largest, 16)}`;
    return { table, file: `@${found.file}`, keys, bytes, entries, level, ends: [from, to] };
  }
  return null;
}
