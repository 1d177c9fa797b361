import type { MemtableTree, TreeNode } from '../../model/engine.generated';
import { keyText } from '../../model/keys';
import { count, counted } from '../../model/words';

/** A node of the tree. */
type NodeScene = ReturnType<typeof place>;

/** A tree from the root down to a leaf: on each level the node on the way and its neighbours. */
export type TreeScene = ReturnType<typeof treeScene>;

const LEVEL_H = 74;
export const NODE_H = 42;
const GAP = 6;
const NODE_W_MIN = 84;
/** Most keys of a node. */
const CAPACITY = 64;

/** The tree in `width` pixels. */
export function treeScene(tree: MemtableTree, width: number) {
  const shown = Math.max(1, Math.floor((width + GAP) / (NODE_W_MIN + GAP)));
  const nodes: NodeScene[] = [];
  // Nodes of each level that are not drawn.
  const notes: { y: number; text: string }[] = [];
  const edges: string[] = [];
  let parent: NodeScene | null = null;
  for (const [depth, siblings] of tree.levels.entries()) {
    const path = Math.max(
      0,
      siblings.findIndex((node) => node.onPath),
    );
    const from = Math.max(0, Math.min(path - Math.floor(shown / 2), siblings.length - shown));
    const part = siblings.slice(from, from + shown);
    const y = depth * LEVEL_H + 2;
    const nodeW = Math.min(170, (width - 2 - GAP * (part.length - 1)) / part.length);
    const left = (width - part.length * nodeW - GAP * (part.length - 1)) / 2;
    let next: NodeScene | null = null;
    for (const [index, node] of part.entries()) {
      const placed = place(node, left + index * (nodeW + GAP), y, nodeW);
      nodes.push(placed);
      if (parent) edges.push(edge(parent, placed));
      if (node.onPath) next = placed;
    }
    const hidden = siblings.length - part.length;
    if (hidden > 0) notes.push({ y: y + NODE_H + 14, text: `and ${counted(hidden, 'node')} more` });
    parent = next;
  }
  return { height: tree.levels.length * LEVEL_H, nodes, notes, edges };
}

function place(node: TreeNode, x: number, y: number, width: number) {
  return {
    x,
    y,
    width,
    title: `${node.leaf ? 'leaf' : 'inner'} ${node.node} · ${count(node.slots)}`,
    first: node.first ? keyText(node.first, Math.max(4, Math.floor((width - 14) / 8))) : 'empty',
    onPath: node.onPath,
    // How full it is, 0 to 1.
    fill: Math.min(1, node.slots / CAPACITY),
  };
}

function edge(from: NodeScene, to: NodeScene): string {
  const x = from.x + from.width / 2;
  return `M${x.toFixed(1)} ${from.y + NODE_H}L${(to.x + to.width / 2).toFixed(1)} ${to.y}`;
}

/** The path in words. */
export function wayText(tree: MemtableTree): string {
  const steps = tree.path.map((step) => counted(step.comparisons, 'comparison'));
  return `${steps.join(', then ')}; ${counted(tree.versions.length, 'version')} of the key here`;
}
