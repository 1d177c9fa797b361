import { expect, it, vi } from 'vitest';
import type { Grain } from '../model/engine.generated';
import { historyOf } from '../model/page';
import { shown } from '../model/shown';
import { FakeDisk } from './hostPage';
import { Visitor, withEngine } from './visitor';

/*
 * The picture of a step is the same however a visitor came to it: live in steps of any size, by Play, back from
 * later, by a jump, or after the page was loaded again.
 */

const wasm = withEngine();

// Against a test that hangs: each look waits for a picture at rest.
vi.setConfig({ testTimeout: 900_000 });

/** All background work is done at this place of a script. */
const WORK = 'WORK';

/** Small, fast, good enough (mulberry32). */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const FRUIT = ['apple', 'banana', 'cherry', 'fig', 'kiwi', 'mango', 'nut'];

/** Writes in two or three rounds, each flushed, so that the last merge has something to judge. */
function script(seed: number): string[] {
  const pick = random(seed);
  const fruit = () => FRUIT[pick(FRUIT.length)] ?? '';
  const write = () => {
    switch (pick(8)) {
      case 0:
        return `del ${fruit()}`;
      case 1:
        return `get ${fruit()}`;
      case 2:
        return `batch { put ${fruit()} both, del ${fruit()} }`;
      case 3:
        return `put ${fruit()} unsynced --sync off`;
      case 4:
        return pick(2) === 0 ? 'snapshot' : `delete-range ${fruit()} mango`;
      case 5:
        return `fill ${2 + pick(6)} --words --seed ${pick(100)}`;
      default:
        return `put ${fruit()} ${'v'.repeat(1 + pick(9))}`;
    }
  };
  const round = () => [...Array.from({ length: 2 + pick(3) }, write), 'flush', WORK];
  return [...round(), ...round(), write()];
}

/** The pictures by place, with the way on which each was first seen. */
class Album {
  readonly pictures = new Map<string, { way: string; picture: string }>();
  compared = 0;

  constructor(readonly name: string) {}

  look(visitor: Visitor, way: string): void {
    const { place, picture, changed } = visitor;
    expect(changed.listed, `${this.name}: step ${place}, ${way}, as framed`).toEqual(
      changed.framed,
    );
    const known = this.pictures.get(place);
    if (known) {
      this.compared += 1;
      expect(picture, `${this.name}: step ${place}, ${way}, as ${known.way}`).toBe(known.picture);
    } else {
      this.pictures.set(place, { way, picture });
    }
  }
}

async function arrive(disk = new FakeDisk()): Promise<Visitor> {
  const visitor = new Visitor(wasm(), disk);
  await visitor.open();
  return visitor;
}

/** Live, step by step. */
async function liveBy(album: Album, lines: readonly string[], grain: Grain): Promise<void> {
  const visitor = await arrive();
  visitor.lab.setGrain(grain);
  for (const line of lines) {
    if (line !== WORK) await visitor.type(line);
    album.look(visitor, `live, ${grain}`);
    while (line === WORK && visitor.lab.store.get().next !== null) {
      visitor.lab.forward();
      await visitor.still();
      album.look(visitor, `live, ${grain}`);
    }
  }
  await visitor.leave();
}

/** Live, while Play does the work. */
async function byPlay(album: Album, lines: readonly string[]): Promise<void> {
  const visitor = await arrive();
  await visitor.type('play 0.5');
  for (const line of lines) {
    if (line !== WORK) visitor.lab.type(line);
    let [before, same] = ['', 0];
    while (same < 40) {
      await visitor.tick();
      const now = `${visitor.place} ${visitor.picture}`;
      same = now === before ? same + 1 : 0;
      before = now;
      if (same === 5) album.look(visitor, 'by Play');
    }
  }
  await visitor.leave();
}

/** Steps that are jumped to and walked over, from now on. */
const JUMPS = 8;
const WALKED = 10;

