import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OPERATION } from '../testing/plainEvent';
import { ProtocolError, parseMessage, parseRequest } from './validate';

const open = { id: 1, type: 'open', preset: 'classroom', settings: {}, storage: 'auto' };

describe('requests', () => {
  it('are rebuilt from the fields that they have', () => {
    expect(parseRequest({ ...open, extra: 1 })).toEqual({ ...open, takeOver: false });
    expect(parseRequest({ id: 2, type: 'command', line: 'put a 1' })).toEqual({
      id: 2,
      type: 'command',
      line: 'put a 1',
      at: null,
    });
    const asked = { id: 3, type: 'command', line: 'get a', at: 12 };
    expect(parseRequest(asked)).toEqual(asked);
    const window = { id: 3, type: 'window', from: 3, to: 9, details: true };
    expect(parseRequest({ ...window, view: {} })).toEqual(window);
    const query = { id: 3, type: 'query', query: { ask: 'stats' }, at: 7 };
    expect(parseRequest({ ...query, more: 1 })).toEqual(query);
    expect(parseRequest({ id: 3, type: 'play', grain: 'job', stepsPerSecond: 0 }).type).toBe(
      'play',
    );
    for (const type of ['cancel', 'pause', 'close']) {
      expect(parseRequest({ id: 4, type, line: 'x' })).toEqual({ id: 4, type });
    }
  });

  it.each([
    [null],
    ['open'],
    [[open]],
    [{ ...open, id: -1 }],
    [{ ...open, id: 1.5 }],
    [{ ...open, id: '1' }],
    [{ ...open, type: 'format' }],
    [{ ...open, type: 'constructor' }],
    [{ ...open, storage: 'disk' }],
    [{ ...open, takeOver: 'yes' }],
    [{ ...open, settings: null }],
    [{ ...open, settings: { memtable_bytes: 64 } }],
    [{ ...open, settings: { 'Bad Name': '1' } }],
    [{ ...open, settings: JSON.parse('{"__proto__": "1"}') }],
    [{ id: 1, type: 'command', line: 'x'.repeat(2 ** 20 + 1) }],
    [{ id: 1, type: 'command', line: 'x', at: -1 }],
    [{ id: 1, type: 'query', query: 'stats', at: null }],
    [{ id: 1, type: 'query', query: { ask: 'stats' }, at: 'now' }],
    [{ id: 1, type: 'window', from: 1, to: 0.5, details: true }],
    [{ id: 1, type: 'window', from: 1, to: 2 }],
    [{ id: 1, type: 'play', grain: 'week', stepsPerSecond: 1 }],
    [{ id: 1, type: 'play', grain: 'job', stepsPerSecond: Number.NaN }],
    [{ id: 1, type: 'complete', line: 'x', cursor: -1 }],
  ])('refuses %j', (value) => {
    expect(() => parseRequest(value)).toThrow(ProtocolError);
  });

  it('names the request that was wrong', () => {
    try {
      parseRequest({ id: 7, type: 'nonsense' });
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(ProtocolError);
      expect((error as ProtocolError).id).toBe(7);
    }
  });
});

describe('messages', () => {
  const place = { id: 1, detail: 0, time: 1, step: 1, job: null, cause: null };
  const event = { ...OPERATION, ...place, kind: 'op.sync', sentence: 'A sync.' };
  const view = {
    time: 0,
    memtables: [],
    wals: [],
    levels: [],
    jobs: [],
    snapshots: [],
    transactions: [],
    manifest: 0,
    manifestBytes: 0,
    lastSequence: 0,
  };
  const fork = { id: 1, name: 'fork 1', parent: 0, forkedAt: 7, storage: 'memory', steps: 9 };
  const branches = {
    type: 'branches',
    branches: [{ ...fork, pastless: null, damaged: [] }],
    current: 1,
  };
  const window = { type: 'window', id: 1, from: 1, to: 1, events: [event], view };
  const sample = {
    step: 1,
    writeAmplification: 1.5,
    readAmplification: 0,
    spaceAmplificationEstimate: 1,
    levelBytes: [0, 10],
    stalls: 0,
    slowdowns: 0,
  };
  const events = {
    type: 'events',
    events: [event],
    elided: 0,
    landmarks: [{ step: 1, kind: 'flush' }],
    samples: [sample],
    view: null,
    next: null,
    fileBytes: 1,
  };

  it('are taken as they are', () => {
    expect(parseMessage(events)).toBe(events);
    expect(parseMessage({ type: 'lost' })).toEqual({ type: 'lost' });
    expect(parseMessage(branches)).toBe(branches);
    expect(parseMessage(window)).toBe(window);
    const point = { number: 1, text: 'on drop', hits: 2 };
    expect(parseMessage({ type: 'breakpoints', breakpoints: [point] }).type).toBe('breakpoints');
    const hit = { type: 'break', step: 9, breakpoint: 1, name: 'flush.install', before: true };
    expect(parseMessage(hit)).toBe(hit);
    const at = { branch: 1, storage: 'memory', step: 9, view, next: null, fileBytes: 1 };
    const switched = { type: 'switched', ...at, options: [], preset: 'classroom' };
    expect(parseMessage(switched)).toBe(switched);
    const line = { spans: [{ text: 'table 12', style: { link: 'table:12' } }] };
    expect(parseMessage({ type: 'output', id: 1, lines: [line] }).type).toBe('output');
  });

  it.each([
    [{ type: 'toString' }],
    [{ ...events, events: [{ ...event, kind: 'op' }] }],
    [{ ...events, events: [{ ...event, touches: [{ object: 3 }] }] }],
    [{ ...events, events: [{ ...event, kind: '__proto__' }] }],
    [{ ...events, elided: 3 }],
    [{ ...events, landmarks: [{ step: 1, kind: 'never' }] }],
    [{ ...events, samples: [{ ...sample, writeAmplification: 'much' }] }],
    [{ ...events, samples: [{ ...sample, levelBytes: [-1] }] }],
    [{ ...events, events: [{ ...event, step: -1 }] }],
    [{ ...window, view: null }],
    [{ ...branches, branches: [fork] }],
    [{ ...branches, current: null }],
    [{ type: 'break', step: 1, breakpoint: 1, name: 'x', before: 'yes' }],
    [{ type: 'breakpoints', breakpoints: [{ number: 1 }] }],
    [{ type: 'switched', branch: 1 }],
    [{ type: 'output', id: 1, lines: [{ spans: [{ text: 1, style: 'plain' }] }] }],
    [{ type: 'output', id: 1, lines: [{ spans: [{ text: 'x', style: 'blink' }] }] }],
    [{ type: 'failed', id: 'x', kind: 'panic', message: '' }],
    [{ type: 'opened', id: 1, storage: 'opfs', why: null, view: {}, options: [], presets: [] }],
  ])('refuses %j', (value) => {
    expect(() => parseMessage(value)).toThrow(ProtocolError);
  });
});

describe('anything at all', () => {
  const words = ['open', 'command', 'events', 'done', 'failed', 'type', 'id', '__proto__', 'view'];
  const word = fc.oneof(fc.constantFrom(...words), fc.string());
  const value = fc.oneof(
    fc.anything(),
    fc.dictionary(word, fc.oneof(word, fc.nat(), fc.boolean(), fc.anything())),
  );

  it('is either understood or refused, and changes nothing', () => {
    fc.assert(
      fc.property(value, (data) => {
        for (const parse of [parseRequest, parseMessage]) {
          try {
            parse(data);
          } catch (error) {
            expect(error).toBeInstanceOf(ProtocolError);
          }
        }
      }),
      { numRuns: 5000 },
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
