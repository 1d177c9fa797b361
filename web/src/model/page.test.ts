import { describe, expect, it } from 'vitest';
import { heldEvents } from '../testing/heldEvents';
import { SAMPLE_REPORT } from '../testing/labReport';
import { OPERATION, VERDICT } from '../testing/plainEvent';
import { busyView } from '../testing/sample';
import type { Answer, ExplainResult, Grain, Message, WireEvent } from './engine.generated';
import {
  FIRST_PAGE,
  historyOf,
  inspect,
  narration,
  onlyFlowed,
  type PageState,
  receive,
  select,
  wayOf,
} from './page';
import { readMoment } from './readMoment';
import { commandBegins, commandEnds } from './running';
import { shown } from './shown';
import { missingAt } from './timeline';
import { type Goal, travel } from './travel';

const OPENED = {
  type: 'opened',
  id: 1,
  storage: 'opfs',
  why: null,
  view: busyView(),
  step: 0,
  isHistoryKept: true,
  options: [],
  presets: [],
  preset: 'classroom',
  persisted: false,
} satisfies Message;

const open = () => receive(FIRST_PAGE, OPENED);

function events(from: number, count: number): WireEvent[] {
  return Array.from({ length: count }, (_, index) => ({
    ...OPERATION,
    id: from + index,
    detail: 0,
    time: from + index,
    step: from + index,
    job: null,
    cause: null,
    kind: 'op.scan',
    sentence: `Scan ${from + index}.`,
  }));
}

function batch(change: Partial<Extract<Message, { type: 'events' }>>): Message {
  const none = { events: [], elided: 0, landmarks: [], samples: [], view: null, next: null };
  return { type: 'events', fileBytes: 7, detailed: true, ...none, ...change };
}

const OTHER: Answer = { kind: 'other', value: null };

describe('an answer about a lookup', () => {
  const pathAt = (step: number): Answer => {
    const value = { step, stops: [], winner: null } as unknown as ExplainResult;
    return { kind: 'explain', value };
  };
  const path = pathAt(5);
  const main = {
    id: 0,
    name: 'main',
    parent: null,
    forkedAt: null,
    pastless: null,
    damaged: [],
    crash: null,
    steps: 9,
  };
  const fork = { ...main, id: 1, name: 'b1', parent: 0, forkedAt: 3, memory: true };
  const branches: Message = {
    type: 'branches',
    branches: [{ ...main, memory: false }, fork],
    current: 0,
  };
  const answered = () =>
    commandEnds(receive(receive(open(), branches), batch({ events: events(1, 5) })), [path]);
  const moment = (page: PageState) => {
    if (!page.readPath) throw new Error('the answer is gone');
    return readMoment(page.readPath, shown(page));
  };

  it('belongs to the state on show until that moves on', () => {
    expect(moment(answered())).toEqual({ isCurrent: true, when: 'Step 5', step: 5, why: '' });
    const later = receive(answered(), batch({ events: events(6, 2) }));
    expect(moment(later)).toMatchObject({
      isCurrent: false,
      when: 'Step 5',
      why: 'the database has moved on to step 7',
    });
    expect(later.reading).toBeNull();
    const back = { ...later, cursor: { step: 5, detail: 0 } };
    expect(moment(back).isCurrent).toBe(true);
    const before = { ...later, cursor: { step: 4, detail: 0 } };
    expect(moment(before)).toMatchObject({ isCurrent: false, why: 'the picture shows step 4' });
  });

  it('of the past belongs to the step that was asked', () => {
    const page = {
      ...receive(open(), batch({ events: events(1, 5) })),
      cursor: { step: 2, detail: 0 },
    };
    expect(moment(commandEnds(page, [pathAt(2)]))).toMatchObject({ isCurrent: true, step: 2 });
    // Step 2 lies inside a call that ends with step 4.
    const inside = commandEnds(page, [pathAt(4)]);
    expect(moment(inside)).toEqual({
      isCurrent: true,
      when: 'Step 4, the end of the call that contains step 2',
      step: 4,
      why: '',
    });
    expect(moment({ ...inside, cursor: { step: 3, detail: 0 } }).isCurrent).toBe(false);
  });

  it('belongs to the step that it names, not to later steps of its line', () => {
    const page = commandEnds(receive(open(), batch({ events: events(1, 9) })), [path, OTHER]);
    expect(moment(page)).toMatchObject({
      isCurrent: false,
      when: 'Step 5',
      why: 'the database has moved on to step 9',
    });
    const reset = receive(
      page,
      batch({
        events: events(10, 6),
        landmarks: [
          { step: 10, kind: 'recovery' },
          { step: 14, kind: 'creation' },
        ],
      }),
    );
    expect(moment(reset)).toMatchObject({
      isCurrent: false,
      step: 5,
      why: 'of a database that was deleted after it',
    });
    const after = commandEnds(reset, [pathAt(15)]);
    expect(moment(after).isCurrent).toBe(true);
    expect(moment({ ...after, cursor: { step: 5, detail: 0 } }).why).toBe(
      'the picture shows an earlier database, at step 5',
    );
  });

  it('is not that of another branch, and goes with its database', () => {
    const switched = { ...answered(), branch: 1 };
    expect(moment(switched)).toMatchObject({
      isCurrent: false,
      when: 'Step 5 of branch main',
      step: null,
      why: 'another branch is shown',
    });
    const { readPath, reading } = receive(answered(), { ...OPENED, id: 2, storage: 'memory' });
    expect([readPath, reading]).toEqual([null, null]);
  });
});

