/** The parts of a file as a tree whose branches are fetched when they are opened. Pure. */

import { type DamagedByte, isHit } from './damage';
import type { Node, PartResult } from './engine.generated';

/** A node with one window of its parts. */
export interface Branch {
  /** Parts in all. */
  count: number;
  /** Place of the first known part. */
  from: number;
  parts: readonly Node[];
  /** Whether the offsets of the parts count in decoded content. */
  decoded: boolean;
}

export interface Tree {
  /** Known branches by path; that of the file is ''. */
  branches: ReadonlyMap<string, Branch>;
  open: ReadonlySet<string>;
}

export const EMPTY_TREE: Tree = { branches: new Map(), open: new Set(['']) };

/** Parts that are fetched at once. */
export const WINDOW = 256;

export type Row =
  | {
      type: 'node';
      path: string;
      node: Node;
      depth: number;
      decoded: boolean;
      /** Place among its siblings from 1, and how many they are. */
      position: number;
      siblings: number;
      open: boolean;
      branching: boolean;
    }
  /** Siblings that are not known yet: `skip` is where to fetch. */
  | { type: 'more'; path: string; depth: number; count: number; skip: number; limit: number };

/** The path of a part of the node at `path`. */
export function below(path: string, node: Node): string {
  const step = `${node.kind}:${node.number}`;
  return path === '' ? step : `${path}/${step}`;
}

/** The path without its last step; `null` for the file. */
export function above(path: string): string | null {
  if (path === '') return null;
  const cut = path.lastIndexOf('/');
  return cut < 0 ? '' : path.slice(0, cut);
}

/** Whether a node can be opened. */
function isBranch(node: Node): boolean {
  return node.more || node.children.length > 0 || node.inside.length > 0;
}

/** The visible rows from top to bottom, the parts of the file first. */
export function rowsOf(tree: Tree): Row[] {
  const rows: Row[] = [];
  const visit = (path: string, depth: number) => {
    const branch = tree.branches.get(path);
    if (!branch) return;
    const { count, from, parts, decoded } = branch;
    if (from > 0) {
      const skip = Math.max(0, from - WINDOW);
      rows.push({ type: 'more', path, depth, count: from, skip, limit: from - skip });
    }
    for (const [index, node] of parts.entries()) {
      const own = below(path, node);
      const open = tree.open.has(own);
      rows.push({
        type: 'node',
        path: own,
        node,
        depth,
        decoded,
        position: from + index + 1,
        siblings: count,
        open,
        branching: isBranch(node),
      });
      if (open) visit(own, depth + 1);
    }
    const end = from + parts.length;
    if (end < count) {
      rows.push({ type: 'more', path, depth, count: count - end, skip: end, limit: WINDOW });
    }
  };
  visit('', 0);
  return rows;
}

/** Whether the engine reported damage in the bytes of `node` themselves. */
function isDamaged({ kind, fact }: Node): boolean {
  return kind === 'damaged' || (fact?.fact === 'checksum' && fact.stored !== fact.computed);
}

/**
 * The paths of the damaged nodes that are known, and of all nodes above them. Of `damages`, the part of the file
 * that holds each is damaged, even while nothing in it is known.
 */
export function damagedPaths(tree: Tree, damages: readonly DamagedByte[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [path, { parts }] of tree.branches) {
    for (const node of parts) {
      const holdsOne = path === '' && isHit(damages, node.offset, node.bytes);
      if (!holdsOne && !isDamaged(node)) continue;
      for (let at: string | null = below(path, node); at; at = above(at)) found.add(at);
    }
  }
  return found;
}

/** The tree with the engine's answer on the node at `path`. Neighbouring windows are joined. */
export function withPart(tree: Tree, path: string, { part }: PartResult): Tree {
  const last = part.trail[part.trail.length - 1];
  const decoded = (last?.decoded ?? false) || last?.node.kind === 'compressed';
  let branch: Branch = { count: part.count, from: part.skipped, parts: part.parts, decoded };
  const old = tree.branches.get(path);
  if (old && old.count === branch.count && branch.parts.length > 0) {
    const end = branch.from + branch.parts.length;
    if (old.from + old.parts.length === branch.from) {
      branch = { ...branch, from: old.from, parts: [...old.parts, ...branch.parts] };
    } else if (end === old.from) {
      branch = { ...branch, parts: [...branch.parts, ...old.parts] };
    }
  }
  return { ...tree, branches: new Map(tree.branches).set(path, branch) };
}

/** The tree with the node at `path` open or shut. */
export function withOpen(tree: Tree, path: string, open: boolean): Tree {
  const next = new Set(tree.open);
  if (open) next.add(path);
  else next.delete(path);
  return { ...tree, open: next };
}

/** The window in which the part at `index` is fetched. */
export function windowAround(index: number): { skip: number; limit: number } {
  return { skip: Math.max(0, index - WINDOW / 2), limit: WINDOW };
}

/** Whether the tree knows the part at `index` of the node at `path`. */
export function knows(tree: Tree, path: string, index: number): boolean {
  const branch = tree.branches.get(path);
  return branch !== undefined && index >= branch.from && index < branch.from + branch.parts.length;
}
