// @vitest-environment node
// Nothing but messages is taken; the checker agrees with a library on every value. Requests are refused by the
// engine, which its own tests try (console/src/protocol/request/tests.rs).

import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Message } from '../model/engine.generated';
import { inMemory, loadWasm, type Page } from '../testing/hostPage';
import { OPERATION } from '../testing/plainEvent';
import schema from './message.schema.json';
import { checkOf } from './schema';
import type { Wasm } from './wasm';
import { arrivalOf, ProtocolError, parseMessage } from './wire';

let wasm: Pick<Wasm<never>, 'checkRequest'>;
beforeAll(async () => {
  wasm = await loadWasm();
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
    manifestEdits: [],
    manifestUnsynced: 0,
    current: 0,
    lastSequence: 0,
    stall: null,
    slowdown: null,
    readOnly: null,
  };
  const fork = { id: 1, name: 'fork 1', parent: 0, forkedAt: 7, memory: true, steps: 9 };
  const branches = {
    type: 'branches',
    branches: [{ ...fork, pastless: null, damaged: [], crash: null }],
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
    detailed: true,
    landmarks: [{ step: 1, kind: 'flush' }],
    samples: [sample],
    view: null,
    next: null,
    fileBytes: 1,
  };

  it('are taken as they are', () => {
    expect(parseMessage({ ...events, elided: 3, view }).type).toBe('events');
    const exported = { type: 'exported', name: 'a', bytes: new Uint8Array(1) };
    expect(parseMessage(exported)).toBe(exported);
    expect(parseMessage(events)).toBe(events);
    expect(parseMessage({ type: 'lost' })).toEqual({ type: 'lost' });
    expect(parseMessage(branches)).toBe(branches);
    expect(parseMessage(window)).toBe(window);
    const point = { number: 1, text: 'on drop', hits: 2 };
    expect(parseMessage({ type: 'breakpoints', breakpoints: [point] }).type).toBe('breakpoints');
    const hit = { type: 'break', step: 9, breakpoint: 1, name: 'flush.install', before: true };
    expect(parseMessage(hit)).toBe(hit);
    const at = {
      branch: 1,
      storage: 'memory',
      step: 9,
      view,
      next: null,
      fileBytes: 1,
      follows: true,
    };
    const switched = { type: 'switched', ...at, options: [], preset: 'classroom' };
    expect(parseMessage(switched)).toBe(switched);
    const line = { spans: [{ text: 'table 12', style: { link: 'table:12' } }] };
    expect(parseMessage({ type: 'output', id: 1, lines: [line] }).type).toBe('output');
  });

  it('are taken as the text that the engine wrote', () => {
    expect(parseMessage(JSON.stringify(events))).toEqual(events);
    expect(parseMessage('{"type":"lost"}')).toEqual({ type: 'lost' });
  });

  it.each([
    [null],
    ['lost'],
    [[{ type: 'lost' }]],
    [{ type: 'toString' }],
    [{ type: ['lost'] }],
    [Object.create({ type: 'lost' })],
    [{ type: 'exported', name: 'a', bytes: [1] }],
    [{ type: 'options', options: [{ name: 'a' }], preset: 'x' }],
    [{ ...events, events: [{ ...event, kind: 7 }] }],
    [{ ...events, events: [{ ...event, patches: [{ of: 'nonsense' }] }] }],
    [{ ...events, events: [{ ...event, patches: [{ of: 'log', edit: { remove: 'x' } }] }] }],
    [{ ...events, events: [{ ...event, landmark: 'never' }] }],
    [{ ...events, events: [{ ...event, touches: [{ object: 3 }] }] }],
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
    ['{"type":"lost"'],
    ['{"type":"lose"}'],
    ['"lost"'],
    [{ type: 'output', id: 1, lines: [{ spans: [{ text: 1, style: 'plain' }] }] }],
    [{ type: 'output', id: 1, lines: [{ spans: [{ text: 'x', style: 'blink' }] }] }],
    [{ type: 'failed', id: 'x', kind: 'panic', message: '' }],
    [{ type: 'opened', id: 1, storage: 'opfs', why: null, view: {}, options: [], presets: [] }],
  ])('refuses %j', (value) => {
    expect(() => parseMessage(value)).toThrow(ProtocolError);
  });
});

