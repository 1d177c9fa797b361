import { useMemo } from 'react';
import { bytesOf, hexQuery, partQuery, ribbonQuery } from '../../model/ask';
import type { MemtableTree, Node, RecentWrites } from '../../model/engine.generated';
import { isIn } from '../../model/files';
import { keyText } from '../../model/keys';
import { openedOf, parseSelection } from '../../model/selection';
import type { Page } from '../../model/shown';
import { count } from '../../model/words';
import { useAnswer } from '../shared/useAnswer';
import type { Contents } from './scene/contents';
import type { Inside, Line, StoredEntry } from './scene/inside';
import { logInside, memtableInside } from './scene/insideMemory';
import { tableInside } from './scene/insideTable';
import { type InsidePart, insidePart } from './scene/opened';
import { contentsQuery } from './useContents';

/** Most entries of an opened table; the blocks after them are strips. */
const ENTRIES_MAX = 2000;
/** Entries of an opened block that are read with their values, and lines of an index. */
const PARTS_MAX = 200;
/** Bytes of a filter whose bits are drawn. */
const FILTER_BYTES_MAX = 512;

/** What the page has opened, as far as it is known; `null`: nothing is, or it is not there at the step on show. */
export function useInside(page: Opening, contents: Contents, recent: Recent): InsidePart | null {
  const table = useTable(page, contents);
  const memory = useMemory(page, recent);
  return useMemo(() => {
    const inside = table ?? memory;
    return inside && insidePart(inside);
  }, [table, memory]);
}

type Opening = Pick<Page, 'view' | 'opened' | 'selection'>;
type Recent = readonly RecentWrites[];

/** The opened memtable or log. The tree of a memtable is known around one way, so there is a question for each step. */
function useMemory({ view, opened }: Opening, recent: Recent): Inside | null {
  const chosen = opened === null ? null : parseSelection(opened);
  const memtable = chosen?.kind === 'memtable' && isIn(view, opened ?? '') ? chosen.number : null;
  const steps = chosen?.path.split('/').filter(Boolean) ?? [];
  const root = useTree(memtable, null, '');
  const second = useTree(memtable, root, steps[0]);
  const third = useTree(memtable, second, steps[1]);
  const fourth = useTree(memtable, third, steps[2]);
  const tree = [root, second, third, fourth][steps.length] ?? null;
  return useMemo(() => {
    if (opened === null) return null;
    return tree ? memtableInside(view, recent, tree, opened) : logInside(view, recent, opened);
  }, [view, recent, tree, opened]);
}

/** The tree of a memtable around the way to a node, which `above` has, or to its first key; `null`: not known. */
function useTree(memtable: number | null, above: MemtableTree | null, step: string | undefined) {
  const node = above?.levels
    .flat()
    .find((known) => `${known.leaf ? 'leaf' : 'inner'}:${known.node}` === step);
  const isAsked = memtable !== null && step !== undefined && (step === '' || node);
  // The next key after its first one: newer versions of that may be in the node before.
  const first = node?.first && [...`${node.first.head}\0`].map((letter) => letter.charCodeAt(0));
  const answer = useAnswer(isAsked ? { ask: 'memtable', memtable, key: first ?? null } : null);
  return answer.state === 'ready' ? answer.result : null;
}

