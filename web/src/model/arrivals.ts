// Changes of the page to another database: by an opening, a branch, or a lesson's console.

import { type History, historyFrom, inherited, isArrival, withBranch } from './branchHistory';
import type { Message } from './engine.generated';
import type { PageState } from './page';
import { skipped } from './timelineGrow';

type Of<Type extends Message['type']> = Extract<Message, { type: Type }>;

/** The branch that every database begins with. */
export const MAIN = 0;

/** The fields of one console of the engine: a lesson has its own, the visitor has another. */
const ROOM = [
  'branches',
  'branch',
  'histories',
  'bookmarks',
  'promised',
  'breakpoints',
  'begun',
  'readPath',
  'reading',
  'comparison',
  'followed',
  'selection',
  'opened',
  'inspecting',
  'experiment',
] as const;

/** The part of the page that shows one console of the engine. */
export type Room = Pick<PageState, (typeof ROOM)[number]>;

/** The page at the beginning of a session, with one branch. */
export function fromStart(history: History) {
  return {
    branches: [],
    branch: MAIN,
    histories: new Map([[MAIN, history]]),
    bookmarks: new Map(),
    promised: null,
    breakpoints: [],
    begun: null,
    readPath: null,
    reading: null,
    comparison: null,
    ...atNow(0),
  } satisfies Partial<PageState>;
}

function atNow(from: number): Pick<PageState, 'cursor' | 'came' | 'wanted' | 'replaying'> {
  return { cursor: null, came: { from }, wanted: null, replaying: false };
}

/** The page fields that the message of a console sets. */
function stateOf(
  { storage, version }: PageState,
  { storage: kind, fileBytes, options, preset, next }: Of<'switched' | 'entered'>,
): Pick<PageState, 'storage' | 'options' | 'preset' | 'next' | 'playing' | 'version'> {
  const place = { ...storage, kind, fileBytes };
  return { storage: place, options, preset, next, playing: false, version: version + 1 };
}

/** Another branch is the current one. */
export function switched(page: PageState, message: Of<'switched'>): PageState {
  const { branch, step, view } = message;
  const histories = new Map(withBranch(page.histories, page.branches, branch, view));
  const known = histories.get(branch) ?? historyFrom(view);
  // A branch of an earlier visit made its steps before this page was loaded.
  const isMissed = !message.follows && known.timeline.last < step;
  const history = isMissed ? { ...known, timeline: skipped(known.timeline, step, view) } : known;
  const { timeline } = history;
  const reached = timeline.last === step;
  if (reached) {
    histories.set(branch, {
      ...history,
      timeline: { ...timeline, now: { ...timeline.now, view } },
    });
  }
  return {
    ...page,
    branch,
    histories,
    bookmarks: inherited(page, branch),
    ...stateOf(page, message),
    promised: reached ? null : { step, view },
    ...atNow(timeline.last),
    reading: null,
    inspecting: page.inspecting && !isArrival(page, branch),
  };
}

/** Switches to another console: that of a lesson, or back to the visitor's own. */
export function entered(page: PageState, message: Of<'entered'>): PageState {
  const { step, view, branch } = message;
  const left = Object.fromEntries(ROOM.map((name) => [name, page[name]])) as unknown as Room;
  const own = page.own ?? left;
  const begun: Room = {
    ...own,
    ...fromStart(historyFrom(view)),
    branch,
    followed: null,
    selection: null,
    opened: null,
    inspecting: false,
    experiment: null,
  };
  const room = message.lesson ? begun : own;
  const last = room.histories.get(branch)?.timeline.last ?? 0;
  return {
    ...page,
    ...room,
    ...stateOf(page, message),
    promised: last === step ? null : { step, view },
    ...atNow(last),
    own: message.lesson ? own : null,
    asking: null,
    revealed: null,
  };
}