describe('page', () => {
  it('goes on with events in batches', () => {
    let page = open();
    for (let from = 1; from < 12_000; from += 500) {
      page = receive(page, batch({ events: events(from, 500) }));
    }
    expect(heldEvents(historyOf(page).timeline)).toBeLessThanOrEqual(12_000);
    expect(narration(page)).toBe('Step 12000. Scan 12000.');
  });

  it('knows when only work went on, which words need not follow at once', () => {
    const idle = open();
    const begun = commandBegins(idle, 'fill 10000');
    const more = receive(begun, batch({ events: events(1, 300) }));
    expect(onlyFlowed(begun, more)).toBe(true);
    expect(onlyFlowed(idle, begun)).toBe(false);
    expect(onlyFlowed(more, commandEnds(more, []))).toBe(false);
    expect(onlyFlowed(more, select(more, 'wal:14'))).toBe(false);
    expect(onlyFlowed(more, { ...more, cursor: { step: 7, detail: 0 } })).toBe(false);
    const playing = { ...idle, playing: true, stepsPerSecond: 0 };
    const played = receive(playing, batch({ events: events(1, 300) }));
    expect(onlyFlowed(playing, played)).toBe(true);
    expect(onlyFlowed(played, { ...played, playing: false })).toBe(false);
    expect(onlyFlowed({ ...playing, stepsPerSecond: 1 }, { ...played, stepsPerSecond: 1 })).toBe(
      false,
    );
  });

  it('finds the lookup that was explained among the results of several commands', () => {
    const value = { step: 0, stops: [], winner: null } as unknown as ExplainResult;
    const path: Answer = { kind: 'explain', value };
    const page = open();
    const readPath = { read: value, branch: 0, asked: null };
    expect(commandEnds(page, [OTHER, path])).toMatchObject({ readPath, reading: value });
    expect(commandEnds(page, [path, OTHER])).toMatchObject({ readPath, reading: null });
    expect(commandEnds(page, [OTHER, OTHER])).toMatchObject({ readPath: null, reading: null });
    // An answer of another kind is no lookup.
    expect(commandEnds(page, [{ kind: 'other', value }])).toMatchObject({ readPath: null });
  });

  it('knows the commands whose answers stand in the terminal alone', () => {
    const page = commandBegins(open(), 'scan');
    const answered = (after: PageState, answers: Answer[]) => commandEnds(after, answers).told > 0;
    expect(answered(page, [OTHER])).toBe(true);
    const withEvent = (patches: WireEvent['patches']) =>
      receive(page, batch({ events: events(1, 1).map((event) => ({ ...event, patches })) }));
    expect(answered(withEvent([]), [OTHER])).toBe(true);
    expect(answered(withEvent([{ of: 'current', manifest: 1 }]), [OTHER])).toBe(false);
    const value = { step: 0, stops: [], winner: null } as unknown as ExplainResult;
    expect(answered(page, [{ kind: 'explain', value }])).toBe(false);
  });

  it('keeps what a run of an experiment has found when the next one is stopped', () => {
    const none = { ...SAMPLE_REPORT, stopped: true, findings: [] };
    const stopped = commandEnds(open(), [{ kind: 'reports', value: [none] }]);
    expect(stopped.reports.get('L1')).toEqual(none);
    const ran = commandEnds(stopped, [{ kind: 'report', value: SAMPLE_REPORT }]);
    expect(ran.reports.get('L1')).toEqual(SAMPLE_REPORT);
    const again = commandEnds(ran, [OTHER, { kind: 'reports', value: [none] }]);
    expect(again.reports.get('L1')).toEqual({ ...SAMPLE_REPORT, stopped: true });
  });

  it('shows the newest detail, and walks back through the details of the last step', () => {
    const [first, second] = events(1, 2);
    if (!first || !second) throw new Error('no events');
    const details = [1, 2, 3].map((detail) => ({
      ...second,
      detail,
      sentence: `Entry ${detail}.`,
      merge: VERDICT,
    }));
    const page = receive(open(), batch({ events: [first, second, ...details] }));
    expect(narration(page)).toBe('Step 2, detail 3. Entry 3.');
    const go = (from: PageState, goal: Goal): PageState => {
      const journey = travel(from, goal, 'jump');
      if (!('page' in journey)) throw new Error('something is missing');
      return journey.page;
    };
    const back = (from: PageState, grain: Grain) => go(from, { to: 'walk', grain, count: -1 });
    expect(back(page, 'detail').cursor).toEqual({ step: 2, detail: 2 });
    const before = back(page, 'phase');
    expect(before.cursor).toEqual({ step: 2, detail: 0 });
    expect(narration(before)).toBe('Step 2. Scan 2.');
    // Forward and to the last step: all of them lead to what is now.
    for (const goal of [
      { to: 'walk', grain: 'phase', count: 1 },
      { to: 'step', step: 2 },
      { to: 'now' },
    ] as const) {
      expect(go(before, goal).cursor, JSON.stringify(goal)).toBeNull();
    }
    expect(back(before, 'phase').cursor).toEqual({ step: 1, detail: 0 });
    expect(go(back(before, 'phase'), { to: 'walk', grain: 'phase', count: 1 }).cursor).toBeNull();
    // Forward through the details of the last step, too: none is passed over.
    const forward = (from: PageState) => go(from, { to: 'walk', grain: 'detail', count: 1 });
    const held = [...page.histories].map(([branch, history]) => {
      const stretches = history.timeline.stretches.map((each) => ({ ...each, detailed: true }));
      return [branch, { ...history, timeline: { ...history.timeline, stretches } }] as const;
    });
    let walked: PageState = { ...back(before, 'phase'), histories: new Map(held) };
    for (const detail of [0, 1, 2]) {
      walked = forward(walked);
      expect(walked.cursor).toEqual({ step: 2, detail });
    }
    expect(forward(walked).cursor).toBeNull();
  });

  it('takes a checkpoint instead of folding', () => {
    const view = { ...busyView(), time: 900, lastSequence: 555 };
    const page = receive(open(), batch({ events: events(900, 1), elided: 700, view }));
    expect(shown(page).view).toBe(view);
  });

  it('announces single steps and pauses, but nothing while playing', () => {
    let page = commandBegins(open(), 'step');
    page = receive(page, batch({ events: events(1, 1) }));
    expect(page.announcement).toBe('');
    page = commandEnds(page, []);
    expect(page.announcement).toBe('Step 1. Scan 1.');
    page = receive(page, { type: 'playing', playing: true, stepsPerSecond: 2 });
    page = receive(page, batch({ events: events(2, 1) }));
    expect(page.announcement).toBe('');
    page = receive(page, { type: 'playing', playing: false, stepsPerSecond: null });
    expect(page.announcement).toBe('Paused. Step 2. Scan 2.');
  });

  it('shows the state at the cursor, whatever happens meanwhile', () => {
    let page = receive(open(), batch({ events: events(1, 10) }));
    const there = travel(page, { to: 'step', step: 4 }, 'jump');
    if (!('page' in there)) throw new Error('nothing is missing');
    page = there.page;
    expect(shown(page)).toMatchObject({ isPast: true, last: 10, place: { step: 4, detail: 0 } });
    expect(page.announcement).toBe('Step 4. Scan 4.');
    page = receive(page, batch({ events: events(11, 3) }));
    expect(shown(page)).toMatchObject({ isPast: true, last: 13, place: { step: 4, detail: 0 } });
    expect(shown(page).view.time).toBe(4);
    const back = travel(page, { to: 'now' }, 'jump');
    if (!('page' in back)) throw new Error('nothing is missing');
    expect(shown(back.page)).toMatchObject({ isPast: false, place: { step: 13, detail: 0 } });
  });

  it('a breakpoint puts the cursor on its step, or just before', () => {
    const page = receive(open(), batch({ events: events(1, 10) }));
    const hit = { type: 'break', step: 6, breakpoint: 1, name: 'op.scan' } as const;
    const on = receive(page, { ...hit, before: false });
    expect(shown(on).place.step).toBe(6);
    expect(on.announcement).toBe('Breakpoint. Step 6. Scan 6.');
    expect(shown(receive(page, { ...hit, before: true })).place.step).toBe(5);
    expect(shown(on).marks).toEqual([{ step: 6, kind: 'break' }]);
    // The end of the command does not announce it again.
    expect(commandEnds(on, []).announcement).toBe(on.announcement);
  });

  it('a fork shares what came before, and the old branch stays as it was', () => {
    const branch = (id: number, parent: number | null, forkedAt: number | null) => ({
      id,
      name: id === 0 ? 'main' : `fork ${id}`,
      parent,
      forkedAt,
      memory: true,
      steps: 10,
      pastless: null,
      damaged: [],
      crash: null,
    });
    let page = receive(open(), batch({ events: events(1, 10) }));
    page = receive(page, {
      type: 'branches',
      branches: [branch(0, null, null), branch(1, 0, 4)],
      current: 1,
    });
    const view = { ...busyView(), time: 4 };
    const rest = { options: [], preset: 'classroom', next: null, fileBytes: 9, follows: true };
    const to = { type: 'switched', storage: 'memory', ...rest } as const;
    page = receive(page, { ...to, branch: 1, step: 4, view });
    expect(shown(page)).toMatchObject({ isPast: false, last: 4 });
    page = receive(page, batch({ events: events(5, 2) }));
    expect(shown(page).last).toBe(6);
    page = receive(page, { ...to, branch: 0, step: 10, view: { ...view, time: 10 } });
    expect(shown(page).last).toBe(10);
    expect(shown(page).event?.sentence).toBe('Scan 10.');
    // The steps of a branch of an earlier visit have to be asked for.
    const last = { ...view, time: 9 };
    const back = { ...page, histories: new Map(page.histories) };
    back.histories.delete(1);
    const came = receive(back, { ...to, branch: 1, step: 9, view: last, follows: false });
    expect(shown(came)).toMatchObject({ last: 9, view: last });
    expect(missingAt(historyOf(came).timeline, 7)).toMatchObject({ from: 5, to: 9 });
    // A dropped branch leaves nothing here either.
    expect(page.histories.has(1)).toBe(true);
    page = receive(page, { type: 'branches', branches: [branch(0, null, null)], current: 0 });
    expect([...page.histories.keys()]).toEqual([0]);
    expect(shown(page).last).toBe(10);
  });

  it('shows the picture of a database that was imported while files were looked at', () => {
    const branch = (id: number, forkedAt: number | null) => ({
      ...{ id, name: `branch ${id}`, parent: id === 0 ? null : 0, forkedAt, memory: true },
      ...{ steps: 10, pastless: null, damaged: [], crash: null },
    });
    const rest = { options: [], preset: 'classroom', next: null, fileBytes: 9, follows: true };
    const to = { type: 'switched', storage: 'memory', ...rest, step: 4, view: busyView() } as const;
    const branches = [branch(0, null), branch(1, 4), branch(2, null)];
    let page = inspect(receive(open(), batch({ events: events(1, 10) })), true);
    page = receive(page, { type: 'branches', branches, current: 1 });
    page = receive(page, { ...to, branch: 1 });
    expect(page.inspecting).toBe(true);
    page = receive(page, { ...to, branch: 2 });
    expect(page.inspecting).toBe(false);
    // A later change to it leaves the files on show.
    page = receive(inspect(page, true), { ...to, branch: 0 });
    page = receive(page, { ...to, branch: 2 });
    expect(page.inspecting).toBe(true);
  });

  it('selects only what is a selection', () => {
    expect(select(open(), 'table:12').selection).toBe('table:12');
    expect(select(open(), '<script>').selection).toBeNull();
  });

  it('a failed request is no failed page; a panic is', () => {
    const page = open();
    const refused = { type: 'failed', id: 4, kind: 'io', message: 'no' } as const;
    expect(receive(page, refused)).toBe(page);
    const panic = { type: 'failed', id: null, kind: 'panic', message: 'bug' } as const;
    expect(receive(page, panic).connection).toMatchObject({ state: 'failed', kind: 'panic' });
    expect(receive(FIRST_PAGE, refused).connection.state).toBe('failed');
  });
});

it('objects go forward by a step or a detail, back by a step, and nowhere after a jump', () => {
  const at = (step: number, detail: number) => ({ step, detail });
  expect(wayOf({ came: { from: 3, detail: 0 }, place: at(4, 0) })).toBe('forward');
  expect(wayOf({ came: { from: 4, detail: 1 }, place: at(4, 2) })).toBe('forward');
  expect(wayOf({ came: { from: 4 }, place: at(4, 2) })).toBeNull();
  expect(wayOf({ came: { from: 4, isBack: true }, place: at(4, 2) })).toBe('back');
});
