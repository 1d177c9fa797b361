import { type Address, PICTURE } from './address';
import { entered, fromStart, type Room, switched } from './arrivals';
import {
  type Histories,
  type History,
  historyAfter,
  historyFrom,
  kept,
  sentenceAt,
  withEvents,
} from './branchHistory';
import { type Comparison, comparisonOn } from './comparison';
import {
  type BranchState,
  type Breakpoint,
  type ExplainResult,
  type Failure,
  type Grain,
  type LabReport,
  type LessonState,
  type Message,
  type OptionState,
  PLAY_RATE,
  type PresetState,
  type StorageKind,
  type View,
} from './engine.generated';
import type { ReadAnswer } from './readMoment';
import { EMPTY_VIEW } from './reduce';
import { openedOf, parseSelection } from './selection';
import { shownEvent } from './timeline';
import { type Bookmark, withMarks } from './timelineMarks';
import { endOfTime, type Place, stepName } from './timelineWalk';
import { unopenedText } from './unopened';

export type { Page } from './shown';

/** The state of the connection to the engine. */
export type Connection =
  | { state: 'starting' }
  | { state: 'open' }
  | { state: 'owned' }
  | { state: 'lost' }
  | { state: 'failed'; kind: string; message: string };

/**
 * Everything that the page holds, as one value. The view of the database is no part of it: that
 * follows from the history and the cursor, see `shown`.
 */
export interface PageState extends Address {
  connection: Connection;
  storage: { kind: StorageKind; why: string | null; persisted: boolean; fileBytes: number };
  preset: string;
  options: readonly OptionState[];
  presets: readonly PresetState[];
  branches: readonly BranchState[];
  /** The branch that is shown and worked on. */
  branch: number;
  histories: Histories;
  /** The step on show; `null`: now, which follows every new event. */
  cursor: Place | null;
  came: Came;
  /** The requested step, while its events are fetched. */
  wanted: number | null;
  /** State at a step whose events are still to come. */
  promised: { step: number; view: View } | null;
  /** Whether history and branches survive a reload of the page. */
  isHistoryKept: boolean;
  /** By branch. They last as long as the histories do. */
  bookmarks: ReadonlyMap<number, readonly Bookmark[]>;
  breakpoints: readonly Breakpoint[];
  /** The step at which the opening of the database was over; `null` while it is opened. */
  begun: number | null;
  next: string | null;
  playing: boolean;
  /** Play, in the past: the cursor goes on by itself. */
  replaying: boolean;
  /** Steps a second while playing. */
  stepsPerSecond: number;
  grain: Grain;
  /** The last failed opening, which left its branch without a database. */
  failedOpening: { branch: number; failure: Failure } | null;
  busy: { label: string; done: number; total: number | null } | null;
  /** A command that would change the past: the page asks whether to fork. `from`: the step of the fork. */
  asking: { command: string; step: number; from: number } | null;
  /** The comparison made last, while both of its branches are there. */
  comparison: Comparison | null;
  /** The results of experiments, by the id of the lab: the last run of each. */
  reports: ReadonlyMap<string, LabReport>;
  readPath: ReadAnswer | null;
  followed: string | null;
  /** The lookup that is drawn: the one explained last, until the next command. */
  reading: ExplainResult | null;
  /** Which stop of that lookup is shown, from 0 on. */
  readingStop: number;
  /** Whether verdicts stay hidden until they are revealed. */
  predicts: boolean;
  /** The verdict that has been revealed, as {@link verdictAt} names it. */
  revealed: string | null;
  /** Text for screen readers: on single steps and on pause, never while playing. */
  announcement: string;
  /** The lesson that is played. */
  lesson: LessonState | null;
  /** The visitor's own room, as it was left for that of a lesson. */
  own: Room | null;
  /** Grows with every change of the database, so that the inspector knows when to ask again. */
  version: number;
  /** The version in which a command ended whose answer stands in the terminal alone; 0: none has. */
  told: number;
}

