import { beforeAll, describe, expect, it } from 'vitest';
import type { Message, TableContents, View } from '../../../model/engine.generated';
import { isKept, judgedAt } from '../../../model/judged';
import { keyId } from '../../../model/keys';
import {
  detailsAt,
  emptyTimeline,
  shownEvent,
  snapshotAt,
  type Timeline,
} from '../../../model/timeline';
import { append } from '../../../model/timelineGrow';
import { ask, loadEngine, openEngine } from '../../../testing/realEngine';
import { beadsOf } from './beads';
import type { Entry } from './contents';
import type { Box } from './geometry';
import { waysBetween } from './motion';
import { type Scene, stageScene } from './stage';
import { type Merge, mergePart } from './sweep';
import { meets } from './tags';

/* Merges of the real engine in the picture of its tree, verdict by verdict. */

type Batch = Extract<Message, { type: 'events' }>;

interface Moment {
  scene: Scene;
  merge: Merge;
  view: View;
}

let timeline: Timeline;
let contents: Map<number, readonly Entry[]>;
let moments: Moment[];

beforeAll(async () => {
  const engine = new (await loadEngine())('memory');
  openEngine(engine);
  timeline = emptyTimeline();
  contents = new Map();
  const lines = ['fill 40 --words --seed 7', 'fill 40 --words --seed 8'];
  const work = Array.from({ length: 60 }, () => 'step');
  for (const line of [...lines, 'flush', ...work, 'fill 40 --words --seed 9', 'flush', ...work]) {
    ask(engine, line);
    for (let text = engine.events(false); text !== undefined; text = engine.events(false))
      timeline = append(timeline, (JSON.parse(text) as Batch).events, null, true);
    for (const each of ask(engine, 'contents --limit 500') as TableContents[])
      contents.set(each.table, each.entries);
  }
  moments = [...places()].flatMap(({ step, detail }) => momentAt(step, detail));
});

function* places() {
  for (let step = 1; step <= timeline.last; step += 1) {
    yield { step, detail: 0 };
    for (const { detail } of detailsAt(timeline, step)) yield { step, detail };
  }
}

function momentAt(step: number, detail: number, isHidden = false): Moment[] {
  const snapshot = snapshotAt(timeline, step)?.snapshot;
  const job = snapshot?.view.jobs.find(({ what }) => what === 'compaction');
  if (!snapshot || !job) return [];
  const { judged } = judgedAt(timeline, { step, detail }, job);
  const isJudging = shownEvent(timeline, { step, detail })?.merge !== undefined;
  const merge = { job, judged, isJudging, isHidden };
  const { view, writing } = snapshot;
  return [
    {
      scene: stageScene(view, writing, 1100, 620, {
        contents,
        merge: mergePart(view, merge, true),
      }),
      merge,
      view,
    },
  ];
}

const judging = () => moments.filter(({ merge }) => merge.isJudging);

