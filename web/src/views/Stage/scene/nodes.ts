import { keyText } from '../../../model/keys';
import { counted } from '../../../model/words';
import type { Letters, Word } from './cells';
import type { Column } from './columns';
import type { Inside } from './inside';
import { fitting, keyWidth } from './text';

/** Between a node and its children, and before its first letter [px]. */
const EDGE_H = 8;
const INDENT = 6;
/** Lines that leaf nodes have at least, so that there is room for the nodes above them. */
const LEAF_LINES = 4;

/** Height of the inner nodes above the columns; 0: there are none, or they have no room [px]. */
export function nodesHeight({ tree }: Inside, height: number, { line }: Letters): number {
  const all = ((tree?.levels.length ?? 1) - 1) * (line + EDGE_H);
  return height - all >= LEAF_LINES * line ? all : 0;
}

/** The inner nodes on the way to the columns, from the root down: each over what it leads to, with its separators. */
export function nodesOf(
  { tree, object }: Inside,
  columns: readonly Column[],
  top: number,
  letters: Letters,
) {
  const { unit, line } = letters;
  const levels = tree?.levels ?? [];
  const firsts = new Map(levels.at(-1)?.map(({ node, first }) => [`leaf:${node}`, first]));
  const nodes = levels.slice(0, -1).flatMap((level) => level.filter(({ onPath }) => onPath));
  const words: Word[] = [];
  let path = object;
  const shapes = nodes.flatMap(({ node, slots }, depth) => {
    if (depth > 0) path = `${path}/inner:${node}`;
    const below = columns.filter(({ id }) => id.startsWith(`${path}/`));
    const [first, last] = [below[0], below.at(-1)];
    if (!first || !last) return [];
    const y = top + depth * (line + EDGE_H);
    const box = { x: first.box.x, y, w: last.box.x + last.box.w - first.box.x, h: line };
    const isLowest = depth === nodes.length - 1;
    const baseline = y + line * 0.72;
    const name = depth === 0 ? 'root' : `inner ${node}`;
    const room = (isLowest ? first.box.w : box.w) - 2 * INDENT;
    const text = fitting([`${name}, ${counted(slots, 'key')}`, name], room, unit);
    words.push({ of: 'more', text, x: box.x + INDENT, y: baseline, anchor: 'start' });
    const children = below.filter(
      ({ id }) => isLowest || !id.startsWith(`${path}/inner:${nodes[depth + 1]?.node}/`),
    );
    for (const { id, box: child } of isLowest ? children.slice(1) : []) {
      const key = firsts.get(id.slice(path.length + 1));
      if (!key || child.w < MIN_W) continue;
      const separator = keyText(key, Math.floor((child.w - INDENT) / keyWidth('m', unit)));
      words.push({ of: 'key', text: separator, x: child.x, y: baseline, anchor: 'start' });
    }
    const edge = ({ box: { x, w, y: end } }: Column) => `M${x + w / 2} ${y + line}V${end}`;
    return [{ id: `${path}/node:${node}`, box, edges: children.map(edge).join('') }];
  });
  return { shapes, words };
}

/** Narrower columns have no separator above them [px]. */
const MIN_W = 56;
