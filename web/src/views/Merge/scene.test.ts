// @vitest-environment node

import { beforeAll, describe, expect, it } from 'vitest';
import type { MemtableTree, Message } from '../../model/engine.generated';
import { ask, loadEngine, openEngine, type WasmEngine } from '../../testing/realEngine';
import { treeScene, wayText } from '../Memtable/scene';
import { isKept, type MergeEvent, mergeOf, mergeScene, reasonText } from './scene';

let Make: new (place: string) => WasmEngine;

beforeAll(async () => {
  Make = await loadEngine();
});

type Batch = Extract<Message, { type: 'events' }>;

function open(): WasmEngine {
  const engine = new Make('memory');
  openEngine(engine);
  return engine;
}

describe('the picture of a merge', () => {
  it('draws every input where the engine says that it stands, and one winner', () => {
    const engine = open();
    engine.wantDetails(true);
    for (const line of ['fill 60 --words --seed 7', 'fill 60 --words --seed 7', 'run']) {
      ask(engine, line);
    }
    const merged: MergeEvent[] = [];
    for (let text = engine.events(false); text !== undefined; text = engine.events(false)) {
      const batch: Batch = JSON.parse(text);
      merged.push(...batch.events.flatMap(mergeOf));
    }
    const contested = merged.filter((event) => event.heads.length > 1);
    expect(contested.length).toBeGreaterThan(10);
    for (const event of contested) {
      const scene = mergeScene([event], 350);
      expect(scene?.lanes.map(({ table, first }) => ({ table, first }))).toEqual(
        event.heads.map(({ table, first }) => ({ table, first })),
      );
      const winners = event.heads.filter((head) => head.first);
      expect(winners.map(({ key, sequence }) => ({ key, sequence }))).toEqual([
        { key: event.key, sequence: event.sequence },
      ]);
      expect(scene?.judged[0]).toMatchObject({
        kept: isKept(event.verdict),
        reason: reasonText(event.verdict),
        now: true,
      });
      expect(event.sentence).toContain(isKept(event.verdict) ? 'is kept' : 'is dropped');
      expect(scene?.arrow).not.toBe('');
    }
    expect(merged.some((event) => !isKept(event.verdict))).toBe(true);
  });
});

describe('the picture of a memtable', () => {
  it('draws the way that mem tells, inside its width', () => {
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
        const told = tree.levels.reduce((sum, nodes) => sum + nodes.length, 0);
        expect(scene.nodes.length).toBeLessThanOrEqual(told);
        expect(scene.notes.length > 0).toBe(scene.nodes.length < told);
      }
    }
    const tree = ask(engine, 'mem 1 --path k') as MemtableTree;
    expect(tree.versions.map((version) => version.entry)).toEqual(['delete', 'put', 'put']);
    expect(wayText(tree)).toContain('3 versions');
  });
});
