import { describe, expect, it } from 'vitest';
import { SAMPLE_REPORT } from '../testing/labReport';
import { OPERATION } from '../testing/plainEvent';
import { busyView } from '../testing/sample';
import type { WireEvent } from './engine.generated';
import { losses } from './leaving';
import { FIRST_PAGE, type PageState, receive } from './page';
import { commandBegins, commandEnds } from './running';

const none = {
  elided: 0,
  detailed: true,
  landmarks: [],
  samples: [],
  view: null,
  next: null,
  fileBytes: 7,
};

function happened(page: PageState, step: number): PageState {
  const place = { id: step, detail: 0, time: step, step, job: null, cause: null };
  const event: WireEvent = { ...OPERATION, ...place, kind: 'op.scan', sentence: 'A scan.' };
  return receive(page, { type: 'events', events: [event], ...none });
}

/** A page whose database has just been opened, which took one step. */
function open(storage: 'opfs' | 'memory' = 'opfs'): PageState {
  const page = receive(FIRST_PAGE, {
    type: 'opened',
    id: 1,
    storage,
    why: null,
    view: busyView(),
    step: 0,
    isHistoryKept: storage === 'opfs',
    options: [],
    presets: [],
    preset: 'classroom',
    persisted: false,
  });
  return happened(page, 1);
}

describe('what leaving would lose', () => {
  it('is nothing after an opening alone, wherever the data is', () => {
    expect(losses(FIRST_PAGE)).toEqual([]);
    expect(losses(open())).toEqual([]);
    expect(losses(open('memory'))).toEqual([]);
  });

  it('is the history once anything has happened, where it is not kept beside the database', () => {
    expect(losses(happened(open('memory'), 2))).toEqual(['history']);
    expect(losses(happened(open(), 2))).toEqual([]);
  });

  it('is forks, reports, breakpoints and a command at work', () => {
    const page = open();
    const branch = {
      id: 0,
      name: 'main',
      parent: null,
      forkedAt: null,
      steps: 1,
      pastless: null,
      damaged: [],
      crash: null,
    };
    const main = { ...branch, memory: false };
    const fork = { ...main, id: 1, name: 'b1', parent: 0, forkedAt: 1 };
    const one = receive(page, { type: 'branches', branches: [main], current: 0 });
    expect(losses(one)).toEqual([]);
    const two = receive(page, { type: 'branches', branches: [main, fork], current: 1 });
    expect(losses(two)).toEqual([]);
    expect(losses({ ...two, isHistoryKept: false })).toEqual(['branches']);
    const running = commandBegins(page, 'lab L2');
    expect(losses(running)).toEqual(['a command']);
    expect(losses(commandEnds(running, [{ kind: 'report', value: SAMPLE_REPORT }]))).toEqual([
      'reports',
    ]);
    const point = { id: 1, name: 'before flush', kind: 'break' as const };
    const points = { ...page, breakpoints: [point as never] };
    expect(losses(points)).toEqual(['breakpoints']);
  });

  it('is nothing once the engine is gone: staying would keep nothing', () => {
    const page = happened(open('memory'), 2);
    expect(losses(receive(page, { type: 'lost' }))).toEqual([]);
    const dead = { type: 'failed', id: null, kind: 'panic', message: 'a bug' } as const;
    expect(losses(receive(page, dead))).toEqual([]);
  });
});