/** The opened table. */
function useTable({ view, opened, selection }: Opening, contents: Contents): Inside | null {
  const chosen = opened === null ? null : parseSelection(opened);
  const number = chosen?.kind === 'table' ? chosen.number : null;
  const found = useMemo(() => findInfo(view, number), [view, number]);
  const block = chosen?.block ?? null;
  const file = found ? `table:${found.info.table}` : null;
  const entries = useEntries(found?.info.table ?? null, contents);
  const ribbon = useAnswer(file === null ? null : ribbonQuery(file));
  const read = useParts(file, block === null ? null : `block:${block}`);
  const filter = useParts(file, 'filter:1')?.parts.find(({ kind }) => kind === 'bits');
  const bits = useAnswer(
    file !== null && filter
      ? hexQuery({ file, inside: null }, filter.offset, Math.min(filter.bytes, FILTER_BYTES_MAX))
      : null,
  );
  const index = useParts(file, 'index:1');
  const footer = useParts(file, 'footer:1');
  const isNear = selection !== null && file !== null && openedOf(selection)?.startsWith(`${file}/`);
  const near = block ?? (isNear ? (parseSelection(selection)?.block ?? 1) : 1);
  const stretches = ribbon.state === 'ready' ? ribbon.result.stretches : null;
  const dots =
    bits.state === 'ready' && filter && filter.bytes <= FILTER_BYTES_MAX ? bits.result : null;
  return useMemo(() => {
    if (!found || opened === null) return null;
    const { info, level } = found;
    if (block !== null && block > info.blocks) return null;
    return tableInside(info, level, {
      ...{ path: opened, block, near, entries },
      read: read && { path: read.path, values: entriesOf(read.parts).map(valueText) },
      parts: {
        stretches,
        filter: filter
          ? { bits: dots ? bytesOf(dots) : NO_BITS, wordings: filterWordings(filter.value) }
          : null,
        index: entriesOf(index?.parts ?? []).flatMap(indexLine),
        footer: (footer?.parts ?? []).flatMap(footerLine),
      },
    });
  }, [found, opened, block, near, entries, stretches, read, filter, dots, index, footer]);
}

const NO_BITS = new Uint8Array();
const NO_ENTRIES: readonly StoredEntry[] = [];

function findInfo(view: Page['view'], table: number | null) {
  for (const [level, { tables }] of view.levels.entries()) {
    const info = tables.find((known) => known.table === table);
    if (info) return { info, level };
  }
  return null;
}

/** The entries of a table, at once where the picture has them, as beads. */
function useEntries(table: number | null, contents: Contents): readonly StoredEntry[] {
  const known = table === null ? undefined : contents.get(table);
  const isStored = known?.every((entry): entry is StoredEntry => 'block' in entry) ?? false;
  const query = table === null || isStored ? null : contentsQuery([table], ENTRIES_MAX);
  const answer = useAnswer(query);
  if (known && isStored) return known as readonly StoredEntry[];
  return answer.state === 'ready' ? (answer.result[0]?.entries ?? NO_ENTRIES) : NO_ENTRIES;
}

/** Some parts of a part of a file, or of what it holds compressed, and their path. */
function useParts(file: string | null, path: string | null) {
  const wanted = file !== null && path !== null;
  const outer = useAnswer(wanted ? partQuery(file, path, 0, PARTS_MAX) : null);
  const shown = outer.state === 'ready' ? outer.result.part.parts : null;
  const inner = `${path}/compressed:1`;
  const isCompressed = shown?.some(({ kind }) => kind === 'compressed') ?? false;
  const decoded = useAnswer(wanted && isCompressed ? partQuery(file, inner, 0, PARTS_MAX) : null);
  const inside = decoded.state === 'ready' ? decoded.result.part.parts : null;
  const parts = isCompressed ? inside : shown;
  return useMemo(
    () => (path !== null && parts ? { path: isCompressed ? inner : path, parts } : null),
    [path, inner, isCompressed, parts],
  );
}

const entriesOf = (parts: readonly Node[]) => parts.filter(({ kind }) => kind === 'entry');

/** The value of an entry: what stands after its sequence number, which stands after its key. */
function valueText({ fact, value }: Node): string {
  if (fact?.fact !== 'key') return '';
  const number = `, sequence number ${fact.sequence}: `;
  const at = value.indexOf(number, Math.min(fact.key.bytes, value.length));
  return at < 0 ? '' : value.slice(at + number.length);
}

/** `286 of 544 bits are set`, in fewer words. */
function filterWordings(value: string): string[] {
  const [set = 0, all = 0] = (value.match(/[\d,]+/g) ?? []).map((text) =>
    Number(text.replaceAll(',', '')),
  );
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
  return kind === 'magic' ? [{ name: value, tail: '' }] : [];
}
