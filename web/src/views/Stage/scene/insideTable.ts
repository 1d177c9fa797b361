import {
  type Node,
  SHOWN_KEY_BYTES_MAX,
  type Stretch,
  type TableInfo,
} from '../../../model/engine.generated';
import { keyId, keyText } from '../../../model/keys';
import { below } from '../../../model/tree';
import { count, counted, size } from '../../../model/words';
import { hueAt } from './axis';
import {
  batchText,
  crumbsOf,
  type Inside,
  type Line,
  type StoredEntry,
  type TablePart,
} from './inside';

/** A table, of whatever program. */
export interface TableIn extends Pick<TableInfo, 'table' | 'bytes'> {
  /** Its name in questions about bytes. */
  file: string;
  /** Its first and its last key in words. */
  keys: string;
  /** `null`: not known. */
  entries: number | null;
  ranges?: TableInfo['ranges'];
  level: number;
  /** The shares of the axis at its ends, where the places of other keys are not known. */
  ends?: readonly [from: number, to: number];
}

/** A part of a file, with the parts that are looked for in it, and the path of these; `null`: they are not known. */
export interface ReadPart extends Stretch {
  inner: { path: string; parts: readonly Node[] } | null;
  /** Of a filter: its bits, if they are drawn. */
  bits: Uint8Array;
}

/** The file of a table as far as it is known: its data blocks, or groups of them, and its other parts. */
export interface ReadTable extends Record<'blocks' | 'others', readonly ReadPart[]> {
  /** Why they are not known. */
  failure?: string;
}

/** A table from inside, or its opened block, from 1: its data blocks, then filter, index and footer. */
export function tableInside(
  info: TableIn,
  { blocks, others, failure }: ReadTable,
  { path, block, near }: Pick<Inside, 'path' | 'near'> & { block: number | null },
): Inside {
  const { level } = info;
  const object = `table:${info.table}`;
  const entries = blocks.flatMap(
    ({ inner }, at) =>
      inner?.parts.flatMap((part) => entryIn(object, at + 1, inner.path, part)) ?? [],
  );
  const isAll = blocks.every(({ inner }) => inner !== null);
  const all = info.entries ?? (isAll ? entries.length : null);
  return {
    ...{ object, path, row: level, block, entries, tree: null },
    hue: huesOf(info, entries),
    near: Math.min(near, Math.max(blocks.length, 1)),
    crumbs: crumbsOf(path, `table ${info.table}`, {
      text: `L${level}`,
      selected: `level:${level}`,
    }),
    figures: failure ? [failure, 'cannot be read'] : figuresOf(info, all, blocks.length),
    columns: blocks.length,
    columnAt: (number) => {
      const { path: way, inner } = blocks[number - 1] ?? {};
      // A block whose entries cannot be named leads to its bytes.
      const step = inner?.parts.length === 0 ? way : `block:${number}`;
      return { id: `${object}/${step}`, names: [`block ${count(number)}`, count(number)] };
    },
    before: countsOf(all, blocks.length, entries),
    parts: others.map(partIn),
  };
}

function partIn({ kind, path, inner, bits, ...part }: ReadPart): TablePart {
  // Engines have many names for other parts, which are of one kind.
  const name = kind === 'meta' ? part.name : kind;
  const parts = inner?.parts ?? [];
  // A footer may have bits of its own.
  const filter = kind === 'filter' ? parts.find((part) => part.kind === 'bits') : undefined;
  return {
    ...{ kind, name, path, lines: parts.flatMap(kind === 'index' ? indexLine : footerLine) },
    filter: filter ? { bits, wordings: filterWordings(filter.value) } : null,
  };
}

/** The colours of its keys by their order in the file: that of their bytes may be another one. */
function huesOf({ ends }: TableIn, entries: readonly StoredEntry[]): Inside['hue'] {
  if (!ends) return undefined;
  const [from, to] = ends;
  const ranks = new Map(entries.map(({ key }, rank) => [keyId(key), rank]));
  const last = Math.max(entries.length - 1, 1);
  return (key) => hueAt(from + ((ranks.get(keyId(key)) ?? 0) / last) * (to - from));
}

/** As many as a shown value may have, each byte as `\xNN`: cells cut its end, not its middle. */
const VALUE_LETTERS = 4 * SHOWN_KEY_BYTES_MAX;

/** An entry in its file. */
export function entryIn(object: string, block: number, path: string, part: Node): StoredEntry[] {
  const { fact } = part;
  if (fact?.fact !== 'key' || fact.sequence === null) return [];
  const { key, sequence, tombstone, kind, value, batch } = fact;
  return [
    {
      ...{ key, sequence, entry: tombstone ? 'delete' : 'put', block },
      ...{
        kind: batch === null ? kind : batchText(batch),
        value: value && keyText(value, VALUE_LETTERS),
      },
      path: `${object}/${below(path, part)}`,
    },
  ];
}

/** `286 of 544 bits are set`, in fewer words; other filters are named by their size. */
function filterWordings(value: string): string[] {
  const [set = 0, all] = (value.match(/[\d,]+/g) ?? []).map((text) =>
    Number(text.replaceAll(',', '')),
  );
  if (all === undefined || !value.includes('bits')) return [value];
  const share = `${Math.round((100 * set) / Math.max(all, 1))} %`;
  const [long, short] = [`${count(set)} of ${count(all)} bits`, `${count(set)}/${count(all)} bits`];
  return [`${long} set`, long, short, `${share} set`];
}

/** The last key that a block may have, and its number. */
function indexLine({ fact, number }: Node): Line[] {
  return fact?.fact === 'key' ? [{ name: keyText(fact.key), tail: ` → ${number}` }] : [];
}

/** Where a part of the file begins, and the sign of its format. */
function footerLine({ name, fact, kind, value }: Node): Line[] {
  const place = name.replace(/^offset of the | index$/g, '');
  if (fact?.fact === 'place') return [{ name: place, tail: `: ${count(Number(value))}` }];
  return kind === 'magic' && value !== '' ? [{ name: value, tail: '' }] : [];
}

function figuresOf(info: TableIn, all: number | null, blocks: number): string[] {
  const { keys, bytes, ranges } = info;
  const deleted = ranges ? [counted(ranges.count, 'range tombstone')] : [];
  const entries = all === null ? [] : [counted(all, 'entry')];
  const figures = [...entries, ...deleted, counted(blocks, 'block'), size(bytes)];
  return [[keys, ...figures], figures, [...entries, size(bytes)], entries].map((words) =>
    words.join(' · '),
  );
}

/** How many of the `all` entries lie before a block, or from the first known one on. */
function countsOf(
  all: number | null,
  blocks: number,
  entries: readonly StoredEntry[],
): Inside['before'] {
  const [first, last] = [entries[0]?.block ?? 1, entries.at(-1)?.block ?? 0];
  const firsts = new Map<number, number>();
  for (const [at, { block }] of entries.entries()) if (!firsts.has(block)) firsts.set(block, at);
  return (block) => {
    if (block > blocks && first === 1) return all;
    if (block === 1 && first === 1) return 0;
    return block === last + 1 ? entries.length : (firsts.get(block) ?? null);
  };
}
