import { beforeAll, describe, expect, it } from 'vitest';
import { finish, loadEngine, openEngine, start, startWindow } from '../testing/realEngine';
import { withFilled } from './branchHistory';
import {
  axisOf,
  compare,
  compareAt,
  compared,
  compareMove,
  comparisonShown,
  missingOf,
  momentAt,
  partAt,
  sideAt,
  stepsAt,
  withoutFull,
} from './comparison';
import type { CompareResult, Message } from './engine.generated';
import { FIRST_PAGE, type PageState, receive } from './page';
import { stateHash } from './stateHash';
import { after, eventAt, snapshotAt } from './timeline';
import { fill } from './timelineGrow';
import type { Goal } from './travel';

/*
 * A comparison of the real engine, as the page shows it: every tree is what the engine itself had at that step of that
 * branch.
 */

type Window = Extract<Message, { type: 'window' }>;

let page: PageState;
let result: CompareResult;

beforeAll(async () => {
  const Make = await loadEngine();
  const engine = new Make('memory');
  openEngine(engine);
  const line = 'compare leveled tiered { fill 120 --words --seed 7; put a 1; flush; run }';
  start(engine, line);
  result = finish(engine, line).result as CompareResult;
  page = compared(FIRST_PAGE, result);
  // The page fetches what it needs while it stands at the end and at the beginning.
  for (const at of [axisOf(result).total, 0]) {
    page = compareAt(page, at);
    for (let wanted = missingOf(page); wanted; wanted = missingOf(page)) {
      const { branch, missing } = wanted;
      startWindow(engine, missing.from, missing.to, branch);
      expect(finish(engine, 'the window').error ?? null).toBeNull();
      const answer: Window = JSON.parse(engine.takeWindow() ?? 'null');
      const history = page.histories.get(branch);
      if (!history) throw new Error(`Branch ${branch} has no history.`);
      const timeline = fill(history.timeline, answer.events, answer.view);
      const histories = new Map(page.histories);
      page = {
        ...page,
        histories: histories.set(branch, withFilled(history, timeline, answer.events)),
      };
    }
  }
});

const timelineOf = (side: number) => {
  const branch = result.sides[side]?.branch ?? -1;
  const history = page.histories.get(branch);
  if (!history) throw new Error('no history');
  return history.timeline;
};

const moved = (from: PageState, goal: Goal): PageState => {
  const next = compareMove(from, goal);
  if (!next) throw new Error('the cursor did not move');
  return next;
};

const placeOf = ({ comparison }: PageState) => comparison?.at ?? -1;

describe('a comparison', () => {
  it('is shown at its end when the command has run', () => {
    const shown = comparisonShown(compared(FIRST_PAGE, result));
    expect(shown?.at).toBe(axisOf(result).total);
    expect(result.sides.map(({ title }) => title)).toEqual(['leveled', 'tiered']);
    expect(shown && stepsAt(shown)).toEqual(result.sides.map(({ steps }) => steps));
  });

  it("has trees that fold from the events to the engine's own view", () => {
    for (const [side, { steps, view, opened }] of result.sides.entries()) {
      const timeline = timelineOf(side);
      const before = snapshotAt(timeline, steps - 1)?.snapshot;
      const last = eventAt(timeline, steps);
      expect(before && last && stateHash(after(before, last).view)).toBe(stateHash(view));
      for (let step = opened; step <= steps; step += 1) {
        expect(sideAt(timeline, step), `step ${step}`).not.toBeNull();
      }
    }
  });

  it('has figures that agree with the trees', () => {
    for (const [side, run] of result.sides.entries()) {
      for (const moment of run.moments) {
        const view = sideAt(timelineOf(side), moment.step)?.view;
        const tables = view?.levels.reduce((sum, level) => sum + level.tables.length, 0);
        expect(tables, `step ${moment.step}`).toBe(moment.tables);
        expect(momentAt(run, moment.step)).toBe(moment);
      }
    }
    expect(momentAt(result.sides[0] as CompareResult['sides'][0], 0)).toBeNull();
  });
});

describe('the cursor', () => {
  it('goes from the first command to the last, on both sides, and never back', () => {
    const { total, parts } = axisOf(result);
    let before = [0, 0];
    for (let at = 0; at <= total; at += 1) {
      const steps = stepsAt({ result, at, shown: true });
      expect(
        steps.every((step, side) => step >= (before[side] ?? 0)),
        `place ${at}`,
      ).toBe(true);
      before = steps;
    }
    expect(stepsAt({ result, at: 0, shown: true })).toEqual(
      result.sides.map(({ opened }) => opened),
    );
    for (const [index, part] of parts.entries()) {
      const steps = stepsAt({ result, at: part.to, shown: true });
      expect(steps).toEqual(result.commands[index]?.ends);
      expect(partAt({ result, at: part.to, shown: true })?.number).toBe(index + 1);
    }
    expect(partAt({ result, at: 0, shown: true })).toBeNull();
  });

  it('walks by commands, by changes of the tables, and by steps', () => {
    const begin = moved(page, { to: 'step', step: 1 });
    expect(placeOf(begin)).toBe(0);
    const { parts, total } = axisOf(result);
    let at = begin;
    for (const { to } of parts) {
      at = moved(at, { to: 'walk', grain: 'operation', count: 1 });
      expect(placeOf(at)).toBe(to);
    }
    expect(placeOf(moved(at, { to: 'walk', grain: 'operation', count: 1 }))).toBe(total);
    expect(placeOf(moved(at, { to: 'mark', direction: -1 }))).toBe(parts.at(-2)?.to);
    expect(placeOf(moved(begin, { to: 'walk', grain: 'detail', count: 10 }))).toBe(10);
    expect(placeOf(moved(begin, { to: 'now' }))).toBe(total);

    const figures = (place: number) =>
      stepsAt({ result, at: place, shown: true }).map((step, side) => {
        const moment = momentAt(result.sides[side] as CompareResult['sides'][0], step);
        return [moment?.tables, moment?.tableBytes];
      });
    let [changes, before] = [0, 0];
    for (let next = begin; placeOf(next) < total; changes += 1) {
      next = moved(next, { to: 'walk', grain: 'phase', count: 1 });
      const isEnd = parts.some(({ to }) => to === placeOf(next));
      if (!isEnd) expect(figures(placeOf(next))).not.toEqual(figures(before));
      before = placeOf(next);
    }
    expect(changes).toBeGreaterThan(10);
  });

  it('is left, comes back to its place, and ends with a branch', () => {
    const left = withoutFull(compareAt(page, 7));
    expect(comparisonShown(left)).toBeNull();
    expect(compareMove(left, { to: 'now' })).toBeNull();
    expect(comparisonShown(compare(left, null))?.at).toBe(7);
    expect(placeOf(compare(left, 1e9))).toBe(axisOf(result).total);
    const state = (id: number, name: string) => ({
      ...{ id, name, parent: null, forkedAt: null, memory: true, steps: 1, pastless: null },
      damaged: [],
      crash: null,
    });
    const all = [state(0, 'main'), state(1, 'leveled 1'), state(2, 'tiered 2')];
    const kept = receive(page, { type: 'branches', branches: all, current: 0 });
    expect(kept.comparison).toBe(page.comparison);
    const dropped = receive(page, { type: 'branches', branches: all.slice(0, 2), current: 0 });
    expect(dropped.comparison).toBeNull();
  });
});
