import type { Message, StorageKind, WireEvent } from '../engine/protocol';
import type { ExplainResult, OptionState, PresetState, View } from './engine.generated';
import { EMPTY_VIEW, reduce } from './reduce';
import { parseSelection } from './selection';
import { type Pulse, pulseOf, touched } from './touched';
import { NOTHING_WRITTEN, reconcileWriting, reduceWriting, type Writing } from './writing';

/** How the page stands with the engine. */
export type Connection =
  | { state: 'starting' }
  | { state: 'open' }
  | { state: 'owned' }
  | { state: 'lost' }
  | { state: 'failed'; kind: string; message: string };

/** How fast Play goes: steps a second, 0 as fast as possible. */
export const SPEEDS = [
  { name: '½×', stepsPerSecond: 1 },
  { name: '1×', stepsPerSecond: 2 },
  { name: '4×', stepsPerSecond: 8 },
  { name: 'max', stepsPerSecond: 0 },
] as const;

/** How far one step goes. */
export type StepGrain = 'phase' | 'job' | 'entry';

/** A single step, for showing what moved. */
export interface Moved {
  view: View;
  writing: Writing;
  event: WireEvent;
}

/** Everything that the page shows, as one value. */
export interface Page {
  connection: Connection;
  storage: { kind: StorageKind; why: string | null; persisted: boolean; fileBytes: number };
  preset: string;
  options: readonly OptionState[];
  presets: readonly PresetState[];
  view: View;
  writing: Writing;
  /** The newest events, oldest first; at most [`EVENTS_MAX`]. */
  events: readonly WireEvent[];
  pulses: readonly Pulse[];
  next: string | null;
  /** What the last step made or changed. */
  fresh: ReadonlySet<string>;
  moved: Moved | null;
  playing: boolean;
  /** Steps a second while playing. */
  stepsPerSecond: number;
  grain: StepGrain;
  busy: { label: string; done: number; total: number | null } | null;
  selection: string | null;
  readPath: ExplainResult | null;
  /** The lookup that is drawn: the one explained last, until the next command. */
  reading: ExplainResult | null;
  /** Said to screen readers: on single steps and on pause, never while playing. */
  announcement: string;
  /** Grows with every change of the database, so that the inspector knows when to ask again. */
  version: number;
}

export const EVENTS_MAX = 5000;
const PULSES_MAX = 1200;
const FRESH_MAX = 8;
const NOTHING_FRESH: ReadonlySet<string> = new Set();

/** The page before the engine has answered. */
export const FIRST_PAGE: Page = {
  connection: { state: 'starting' },
  storage: { kind: 'memory', why: null, persisted: false, fileBytes: 0 },
  preset: 'classroom',
  options: [],
  presets: [],
  view: EMPTY_VIEW,
  writing: NOTHING_WRITTEN,
  events: [],
  pulses: [],
  next: null,
  fresh: NOTHING_FRESH,
  moved: null,
  playing: false,
  stepsPerSecond: 2,
  grain: 'phase',
  busy: null,
  selection: null,
  readPath: null,
  reading: null,
  announcement: '',
  version: 0,
};

/** The page after `message` from the worker. Pure. */
export function receive(page: Page, message: Message): Page {
  switch (message.type) {
    case 'opened':
      return opened(page, message);
    case 'owned':
      return { ...page, connection: { state: 'owned' } };
    case 'lost':
      return { ...page, connection: { state: 'lost' }, playing: false, busy: null };
    case 'events':
      return eventful(page, message);
    case 'options':
      return { ...page, options: message.options, preset: message.preset };
    case 'playing': {
      const announcement = message.playing ? '' : `Paused. ${narration(page)}`;
      return { ...page, playing: message.playing, announcement };
    }
    case 'progress': {
      const { label, done, total } = message;
      return { ...page, busy: { label, done, total } };
    }
    case 'failed':
      return failed(page, message);
    default:
      return page;
  }
}

type Of<Type extends Message['type']> = Extract<Message, { type: Type }>;

