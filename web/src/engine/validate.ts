// The runtime side of protocol.ts: what is not exactly a request or a message is refused, with a reason.
// Requests are rebuilt from known fields, so nothing else of what was sent can reach the worker.

import type { Landmark, Query } from '../model/engine.generated';
import { BYTES_MAX, FILES_MAX, NAME_UNITS_MAX } from '../share/limits';
import type { ForeignFile, Message, PlayGrain, Request } from './protocol';

/** Longest command line [UTF-16 units]: a pasted script fits, a runaway string does not. */
const LINE_UNITS_MAX = 1 << 20;
const SETTINGS_MAX = 64;
const SETTING_UNITS_MAX = 100;
const STEPS_PER_SECOND_MAX = 1000;

/** Something that does not belong to the protocol. */
export class ProtocolError extends Error {
  /** The `id` of the request, when it had a readable one. */
  readonly id: number | null;

  constructor(message: string, id: number | null = null) {
    super(message);
    this.name = 'ProtocolError';
    this.id = id;
  }
}

type Fields = { readonly [name: string]: unknown };

function fields(value: unknown, what: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ProtocolError(`${what} is not an object`);
  }
  return value as Fields;
}

/** The own field `name`; inherited ones do not count. */
function own(from: Fields, name: string): unknown {
  return Object.hasOwn(from, name) ? from[name] : undefined;
}

function text(from: Fields, name: string, unitsMax = LINE_UNITS_MAX): string {
  const value = own(from, name);
  if (typeof value !== 'string') throw new ProtocolError(`${name} is not a string`);
  if (value.length > unitsMax) {
    throw new ProtocolError(`${name} has ${value.length} characters; ${unitsMax} are allowed`);
  }
  return value;
}

function count(from: Fields, name: string, max = Number.MAX_SAFE_INTEGER): number {
  const value = own(from, name);
  if (!Number.isSafeInteger(value) || (value as number) < 0 || (value as number) > max) {
    throw new ProtocolError(`${name} is not a whole number from 0 to ${max}`);
  }
  return value as number;
}

function flag(from: Fields, name: string): boolean {
  const value = own(from, name);
  if (typeof value !== 'boolean') throw new ProtocolError(`${name} is not true or false`);
  return value;
}

function oneOf<const Word extends string>(
  from: Fields,
  name: string,
  words: readonly Word[],
): Word {
  const value = own(from, name);
  const word = words.find((candidate) => candidate === value);
  if (word === undefined) throw new ProtocolError(`${name} is not one of ${words.join(', ')}`);
  return word;
}

function list(from: Fields, name: string): readonly unknown[] {
  const value = own(from, name);
  if (!Array.isArray(value)) throw new ProtocolError(`${name} is not a list`);
  return value;
}

function settings(from: Fields): Record<string, string> {
  const entries = Object.entries(fields(own(from, 'settings'), 'settings'));
  if (entries.length > SETTINGS_MAX) throw new ProtocolError('there are too many settings');
  const checked: Record<string, string> = Object.create(null);
  for (const [name, value] of entries) {
    if (!/^[a-z][a-z0-9_]{0,39}$/.test(name)) {
      throw new ProtocolError(`settings has a name that no option has`);
    }
    if (typeof value !== 'string' || value.length > SETTING_UNITS_MAX) {
      throw new ProtocolError(`the setting ${name} is not a short string`);
    }
    checked[name] = value;
  }
  return checked;
}

/** Files from outside: few enough, small enough, and nothing but names and bytes. */
function files(from: Fields): ForeignFile[] {
  const given = list(from, 'files');
  if (given.length > FILES_MAX) throw new ProtocolError(`there are more than ${FILES_MAX} files`);
  let total = 0;
  return given.map((item) => {
    const file = fields(item, 'a file');
    const name = text(file, 'name', NAME_UNITS_MAX);
    const bytes = own(file, 'bytes');
    // A view of shared memory could change while it is read.
    if (!(bytes instanceof Uint8Array) || !(bytes.buffer instanceof ArrayBuffer)) {
      throw new ProtocolError('the bytes of a file are no bytes');
    }
    total += bytes.length;
    if (total > BYTES_MAX) throw new ProtocolError('the files are too large');
    return { name, bytes: bytes as Uint8Array<ArrayBuffer> };
  });
}

/** A number that may be missing: then it is `null`. */
function maybeCount(from: Fields, name: string): number | null {
  const value = own(from, name);
  return value === undefined || value === null ? null : count(from, name);
}

const grains: readonly PlayGrain[] = ['phase', 'job', 'entry'];