describe('a merge in the tree', () => {
  it('has its line at the key that is judged, and marks where its inputs stand', () => {
    expect(judging().length).toBeGreaterThan(30);
    for (const { scene, merge } of judging()) {
      const last = merge.judged.entries.at(-1);
      const line = scene.sweep?.line;
      if (!last || !line) throw new Error('a verdict has a line');
      expect(line.x).toBe(scene.axis.x(last.key));
      expect(line.fronts.map(({ table, x, isFirst }) => ({ table, x, isFirst }))).toEqual(
        last.heads.map(({ table, key, first }) => ({
          table,
          x: scene.axis.x(key),
          isFirst: first,
        })),
      );
      expect(line.verdict).toBe(isKept(last) ? 'kept' : 'dropped');
    }
  });

  it('never goes back', () => {
    let [job, x] = [-1, 0];
    for (const { scene, merge } of judging()) {
      const at = scene.sweep?.line?.x ?? 0;
      if (merge.job.job === job) expect(at).toBeGreaterThanOrEqual(x);
      [job, x] = [merge.job.job, at];
    }
  });

  it('has exactly the kept entries in its outputs, and none elsewhere', () => {
    let compared = 0;
    for (const { scene, merge } of moments.filter((each) => each.merge.judged.isWhole)) {
      const outputs = scene.levels.flatMap(({ tables }) =>
        tables.filter(({ id, role }) => role === 'output' && /^table/.test(id)),
      );
      const kept = merge.judged.entries
        .filter(isKept)
        .map(({ key, sequence }) => `${keyId(key)}@${sequence}`);
      const drawn = outputs.flatMap(({ beads }) => beads.map(({ version }) => version));
      if (drawn.length === 0) continue;
      expect(drawn).toEqual(kept.slice(0, drawn.length));
      // The verdict on the first entry of a table comes before the table.
      expect(kept.length - drawn.length).toBeLessThanOrEqual(1);
      compared += drawn.length;
      for (const { box, beads } of outputs)
        for (const bead of beads) {
          expect(bead.box.x).toBeGreaterThanOrEqual(box.x - 1);
          expect(bead.box.x + bead.box.w).toBeLessThanOrEqual(box.x + box.w + 1);
        }
    }
    expect(compared).toBeGreaterThan(100);
  });

  it('turns the entries that it has read pale', () => {
    for (const { scene, merge } of judging()) {
      const heads = merge.judged.entries.at(-1)?.heads ?? [];
      for (const { table: input, beads } of scene.levels.flatMap(({ tables }) => tables)) {
        if (!input || !merge.job.inputs.includes(input.number) || beads.length === 0) continue;
        const head = heads.find(({ table }) => table === input.number);
        const at = beads.findIndex(
          ({ version }) => head && version === `${keyId(head.key)}@${head.sequence}`,
        );
        const read = head ? at + (head.first ? 1 : 0) : beads.length;
        expect(beads.slice(0, read).every(({ isPale }) => isPale)).toBe(true);
      }
    }
  });

  it('has its words above the levels, where they cover no entry and no other words', () => {
    for (const { scene, merge } of judging()) {
      const last = merge.judged.entries.at(-1);
      const [hidden] = momentAt(last?.step ?? 0, last?.detail ?? 0, true);
      for (const { sweep, levels, manifest } of [scene, hidden?.scene ?? scene]) {
        const tally = sweep?.tally.box as Box;
        for (const each of [sweep?.line?.head, sweep?.line?.tag]) {
          const box = each?.box as Box;
          expect(box.y + box.h).toBeLessThanOrEqual(levels[0]?.box.y ?? 0);
          expect(box.y).toBeGreaterThan((manifest?.current.box.y ?? 0) + box.h);
          expect(meets(box, tally)).toBe(false);
        }
      }
    }
  });

  it('gets all of the height that other rows do not need', () => {
    for (const { scene } of judging()) {
      const { rows } = scene;
      const last = rows.levels.at(-1);
      expect(rows.axisY - (last?.y ?? 0) - (last?.h ?? 0)).toBeLessThan(2 * rows.line);
    }
  });

  it('counts its verdicts, and hides the last one while it is to be predicted', () => {
    for (const { scene, merge } of judging()) {
      const { entries } = merge.judged;
      expect(scene.sweep?.tally.text).toContain(`kept ${entries.filter(isKept).length}`);
      const last = entries.at(-1);
      const [hidden] = momentAt(last?.step ?? 0, last?.detail ?? 0, true);
      const before = entries.slice(0, -1).filter(isKept).length;
      expect(hidden?.scene.sweep?.tally.text).toContain(`kept ${before}`);
      expect(hidden?.scene.sweep?.line?.verdict).toBe('hidden');
    }
  });

  it('lets a kept entry fall from its input, and its line glide', () => {
    const ways = moments.slice(1).map(({ scene }, index) => {
      const before = moments[index]?.scene ?? scene;
      return { ways: waysBetween(before, scene), scene, before };
    });
    const falls = ways.flatMap(({ ways, before, scene }) =>
      ways
        .filter(({ how, id }) => how === 'fall' && !id.startsWith('wal'))
        .map((way) => ({
          way,
          bead: beadsOf(scene).find(({ id }) => id === way.id),
          sources: beadsOf(before),
        })),
    );
    expect(falls.length).toBeGreaterThan(20);
    for (const { way, bead, sources } of falls) {
      expect(sources.some(({ version }) => version === bead?.version)).toBe(true);
      expect(way.dy).toBeLessThan(0);
    }
    expect(ways.flatMap((each) => each.ways).some(({ id }) => id === 'sweep')).toBe(true);
  });
});
