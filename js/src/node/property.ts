// Figures by the names that LevelDB has for them.

import type { LocalEngine } from '../engine/local';

/** The beginning of a key: a character for each byte. */
interface Key {
  readonly head: string;
}

/** The part of a view that this file reads. */
interface View {
  readonly memtables: readonly { readonly bytes: number }[];
  readonly levels: readonly {
    readonly tables: readonly {
      readonly table: number;
      readonly bytes: number;
      readonly smallest: Key;
      readonly largest: Key;
    }[];
  }[];
}

type Levels = View['levels'];

const sum = (items: readonly { readonly bytes: number }[]) =>
  items.reduce((bytes, item) => bytes + item.bytes, 0);

const shown = ({ head }: Key) => JSON.stringify(Buffer.from(head, 'latin1').toString());

function stats(levels: Levels): string {
  const lines = levels.map(({ tables }, level) => {
    const megabytes = (sum(tables) / 2 ** 20).toFixed(1);
    return `${String(level).padStart(5)} ${String(tables.length).padStart(6)} ${megabytes.padStart(9)}`;
  });
  return ['Level  Files  Size(MB)', ...lines, ''].join('\n');
}

function tables(levels: Levels): string {
  const lines = levels.flatMap((level, index) => [
    `--- level ${index} ---`,
    ...level.tables.map(
      ({ table, bytes, smallest, largest }) =>
        `${table}:${bytes}[${shown(smallest)} .. ${shown(largest)}]`,
    ),
  ]);
  return [...lines, ''].join('\n');
}

/** The figure `name` of an open database; empty for a name that is none. */
export function property(engine: LocalEngine, name: string): string {
  const { levels, memtables }: View = JSON.parse(engine.inspect({ ask: 'view' }) as string);
  const level = /^leveldb\.num-files-at-level(\d+)$/.exec(name)?.[1];
  if (level !== undefined) return levels[Number(level)]?.tables.length.toString() ?? '';
  switch (name) {
    case 'leveldb.stats':
      return stats(levels);
    case 'leveldb.sstables':
      return tables(levels);
    case 'leveldb.approximate-memory-usage':
      return sum(memtables).toString();
    default:
      return '';
  }
}