function requestOf(from: Fields, id: number): Request {
  const type = own(from, 'type');
  switch (type) {
    case 'open': {
      const takeOver = own(from, 'takeOver') === undefined ? false : flag(from, 'takeOver');
      return {
        id,
        type,
        preset: text(from, 'preset', SETTING_UNITS_MAX),
        settings: settings(from),
        storage: oneOf(from, 'storage', ['auto', 'memory']),
        takeOver,
      };
    }
    case 'command':
      return {
        id,
        type,
        line: text(from, 'line'),
        at: maybeCount(from, 'at'),
      };
    case 'query': {
      // The engine reads it as the type that it is generated from, and refuses what does not fit.
      const query = fields(own(from, 'query'), 'the query') as unknown as Query;
      return { id, type, query, at: maybeCount(from, 'at') };
    }
    case 'window':
      return {
        id,
        type,
        from: count(from, 'from'),
        to: count(from, 'to'),
        details: flag(from, 'details'),
      };
    case 'files':
      return { id, type, files: files(from) };
    case 'play':
      return {
        id,
        type,
        grain: oneOf(from, 'grain', grains),
        stepsPerSecond: count(from, 'stepsPerSecond', STEPS_PER_SECOND_MAX),
      };
    case 'complete':
      return { id, type, line: text(from, 'line'), cursor: count(from, 'cursor', LINE_UNITS_MAX) };
    case 'cancel':
    case 'pause':
    case 'close':
      return { id, type };
    default:
      throw new ProtocolError('there is no such request');
  }
}

/** The request in `value`; throws a {@link ProtocolError} when there is none. */
export function parseRequest(value: unknown): Request {
  const from = fields(value, 'the request');
  const id = count(from, 'id');
  try {
    return requestOf(from, id);
  } catch (error) {
    if (error instanceof ProtocolError) throw new ProtocolError(error.message, id);
    throw error;
  }
}

/** Names of events: `wal.append`. Which there are is the engine's to say. */
const EVENT_NAME = /^[a-z_]{1,32}\.[a-z_]{1,32}$/;

/** What a timeline can mark: the compiler checks that none is missing. */
const landmarks: Readonly<Record<Landmark, true>> = {
  flush: true,
  compaction: true,
  rotate: true,
  stall: true,
  failure: true,
  recovery: true,
  creation: true,
};

function checkEvent(value: unknown): void {
  const event = fields(value, 'an event');
  count(event, 'id');
  count(event, 'detail');
  count(event, 'time');
  count(event, 'step');
  const kind = own(event, 'kind');
  if (typeof kind !== 'string' || !EVENT_NAME.test(kind)) {
    throw new ProtocolError('an event has a kind that is no name');
  }
  text(event, 'sentence');
  for (const touch of list(event, 'touches')) {
    const checked = fields(touch, 'an object that an event touches');
    text(checked, 'object');
    text(checked, 'effect');
  }
}

function checkView(value: unknown): void {
  const view = fields(value, 'the view');
  count(view, 'time');
  for (const name of ['memtables', 'wals', 'levels', 'jobs', 'snapshots', 'transactions'])
    list(view, name);
  for (const level of list(view, 'levels')) {
    const checked = fields(level, 'a level');
    fields(own(checked, 'score'), 'the score of a level');
    list(checked, 'tables');
  }
  count(view, 'manifest');
  count(view, 'manifestBytes');
  count(view, 'lastSequence');
}

const styles = ['plain', 'dim', 'strong', 'key', 'value', 'number', 'good', 'bad'];

function checkLine(value: unknown): void {
  for (const item of list(fields(value, 'a line'), 'spans')) {
    const span = fields(item, 'a piece of a line');
    text(span, 'text');
    const style = own(span, 'style');
    if (typeof style === 'string' && styles.includes(style)) continue;
    text(fields(style, 'a style'), 'link');
  }
}

function checkOptions(from: Fields): void {
  for (const item of list(from, 'options')) {
    const option = fields(item, 'an option');
    for (const name of ['name', 'unit', 'purpose', 'value']) text(option, name);
  }
  text(from, 'preset');
}

function checkPresets(from: Fields): void {
  for (const item of list(from, 'presets')) {
    const preset = fields(item, 'a preset');
    text(preset, 'name');
    text(preset, 'purpose');
  }
}

function checkFailure(value: unknown): void {
  const failure = fields(value, 'a failure');
  text(failure, 'kind');
  text(failure, 'message');
  if (own(failure, 'hint') !== null) text(failure, 'hint');
}

function checkBranch(value: unknown): void {
  const branch = fields(value, 'a branch');
  count(branch, 'id');
  text(branch, 'name');
  maybeCount(branch, 'parent');
  maybeCount(branch, 'forkedAt');
  oneOf(branch, 'storage', storages);
  count(branch, 'steps');
  if (own(branch, 'pastless') !== null) text(branch, 'pastless');
  list(branch, 'damaged').forEach(checkDamage);
}

