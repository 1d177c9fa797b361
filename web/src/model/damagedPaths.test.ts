import { describe, expect, it } from 'vitest';
import { part, placed } from '../testing/bytes';
import { damagedPaths, EMPTY_TREE, type Tree } from './tree';

const block = placed(
  part('data block', 'block', [
    part('entry', 'entry', [part('key', 'key', 4)]),
    part('checksum', 'checksum', 4, '', {
      fact: 'checksum',
      stored: 1,
      computed: 2,
      from: 0,
      bytes: 4,
    }),
  ]),
);
const file = placed(part('file', 'file', [block, part('footer', 'footer', 8)]));

function tree(open: readonly (readonly [string, typeof file])[]): Tree {
  const branches = open.map(
    ([path, { children }]) =>
      [path, { count: children.length, from: 0, parts: children, decoded: false }] as const,
  );
  return { ...EMPTY_TREE, branches: new Map(branches) };
}

describe('damaged nodes of a tree', () => {
  it('are a node with a wrong checksum and all nodes above it', () => {
    const whole = tree([
      ['', file],
      ['block:1', block],
    ]);
    expect([...damagedPaths(whole, [])].sort()).toEqual(['block:1', 'block:1/checksum:1']);
  });

  it('are known by their first damaged byte before anything in them is', () => {
    expect([...damagedPaths(tree([['', file]]), [{ offset: 2 }])]).toEqual(['block:1']);
    expect([...damagedPaths(tree([['', file]]), [])]).toEqual([]);
  });
});