/** The way to the place on show. */
export interface Came {
  /** The step that it began at: changes since then stand out. */
  from: number;
  /** The detail of this step that it began at; absent: a move within the step is no way. */
  detail?: number;
  /** One step back. */
  isBack?: boolean;
}

/** The direction of the motion; `null` after a jump: objects do not move. */
export function wayOf({ came, place }: Pick<PageState, 'came'> & { place: Place }): Way | null {
  if (came.isBack) return 'back';
  const { from, detail = Number.POSITIVE_INFINITY } = came;
  return from < place.step || (from === place.step && detail < place.detail) ? 'forward' : null;
}

export type Way = 'forward' | 'back';

/** The page before the engine has answered. */
export const FIRST_PAGE: PageState = {
  connection: { state: 'starting' },
  storage: { kind: 'memory', why: null, persisted: false, fileBytes: 0 },
  preset: 'classroom',
  options: [],
  presets: [],
  ...fromStart(historyFrom(EMPTY_VIEW)),
  isHistoryKept: false,
  next: null,
  playing: false,
  stepsPerSecond: PLAY_RATE,
  grain: 'phase',
  failedOpening: null,
  busy: null,
  asking: null,
  ...PICTURE,
  reports: new Map(),
  followed: null,
  readingStop: 0,
  predicts: false,
  revealed: null,
  announcement: '',
  lesson: null,
  own: null,
  version: 0,
  told: 0,
};

/** The history of the current branch. */
export function historyOf(page: Pick<PageState, 'histories' | 'branch'>): History {
  return page.histories.get(page.branch) ?? historyFrom(EMPTY_VIEW);
}