function checkDamage(value: unknown): void {
  const damage = fields(value, 'a damaged byte');
  text(damage, 'file');
  for (const name of ['offset', 'mask', 'step']) count(damage, name);
}

function checkBreakpoint(value: unknown): void {
  const point = fields(value, 'a breakpoint');
  count(point, 'number');
  text(point, 'text');
  count(point, 'hits');
}

function checkLandmark(value: unknown): void {
  const mark = fields(value, 'a landmark');
  count(mark, 'step');
  const kind = own(mark, 'kind');
  if (typeof kind !== 'string' || !Object.hasOwn(landmarks, kind)) {
    throw new ProtocolError('a landmark has a kind that does not exist');
  }
}

const figures = ['writeAmplification', 'readAmplification', 'spaceAmplificationEstimate'];

function checkSample(value: unknown): void {
  const sample = fields(value, 'a sample');
  for (const name of ['step', 'stalls', 'slowdowns']) count(sample, name);
  for (const key of figures) {
    if (!Number.isFinite(own(sample, key) ?? 0)) throw new ProtocolError(`${key} is not a number`);
  }
  for (const bytes of list(sample, 'levelBytes')) count({ bytes }, 'bytes');
}

function checkEvents(from: Fields): void {
  list(from, 'events').forEach(checkEvent);
  const elided = count(from, 'elided');
  list(from, 'landmarks').forEach(checkLandmark);
  list(from, 'samples').forEach(checkSample);
  const view = own(from, 'view');
  if (view !== null) checkView(view);
  else if (elided > 0) throw new ProtocolError('events are missing and so is the view');
  if (own(from, 'next') !== null) text(from, 'next');
  count(from, 'fileBytes');
}

const storages = ['opfs', 'memory'] as const;

const checks: Readonly<Record<Message['type'], (from: Fields) => void>> = {
  opened(from) {
    count(from, 'id');
    oneOf(from, 'storage', storages);
    if (own(from, 'why') !== null) text(from, 'why');
    checkView(own(from, 'view'));
    checkOptions(from);
    checkPresets(from);
    flag(from, 'persisted');
  },
  owned: (from) => void count(from, 'id'),
  lost() {},
  events: checkEvents,
  options: checkOptions,
  output(from) {
    count(from, 'id');
    list(from, 'lines').forEach(checkLine);
  },
  progress(from) {
    count(from, 'id');
    count(from, 'done');
    if (own(from, 'total') !== null) count(from, 'total');
    text(from, 'label');
  },
  done(from) {
    count(from, 'id');
    if (own(from, 'error') !== null) checkFailure(own(from, 'error'));
  },
  completions(from) {
    count(from, 'id');
    for (const item of list(from, 'items')) {
      const completion = fields(item, 'a completion');
      text(completion, 'text');
      text(completion, 'kind');
      count(completion, 'from');
    }
  },
  pick() {},
  exported(from) {
    text(from, 'name', NAME_UNITS_MAX);
    if (!(own(from, 'bytes') instanceof Uint8Array)) throw new ProtocolError('there is no file');
  },
  window(from) {
    for (const name of ['id', 'from', 'to']) count(from, name);
    list(from, 'events').forEach(checkEvent);
    checkView(own(from, 'view'));
  },
  branches(from) {
    list(from, 'branches').forEach(checkBranch);
    count(from, 'current');
  },
  switched(from) {
    for (const name of ['branch', 'step', 'fileBytes']) count(from, name);
    oneOf(from, 'storage', storages);
    checkView(own(from, 'view'));
    checkOptions(from);
    if (own(from, 'next') !== null) text(from, 'next');
  },
  breakpoints: (from) => list(from, 'breakpoints').forEach(checkBreakpoint),
  shelf: (from) => void count(from, 'files'),
  break(from) {
    for (const name of ['step', 'breakpoint']) count(from, name);
    text(from, 'name');
    flag(from, 'before');
  },
  playing: (from) => void flag(from, 'playing'),
  closed: (from) => void count(from, 'id'),
  failed(from) {
    if (own(from, 'id') !== null) count(from, 'id');
    text(from, 'kind');
    text(from, 'message');
  },
};

/** The message in `value`; throws a {@link ProtocolError} when there is none. */
export function parseMessage(value: unknown): Message {
  const from = fields(value, 'the message');
  const type = own(from, 'type');
  if (typeof type !== 'string' || !Object.hasOwn(checks, type)) {
    throw new ProtocolError('there is no such message');
  }
  checks[type as Message['type']](from);
  return value as Message;
}
