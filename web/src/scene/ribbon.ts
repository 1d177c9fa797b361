import type { Node } from '../model/engine.generated';
import type { WritingTable } from '../model/writing';

/** One stretch of a file, to scale. */
export interface Stretch {
  name: string;
  kind: 'data' | 'filter' | 'meta';
  offset: number;
  bytes: number;
  /** Number of the data block, from 1 as in its name. */
  block: number | null;
}

/** Stretches that a ribbon draws one by one; the rest is drawn together. */
const STRETCHES_MAX = 200;

/** The parts of a table file, in the order of the file. */
export function tableStretches(root: Node): Stretch[] {
  let block = 1;
  return root.children.map((node) => {
    const kind = kindOf(node);
    const stretch = { name: node.name, kind, offset: node.offset, bytes: node.bytes };
    return { ...stretch, block: kind === 'data' ? block++ : null };
  });
}

/** The parts of a table that is being written, as far as events told them. */
export function writtenStretches(table: WritingTable): Stretch[] {
  const out: Stretch[] = table.blocks.map((block) => ({
    name: `data block ${block.index + 1}`,
    kind: 'data',
    offset: block.offset,
    bytes: block.storedBytes,
    block: block.index + 1,
  }));
  const end = () => {
    const last = out[out.length - 1];
    return last ? last.offset + last.bytes : 0;
  };
  if (table.filterBytes !== null) {
    out.push({
      name: 'filter',
      kind: 'filter',
      offset: end(),
      bytes: table.filterBytes,
      block: null,
    });
  }
  if (table.indexBytes !== null) {
    out.push({ name: 'index', kind: 'meta', offset: end(), bytes: table.indexBytes, block: null });
  }
  return out;
}

/** At most [`STRETCHES_MAX`] stretches: neighbours of one kind are joined. */
export function joined(stretches: readonly Stretch[]): Stretch[] {
  if (stretches.length <= STRETCHES_MAX) return [...stretches];
  const total = stretches.reduce((sum, stretch) => sum + stretch.bytes, 0);
  const least = total / STRETCHES_MAX;
  const out: Stretch[] = [];
  for (const stretch of stretches) {
    const last = out[out.length - 1];
    if (last && last.kind === stretch.kind && last.bytes < least) {
      last.bytes += stretch.bytes;
      last.name = `${last.name.replace(/ …$/, '')} …`;
    } else {
      out.push({ ...stretch });
    }
  }
  return out;
}

/** What a part of a table file is for. */
export function kindOf(node: Node): Stretch['kind'] {
  const words = `${node.kind} ${node.name}`.toLowerCase();
  if (words.includes('filter') && !words.includes('index')) return 'filter';
  return words.includes('data') ? 'data' : 'meta';
}