/** What the tests of the host hear from the real engine. */
async function heard(): Promise<readonly Message[]> {
  const page: Page = inMemory();
  await page.open();
  await page.command('fill 60 --words --seed 7; run; break on drop; fork; put a 1; begin; put b 2');
  await page.command('nonsense');
  await page.ask({ type: 'complete', line: 'pu', cursor: 2 });
  await page.ask({ type: 'window', branch: null, from: 1, to: 9, details: true });
  await page.ask({ type: 'close' });
  return page.heard;
}

describe('the checker of schemas', () => {
  const library = new Ajv2020({ allowUnionTypes: true, strictTypes: false });
  library.addKeyword({
    keyword: 'bytes',
    validate: (_: true, data: unknown) => data instanceof Uint8Array,
  });
  const agreed = library.compile(schema);
  const check = checkOf(schema);

  it('agrees with a library on every message of the engine, and on each with one thing changed', async () => {
    const messages = await heard();
    const types = new Set(messages.map(({ type }) => type));
    expect(types.size).toBeGreaterThan(8);
    for (const message of messages) expect(check(message), message.type).toBeNull();
    const odd = fc.constantFrom(null, -1, 0.5, 'x', true, [], {}, undefined, Number.NaN);
    let refused = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...messages),
        fc.infiniteStream(fc.nat()),
        odd,
        (message, turns, value) => {
          const changed = changedAt(structuredClone(message), turns, value);
          const isMessage = agreed(changed);
          expect(check(changed) === null, JSON.stringify(agreed.errors)).toBe(isMessage);
          if (!isMessage) refused += 1;
        },
      ),
      { numRuns: 3000 },
    );
    expect(refused).toBeGreaterThan(500);
  });

  it('refuses a schema that asks for more than it knows', () => {
    for (const unknown of [{ pattern: 'x' }, { type: 'date' }, { additionalProperties: true }]) {
      expect(() => checkOf(unknown)).toThrow(/schema/);
    }
    expect(() => checkOf({ $ref: '#/$defs/None' })(1)).toThrow(/no #/);
  });
});

/** `tree` with another value somewhere in it: `turns` lead there. */
function changedAt(tree: unknown, turns: Iterator<number>, value: unknown): unknown {
  let place = tree as Record<string, unknown>;
  for (;;) {
    const names = Object.keys(place);
    const name = names[turns.next().value % names.length];
    if (name === undefined) return tree;
    const inner = place[name];
    const goesOn = typeof inner === 'object' && inner !== null && Object.keys(inner).length > 0;
    if (!goesOn || turns.next().value % 5 === 0) {
      if (value === undefined) delete place[name];
      else place[name] = value;
      return tree;
    }
    place = inner as Record<string, unknown>;
  }
}

describe('anything at all', () => {
  const words = [
    'open',
    'command',
    'events',
    'done',
    'failed',
    'type',
    'id',
    'request',
    '__proto__',
    'view',
  ];
  const word = fc.oneof(fc.constantFrom(...words), fc.string());
  const value = fc.oneof(
    fc.anything(),
    fc.dictionary(word, fc.oneof(word, fc.nat(), fc.boolean(), fc.anything())),
  );

  it('is either a message or refused, and changes nothing', () => {
    fc.assert(
      fc.property(value, (data) => {
        try {
          parseMessage(data);
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolError);
        }
      }),
      { numRuns: 5000 },
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('is either a request or refused, with its number where it has one', () => {
    const request = fc.record({ id: fc.oneof(fc.nat(), fc.anything()), request: value });
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      request.map((data) => JSON.stringify(data) ?? ''),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          text.map((sent) => [sent]),
          fc.array(value),
          value,
        ),
        (data) => {
          const arrival = arrivalOf(data, (sent) => wasm.checkRequest(sent));
          expect('request' in arrival || arrival.type === 'failed').toBe(true);
        },
      ),
      { numRuns: 5000 },
    );
    const named = arrivalOf(['{"id":7,"request":{"type":"nonsense"}}'], (sent) =>
      wasm.checkRequest(sent),
    );
    expect(named).toMatchObject({ type: 'failed', id: 7, kind: 'protocol' });
    const inherited = '{"id":7,"request":{"type":"close","__proto__":{"line":"x"}}}';
    expect(arrivalOf([inherited], (sent) => wasm.checkRequest(sent))).toMatchObject({
      id: 7,
      kind: 'protocol',
    });
  });
});