/** From now back to the beginning and on again, then here and there. */
async function throughThePast(
  album: Album,
  visitor: Visitor,
  way: string,
  pick: (below: number) => number,
): Promise<void> {
  const { last } = historyOf(visitor.lab.store.get()).timeline;
  const look = async () => {
    await visitor.still();
    album.look(visitor, way);
  };
  await look();
  for (let jump = 0; jump < JUMPS; jump += 1) {
    const step = 1 + pick(last);
    visitor.lab.go({ to: 'step', step }, pick(2) === 0 ? 'scrub' : 'jump');
    await look();
  }
  visitor.lab.go({ to: 'now' }, 'jump');
  for (const count of [-1, 1] as const) {
    for (let at = 1; at < Math.min(last, WALKED); at += 1) {
      visitor.lab.go({ to: 'walk', grain: 'phase', count }, count > 0 ? 'step' : 'jump');
      await look();
    }
  }
}

const FIRST = Number(process.env.LEVELSCOPE_SEED ?? 1);
const SEEDS = Array.from(
  { length: Number(process.env.LEVELSCOPE_SEEDS ?? 1) },
  (_, index) => FIRST + index,
);

it.each(SEEDS)(
  'a step has one picture, on whatever way a visitor comes to it: seed %i',
  async (seed) => {
    const lines = script(seed);
    const album = new Album(`LEVELSCOPE_SEED=${seed} (${lines.join('; ')})`);
    const pick = random(seed);
    for (const grain of ['phase', 'detail', 'operation'] as const)
      await liveBy(album, lines, grain);
    await byPlay(album, lines);
    const disk = new FakeDisk();
    const visitor = await arrive(disk);
    for (const line of lines) await visitor.type(line === WORK ? 'run' : line);
    await throughThePast(album, visitor, 'back from now', pick);
    await visitor.leave();
    const again = await arrive(disk);
    await throughThePast(album, again, 'after a reload', pick);
    await again.leave();
    expect(album.compared).toBeGreaterThan(album.pictures.size);
    const { pictures, compared } = album;
    process.stdout.write(`  seed ${seed}: ${pictures.size} places, ${compared} compared\n`);
  },
);

it('a stop of a lookup has one picture, forwards and back', async () => {
  const visitor = await arrive();
  await visitor.type('fill 40 --words --seed 7; run; put apple red; flush; run');
  await visitor.type('explain get apple');
  const { reading } = visitor.lab.store.get();
  const pictures = [visitor.picture];
  const walk = async (count: number) => {
    visitor.lab.stage.walk(count);
    await visitor.still();
    return visitor.picture;
  };
  for (const _ of reading?.stops ?? []) pictures.push(await walk(1));
  expect(new Set(pictures).size).toBe(pictures.length);
  expect(pictures.length).toBeGreaterThan(2);
  for (const picture of pictures.toReversed().slice(1)) expect(await walk(-1)).toBe(picture);
  await visitor.leave();
});

it('the tab Now lists what the picture frames', async () => {
  const visitor = await arrive();
  const look = () => visitor.changed;
  expect(look().framed).toContain('current');
  expect(look().listed).toEqual(look().framed);
  await visitor.type('put apple red; put banana yellow; put kiwi green');
  await visitor.type('del apple');
  expect(look()).toEqual({
    framed: ['memtable:1', 'wal:2'],
    listed: ['memtable:1', 'wal:2'],
  });
  await visitor.leave();
});

it('an object that is gone does not stand out', async () => {
  const visitor = await arrive();
  await visitor.type('put apple red; flush');
  const { last } = historyOf(visitor.lab.store.get()).timeline;
  await visitor.type('run');
  const { fresh, freshFrom } = shown(visitor.lab.store.get());
  expect(freshFrom).toBe(last + 1);
  expect(fresh).toContain('table:4');
  expect(fresh).not.toContain('memtable:1');
  await visitor.leave();
});

it('the present of a branch of the last visit is drawn as it was before', async () => {
  const disk = new FakeDisk();
  const first = await arrive(disk);
  const pictures = new Map<number, string>();
  for (const [branch, line] of [
    'put a 1; put b 2; flush; run; fork 12; put c 3',
    'crash',
  ].entries()) {
    await first.type(line);
    pictures.set(branch + 1, first.picture);
  }
  await first.type('branch main');
  await first.leave();
  const again = await arrive(disk);
  for (const [branch, picture] of pictures) {
    await again.type(`branch ${branch}`);
    expect(again.picture, `branch ${branch}`).toBe(picture);
  }
  await again.leave();
});
