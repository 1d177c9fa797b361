import { useEffect, useMemo, useState } from 'react';
import type { Address } from '../../model/address';
import { bytesOf, hexQuery, partQuery, ribbonQuery } from '../../model/ask';
import type { Node, Stretch } from '../../model/engine.generated';
import { messageOf } from '../../model/failures';
import { parseSelection } from '../../model/selection';
import { below } from '../../model/tree';
import { type Ask, useMoment, useQuestions } from '../shared/contexts';
import { type Inside, windowOf } from './scene/inside';
import { type ReadPart, type ReadTable, type TableIn, tableInside } from './scene/insideTable';

/** Blocks whose entries are read. */
const BLOCKS_MAX = 48;
/** Parts of one answer, and how deep entries may lie: in a content, which may be compressed. */
const PARTS_MAX = 1000;
const DEPTH_MAX = 4;
/** Bytes of a filter whose bits are drawn. */
const FILTER_BYTES_MAX = 512;
/** While the database changes, a table is read again after so long without a change [ms]. */
const PAUSE_MS = 300;

/**
 * The opened table `info`, of whatever program, by the parts that its file reports; `null` until these are known.
 * Where not all blocks have room, those around the opened or the selected one are shown.
 */
export function useTable(
  info: TableIn | null,
  { opened, selection }: Pick<Address, 'opened' | 'selection'>,
): Inside | null {
  const file = info?.file ?? null;
  const block = blockOf(opened);
  const isNear = selection?.startsWith(`${opened}/`) ?? false;
  const near = block ?? (isNear ? blockOf(selection) : null) ?? 1;
  const { ask } = useQuestions();
  const moment = useMoment();
  const [known, setKnown] = useState({ file, read: NOTHING });
  const isKnown = known.file === file && known.read !== NOTHING;
  const { from } = windowOf(isKnown ? known.read.blocks.length : 0, near, BLOCKS_MAX);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `moment` means that another table may have its number
  useEffect(() => {
    if (file === null) return;
    const over = new AbortController();
    const look = async () => {
      const read = await readTable(ask, file, near, over.signal).catch((error: unknown) => {
        return { ...NOTHING, failure: messageOf(error) };
      });
      if (!over.signal.aborted) setKnown({ file, read });
    };
    const timer = setTimeout(look, isKnown ? PAUSE_MS : 0);
    return () => {
      over.abort();
      clearTimeout(timer);
    };
  }, [ask, file, from, moment]);
  return useMemo(() => {
    if (!info || !isKnown || opened === null) return null;
    if (block !== null && block > known.read.blocks.length) return null;
    return tableInside(info, known.read, { path: opened, block, near });
  }, [info, isKnown, known, opened, block, near]);
}

const blockOf = (id: string | null) => (id === null ? null : (parseSelection(id)?.block ?? null));

const NOTHING: ReadTable = { blocks: [], others: [] };

/** The kind of parts that are looked for in a part; `null`: all of its own. */
const WANTED: Readonly<Record<string, string | null>> = {
  ...{ block: 'entry', index: 'entry', filter: 'bits', footer: null },
};

export async function readTable(ask: Ask, file: string, near: number, signal: AbortSignal) {
  const { stretches } = await ask(ribbonQuery(file, PARTS_MAX));
  const isBlock = ({ kind }: Stretch) => kind.startsWith('block');
  const { from, to } = windowOf(stretches.filter(isBlock).length, near, BLOCKS_MAX);
  const [blocks, others]: [ReadPart[], ReadPart[]] = [[], []];
  for (const stretch of stretches) {
    const kind = WANTED[stretch.kind];
    const at = isBlock(stretch) ? blocks.length + 1 : from;
    const isRead = kind !== undefined && at >= from && at <= to && !signal.aborted;
    const inner = isRead ? await partsIn(ask, file, stretch.path, kind) : null;
    const bits = kind === 'bits' ? await bitsIn(ask, file, inner?.parts[0]) : NO_BITS;
    (isBlock(stretch) ? blocks : others).push({ ...stretch, inner, bits });
  }
  return { blocks, others };
}

const NO_BITS = new Uint8Array();

async function bitsIn(ask: Ask, file: string, filter: Node | undefined) {
  if (!filter || filter.bytes > FILTER_BYTES_MAX) return NO_BITS;
  return bytesOf(await ask(hexQuery({ file, inside: null }, filter.offset, filter.bytes)));
}

/**
 * The parts of a kind in the part at `path`: they may lie in a part of it, such as a content or a column. A row of a column
 * is an entry when it has the key of one.
 */
export async function partsIn(
  ask: Ask,
  file: string,
  path: string,
  kind: string | null,
  depth = DEPTH_MAX,
): Promise<{ path: string; parts: Node[] }> {
  const { parts } = (await ask(partQuery(file, path, 0, PARTS_MAX))).part;
  const isEntry = ({ fact }: Node) => fact?.fact === 'key' && fact.ofEntry;
  const found = parts.filter(
    (part) => kind === null || part.kind === kind || (kind === 'entry' && isEntry(part)),
  );
  const others = found.length > 0 || depth === 1 ? [] : parts.filter(({ more }) => more);
  for (const other of others) {
    const inner = await partsIn(ask, file, below(path, other), kind, depth - 1);
    if (inner.parts.length > 0) return inner;
  }
  return { path, parts: found };
}