function opened(page: Page, message: Of<'opened'>): Page {
  const { storage: kind, why, persisted } = message;
  return {
    ...page,
    connection: { state: 'open' },
    storage: { ...page.storage, kind, why, persisted },
    preset: message.preset,
    options: message.options,
    presets: message.presets,
    view: message.view,
    writing: reconcileWriting(NOTHING_WRITTEN, message.view),
    version: page.version + 1,
  };
}

function eventful(page: Page, message: Of<'events'>): Page {
  const { events, elided } = message;
  let { view, writing } = page;
  for (const event of events) writing = reduceWriting(writing, event);
  if (message.view) {
    view = message.view;
    writing = reconcileWriting(writing, view);
  } else {
    view = events.reduce(reduce, view);
  }
  const last = events[events.length - 1];
  // Numbers begin again when the database is reopened: older events belong to another life.
  const restarted = events.some((event) => event.kind === 'recovery.begin');
  const pulses = events.map(pulseOf);
  return {
    ...page,
    view,
    writing,
    events: [...(restarted ? [] : page.events), ...events].slice(-EVENTS_MAX),
    pulses: [...(restarted ? [] : page.pulses), ...pulses].slice(-PULSES_MAX),
    next: message.next,
    storage: { ...page.storage, fileBytes: message.fileBytes },
    fresh: last ? freshAfter(page, events, last) : page.fresh,
    moved: elided === 0 ? movedBy(page, events) : null,
    version: page.version + 1,
  };
}

/** A few things: all of them. Many: those of the last event. */
function freshAfter(
  page: Page,
  events: readonly WireEvent[],
  last: WireEvent,
): ReadonlySet<string> {
  if (page.playing || events.length > 64) return new Set(touched(last));
  const all = new Set([...page.fresh, ...events.flatMap(touched)]);
  return all.size <= FRESH_MAX ? all : new Set(touched(last));
}

/** The one landmark of a single step; at play speed nothing travels. */
function movedBy(page: Page, events: readonly WireEvent[]): Moved | null {
  if (page.playing && (page.stepsPerSecond === 0 || page.stepsPerSecond > 2)) return null;
  const landmarks = events.filter((event) =>
    ['memtable.rotate', 'flush.install', 'compaction.install'].includes(event.kind),
  );
  const [event, second] = landmarks;
  return event && !second ? { view: page.view, writing: page.writing, event } : null;
}

function failed(page: Page, message: Of<'failed'>): Page {
  const dead = message.kind === 'panic' || page.connection.state === 'starting';
  if (!dead) return page;
  const { kind, message: text } = message;
  return {
    ...page,
    connection: { state: 'failed', kind, message: text },
    playing: false,
    busy: null,
  };
}

/** The database is being opened, for the first time or again. */
export function opening(page: Page): Page {
  return { ...page, connection: { state: 'starting' } };
}

/** A line begins to run. */
export function commandBegins(page: Page, label: string): Page {
  return {
    ...page,
    busy: { label, done: 0, total: null },
    fresh: NOTHING_FRESH,
    moved: null,
    reading: null,
    announcement: '',
  };
}

/** A line has run; its result may be something that the inspector shows. */
export function commandEnds(page: Page, result: unknown): Page {
  const reading = isReadPath(result) ? result : null;
  const readPath = reading ?? page.readPath;
  const announcement = page.playing ? '' : narration(page);
  return { ...page, busy: null, readPath, reading, announcement, version: page.version + 1 };
}

/** Selects; what is no selection selects nothing. */
export function select(page: Page, selection: string | null): Page {
  const valid = selection !== null && parseSelection(selection) ? selection : null;
  return page.selection === valid ? page : { ...page, selection: valid };
}

function isReadPath(result: unknown): result is ExplainResult {
  return typeof result === 'object' && result !== null && 'stops' in result && 'winner' in result;
}

/** The sentence of the last event, with its step. */
export function narration(page: Page): string {
  const last = page.events[page.events.length - 1];
  return last ? `Step ${last.time}. ${last.sentence}` : '';
}

/** The event that made the last one happen, as far as it is still kept. */
export function causeOf(page: Page): WireEvent | null {
  const last = page.events[page.events.length - 1];
  if (!last || last.cause === null) return null;
  const { cause } = last;
  return page.events.find((event) => event.id === cause) ?? null;
}
