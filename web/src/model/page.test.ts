import { describe, expect, it } from 'vitest';
import type { Message, WireEvent } from '../engine/protocol';
import { busyView } from '../testing/sample';
import {
  commandBegins,
  commandEnds,
  EVENTS_MAX,
  FIRST_PAGE,
  narration,
  receive,
  select,
} from './page';

function open() {
  return receive(FIRST_PAGE, {
    type: 'opened',
    id: 1,
    storage: 'opfs',
    why: null,
    view: busyView(),
    options: [],
    presets: [],
    preset: 'classroom',
    persisted: false,
  });
}

function events(from: number, count: number): WireEvent[] {
  return Array.from({ length: count }, (_, index) => ({
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
  return { type: 'events', events: [], elided: 0, view: null, next: null, fileBytes: 7, ...change };
}

describe('page', () => {
  it('keeps a bounded number of events', () => {
    let page = open();
    for (let from = 1; from < 12_000; from += 500) {
      page = receive(page, batch({ events: events(from, 500) }));
    }
    expect(page.events).toHaveLength(EVENTS_MAX);
    expect(narration(page)).toBe('Step 12000. Scan 12000.');
  });

  it('takes a checkpoint instead of folding', () => {
    const view = { ...busyView(), time: 900, lastSequence: 555 };
    const page = receive(open(), batch({ events: events(900, 1), elided: 700, view }));
    expect(page.view).toBe(view);
    expect(page.moved).toBeNull();
  });

  it('announces single steps and pauses, but nothing while playing', () => {
    let page = commandBegins(open(), 'step');
    page = receive(page, batch({ events: events(1, 1) }));
    expect(page.announcement).toBe('');
    page = commandEnds(page, null);
    expect(page.announcement).toBe('Step 1. Scan 1.');
    page = receive(page, { type: 'playing', playing: true });
    page = receive(page, batch({ events: events(2, 1) }));
    expect(page.announcement).toBe('');
    page = receive(page, { type: 'playing', playing: false });
    expect(page.announcement).toBe('Paused. Step 2. Scan 2.');
  });

  it('starts its events anew when the database was reopened', () => {
    let page = receive(open(), batch({ events: events(1, 10) }));
    const [first] = events(1, 1);
    const begin = { ...first, kind: 'recovery.begin', files: 3, foreignFiles: 0 } as WireEvent;
    page = receive(page, batch({ events: [begin], view: busyView() }));
    expect(page.events).toHaveLength(1);
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