/** The page after `message` from the worker. Pure. */
export function receive(page: PageState, message: Message): PageState {
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
    case 'branches':
      return { ...page, ...kept(page, message.branches), ...comparisonOn(page, message.branches) };
    case 'switched':
      return switched(page, message);
    case 'entered':
      return entered(page, message);
    case 'lesson':
      return { ...page, lesson: message.lesson };
    case 'breakpoints':
      return { ...page, breakpoints: message.breakpoints };
    case 'break':
      return struck(page, message);
    case 'playing': {
      const announcement = message.playing ? '' : `Paused. ${narration(page)}`;
      const stepsPerSecond = message.stepsPerSecond ?? page.stepsPerSecond;
      return { ...page, playing: message.playing, stepsPerSecond, announcement };
    }
    case 'progress': {
      // Work without a typed command, such as fetching the past, is not announced.
      if (!page.busy) return page;
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

function opened(page: PageState, message: Of<'opened'>): PageState {
  const { storage: kind, why, persisted } = message;
  return {
    ...page,
    connection: { state: 'open' },
    storage: { ...page.storage, kind, why, persisted },
    isHistoryKept: message.isHistoryKept,
    preset: message.preset,
    options: message.options,
    presets: message.presets,
    ...fromStart(historyAfter(message.step, message.view)),
    version: page.version + 1,
  };
}

function eventful(page: PageState, message: Of<'events'>): PageState {
  const { events } = message;
  const before = historyOf(page);
  const { promised } = page;
  const end = events[events.length - 1]?.step;
  const view = message.view ?? (promised && promised.step === end ? promised.view : null);
  const history = withEvents(before, message, view);
  const { last } = before.timeline;
  const goesOn = page.busy !== null && page.came.from <= last;
  return {
    ...page,
    histories: new Map(page.histories).set(page.branch, history),
    promised: end === undefined ? promised : null,
    // The first events after an opening are those of the opening.
    begun: page.begun ?? history.timeline.last,
    came:
      page.cursor === null && events.length > 0
        ? goesOn
          ? page.came
          : { from: last, detail: endOfTime(before.timeline).detail }
        : page.came,
    // When the engine works without a command, the explained read belongs to an older state.
    reading: page.busy === null && events.length > 0 ? null : page.reading,
    next: message.next,
    storage: { ...page.storage, fileBytes: message.fileBytes },
    version: page.version + 1,
  };
}

/** Whether single steps are too fast for the eye. */
export function isFast({ playing, stepsPerSecond }: PageState): boolean {
  return playing && (stepsPerSecond === 0 || stepsPerSecond > 2);
}

/** The parts of the page that change by themselves while work goes on. */
const FLOWING: ReadonlySet<string> = new Set<keyof PageState>([
  'histories',
  'promised',
  'begun',
  'came',
  'next',
  'storage',
  'busy',
  'announcement',
  'version',
]);

/** Whether the two differ only by work that is too fast or too much to be read on the way. */
export function onlyFlowed(before: PageState, after: PageState): boolean {
  const flows = (page: PageState) => isFast(page) || page.busy !== null;
  if (!flows(before) || !flows(after)) return false;
  const names = Object.keys(after) as (keyof PageState)[];
  return names.every((name) => FLOWING.has(name) || Object.is(before[name], after[name]));
}

function struck(page: PageState, { step, before }: Of<'break'>): PageState {
  const history = historyOf(page);
  const { timeline } = history;
  const marks = withMarks(history.marks, [{ step, kind: 'break' }]);
  const at = before ? step - 1 : step;
  const histories = new Map(page.histories).set(page.branch, { ...history, marks });
  const cursor = at >= timeline.last ? null : { step: Math.max(at, 1), detail: 0 };
  const came = { from: at };
  const next = { ...page, histories, cursor, came, playing: false };
  return { ...next, announcement: `Breakpoint. ${narration(next)}` };
}

function failed(page: PageState, message: Of<'failed'>): PageState {
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
export function opening(page: PageState): PageState {
  return { ...page, connection: { state: 'starting' } };
}

/** Shows an experiment, or the picture again. */
export function experiment(page: PageState, id: string | null): PageState {
  return page.experiment === id ? page : { ...page, experiment: id, inspecting: false };
}

/** Shows another directory of an engine, or the playground again. */
export function directory(page: PageState, name: string | null): PageState {
  if (name === null && page.directory === null) return page;
  return { ...page, directory: name, opened: null, inspecting: false, window: null };
}

/** Selects; an invalid selection selects nothing. */
export function select(page: PageState, selection: string | null): PageState {
  const valid = selection !== null && parseSelection(selection) ? selection : null;
  return page.selection === valid ? page : { ...page, selection: valid };
}

/** Shows an object of the picture or a part of it from inside, and selects it; `null` shows the tree. */
export function lookInside(page: PageState, id: string | null): PageState {
  const opened = openedOf(id);
  const isOwn = page.directory === null;
  return { ...page, opened, selection: (isOwn && opened) || page.selection };
}

/** Goes to the view of an address. */
export function goTo(page: PageState, address: Address): PageState {
  return { ...page, ...address };
}

/** The bookmarks of the branch that is shown. */
export function bookmarksOf(page: Pick<PageState, 'bookmarks' | 'branch'>): readonly Bookmark[] {
  return page.bookmarks.get(page.branch) ?? [];
}

/** With other bookmarks on the branch that is shown. */
export function withBookmarks(page: PageState, bookmarks: readonly Bookmark[]): PageState {
  return { ...page, bookmarks: new Map(page.bookmarks).set(page.branch, bookmarks) };
}

/** The place that the page shows; now is after the last detail. */
export function placeOf(page: Pick<PageState, 'cursor' | 'histories' | 'branch'>): Place {
  return page.cursor ?? endOfTime(historyOf(page).timeline);
}

/** Shows the bytes of files, or the picture again. */
export function inspect(page: PageState, inspecting: boolean): PageState {
  return page.inspecting === inspecting ? page : { ...page, inspecting, experiment: null };
}

/** The sentence that is shown, with its step. */
export function narration(page: PageState): string {
  const event = shownEvent(historyOf(page).timeline, placeOf(page));
  const unopened = unopenedText(page);
  const sentence = sentenceAt({ ...page, unopened }, placeOf(page).step, event);
  return sentence === null ? '' : `${stepName(placeOf(page))} ${sentence}`;
}
