import { beforeAll, describe, expect, it } from 'vitest';
import type { MemtableTree } from '../../model/engine.generated';
import { ask, loadEngine, openEngine, type WasmEngine } from '../../testing/realEngine';
import { treeScene, wayText } from './scene';

let Make: new (place: string) => WasmEngine;

beforeAll(async () => {
  Make = await loadEngine();
});

describe('the picture of a memtable', () => {
  it('draws the search path of mem, inside its width', () => {
    const engine = new Make('memory');
    const settings = { memtable_bytes: '1000000' };
    openEngine(engine, settings);
    ask(engine, 'fill 5000 --seed 3');
    ask(engine, 'put k one; put k two; del k');
    for (const line of ['mem 1', 'mem 1 --path k']) {
      const tree = ask(engine, line) as MemtableTree;
      expect(tree.entries).toBe(5003);
      for (const width of [200, 350, 700]) {
        const scene = treeScene(tree, width);
        expect(scene.nodes.filter((node) => node.onPath)).toHaveLength(tree.path.length);
        for (const node of scene.nodes) {
          expect(node.x).toBeGreaterThanOrEqual(0);
          expect(node.x + node.width).toBeLessThanOrEqual(width + 1);
        }
        const all = tree.levels.reduce((sum, nodes) => sum + nodes.length, 0);
        expect(scene.nodes.length).toBeLessThanOrEqual(all);
        expect(scene.notes.length > 0).toBe(scene.nodes.length < all);
      }
    }
    const tree = ask(engine, 'mem 1 --path k') as MemtableTree;
    expect(tree.versions.map((version) => version.entry)).toEqual(['delete', 'put', 'put']);
    expect(wayText(tree)).toContain('3 versions');
  });
});
