import { beforeAll, describe, expect, it } from 'vitest';
import type { ExplainResult, Node } from '../../model/engine.generated';
import { fileName } from '../../model/files';
import { resultOf } from '../../testing/answers';
import { loadEngine, openEngine, start, type WasmEngine } from '../../testing/realEngine';
import { boldWidth, textWidth } from '../Stage/scene/text';
import { blocksText, readPathScene, STOP_X } from './scene';

let Make: new (place: string) => WasmEngine;

beforeAll(async () => {
  Make = await loadEngine();
});

/** The result of one line. */
function ask(engine: WasmEngine, line: string): unknown {
  start(engine, line);
  for (let call = 0; call < 1000; call += 1) {
    const progress = JSON.parse(engine.advance(100));
    if (progress.state === 'done') return resultOf(progress.answers);
  }
  throw new Error(`${line} does not end`);
}

function filled(): WasmEngine {
  const engine = new Make('memory');
  openEngine(engine);
  for (const line of ['fill 600 --words --seed 7', 'run', 'flush', 'run']) ask(engine, line);
  return engine;
}

const WIDTH = 360;
const KEYS = ['apple', 'berlin', 'tiger', 'horsefly', 'kiwi', 'zzz'];
const explained = (engine: WasmEngine, key: string) =>
  ask(engine, `explain get ${key}`) as ExplainResult;

it.each([
  [0, 0, 'no block'],
  [1, 0, '1 block read'],
  [0, 1, '1 block from the cache'],
  [2, 1, '2 blocks read, 1 from the cache'],
])('tells %i blocks read and %i cached', (read, cached, words) => {
  expect(blocksText(read, cached)).toBe(words);
});

describe('the picture of a read', () => {
  it('draws exactly what explain says', () => {
    const engine = filled();
    let turns = 0;
    let bits = 0;
    for (const key of KEYS) {
      const read = explained(engine, key);
      const scene = readPathScene(read, WIDTH);
      expect(scene.stops).toHaveLength(read.stops.length);
      for (const [index, stop] of read.stops.entries()) {
        const drawn = scene.stops[index];
        if (stop.stop !== 'table' && stop.stop !== 'filtered') continue;
        const asked = stop.filter?.asked ?? [];
        bits += asked.length;
        expect(drawn?.filter?.ticks.map((tick) => tick.set) ?? []).toEqual(
          asked.map((bit) => bit.set),
        );
        for (const [place, bit] of asked.entries()) {
          const byte = drawn?.filter?.bytes[place];
          const shown = byte?.bits.reduce((sum, { on }, at) => sum + (on ? 1 << at : 0), 0);
          expect(shown).toBe(bit.byte);
          expect(byte?.bits.findIndex((known) => known.asked)).toBe(bit.bit % 8);
        }
        if (stop.stop !== 'table') continue;
        const said = [...stop.searches, ...stop.blocks.flatMap((block) => block.restarts ?? [])];
        const searches = [
          ...(drawn?.searches ?? []),
          ...(drawn?.blocks.flatMap((block) => block.search ?? []) ?? []),
        ];
        expect(
          searches.map((search) => search.turns.map(({ numbers }) => numbers.map((n) => n.text))),
        ).toEqual(
          said.map((search) =>
            search.turns.map(({ low, middle, high }) => [low + 1, middle + 1, high].map(String)),
          ),
        );
        turns += said.reduce((sum, search) => sum + search.turns.length, 0);
        const entries = drawn?.blocks.flatMap((block) => block.entries.map((entry) => entry.order));
        expect(entries).toEqual(stop.blocks.flatMap((block) => block.entries.map((e) => e.order)));
      }
    }
    expect(turns).toBeGreaterThan(10);
    expect(bits).toBeGreaterThan(10);
  });

  it('places nothing outside and nothing above what comes before', () => {
    const engine = filled();
    for (const key of KEYS) {
      for (const width of [280, WIDTH, 720]) {
        const scene = readPathScene(explained(engine, key), width);
        let y = 0;
        for (const stop of scene.stops) {
          expect(stop.y).toBeGreaterThanOrEqual(y);
          y = stop.end;
          const room = stop.costBelow ? width - STOP_X : width - STOP_X - boldWidth(stop.title, 15);
          expect(textWidth(stop.cost, 13), stop.cost).toBeLessThan(room);
          for (const search of stop.searches) {
            for (const turn of search.turns) {
              expect(turn.open.x).toBeGreaterThanOrEqual(STOP_X);
              expect(turn.open.x + turn.open.width).toBeLessThanOrEqual(width);
              expect(search.keyX).toBeLessThan(width - 40);
            }
          }
          for (const byte of stop.filter?.bytes ?? []) {
            expect(byte.bits.at(-1)?.x).toBeLessThan(width);
          }
        }
        expect(scene.height).toBe(y);
      }
    }
  });

  it('names blocks that the file has', () => {
    const engine = filled();
    for (const key of KEYS) {
      for (const stop of explained(engine, key).stops) {
        if (stop.stop !== 'table') continue;
        const file = ask(engine, `layout ${fileName('table', stop.table)}`) as Node;
        const blocks = file.children.filter((node) => node.kind === 'block');
        const index = stop.searches.find((search) => search.among === 'blocks');
        expect(index?.count).toBe(blocks.length);
        const [block] = stop.blocks;
        expect(blocks[index?.found ?? -1]?.offset).toBe(block?.offset);
      }
    }
  });
});
