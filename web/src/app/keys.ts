import { comparisonShown } from '../model/comparison';
import type { PageState } from '../model/page';
import type { Goal } from '../model/travel';
import { type KeyMap, useClicker, useKeys } from '../views/shared/useKeys';
import type { Lab } from './lab';
import type { Show } from './useShow';

/** The keys of the page and those of a clicker, which work even where single keys are switched off. */
export function useAppKeys(
  lab: Lab,
  actions: Actions,
  enabled: boolean,
  singleKeys: boolean,
): void {
  const fold = () => {
    actions.watch();
    if (document.activeElement?.closest('.terminal-pane')) actions.leaveTerminal();
  };
  useKeys(pageKeys(lab, actions), enabled && singleKeys);
  useClicker(clickerKeys(lab, actions), enabled, () => lab.terminal.typed);
  useClicker({ Escape: fold }, enabled && actions.isAnswering, () => '');
}

/** Leaves the view on show: the curtain, the bytes, an experiment, the presentation. */
function leave(lab: Lab, actions: Actions): void {
  if (actions.leave()) return;
  // A view over the picture closes before the presentation does.
  if (hasFullView(lab.store.get()) || !actions.endPresentation()) actions.closeFull();
}

/** Whether something else than the whole picture is on show. */
function hasFullView(page: PageState): boolean {
  const { experiment, inspecting, opened } = page;
  const isFull = experiment !== null || inspecting || opened !== null;
  return isFull || comparisonShown(page) !== null;
}

/** Actions of keys that are no commands. */
interface Actions extends Omit<Show['actions'], 'unfold' | 'terminalHeight'> {
  why(): void;
  /** Shows the picture again. */
  closeFull(): void;
  /** Goes from the terminal to where keys move through time. */
  leaveTerminal(): void;
  /** Whether the terminal stands open in a presentation: Escape folds it before it leaves anything. */
  isAnswering: boolean;
  /** Goes on in a lesson that an audience sees; true if there is one. */
  goOn(): boolean;
  focusStage(): void;
  focusTerminal(): void;
  openMenu(): void;
}

/** Where an experiment covers the picture, the keys of time scroll it or do nothing. */
function whileSeen(lab: Lab, keys: KeyMap): KeyMap {
  const scrolls: KeyMap = {
    ' ': () => turnPage(1),
    Home: () => turnTo('beginning'),
    End: () => turnTo('end'),
  };
  const both = Object.entries(keys).map(([key, move]) => [
    key,
    () => (lab.store.get().experiment === null ? move() : scrolls[key]?.()),
  ]);
  return Object.fromEntries(both);
}

/** The single keys of the page. */
function pageKeys(lab: Lab, actions: Actions): KeyMap {
  const jump = (goal: Goal) => () => lab.go(goal, 'jump');
  return {
    ...whileSeen(lab, timeKeys(lab, actions)),
    r: () => lab.type('run'),
    n: () => {
      if (!actions.goOn()) lab.lesson.next();
    },
    w: actions.why,
    '[': jump({ to: 'mark', direction: -1 }),
    ']': jump({ to: 'mark', direction: 1 }),
    '/': actions.focusTerminal,
    g: actions.focusStage,
    b: () => lab.inspect(true),
    Escape: () => leave(lab, actions),
    '+': () => actions.scale(1),
    '=': () => actions.scale(1),
    '-': () => actions.scale(-1),
    '0': () => actions.scale(0),
    t: actions.fold,
    i: actions.panel,
    c: () => lab.openWindow('crash'),
    x: () => lab.experiment(''),
    '?': () => lab.openWindow('help'),
    m: actions.openMenu,
  };
}

/** The keys that move through time, without those of a clicker. */
export function timeKeys(lab: Lab, show: Pick<Actions, 'watch'>): KeyMap {
  const { forward, back } = watched(lab, show);
  return {
    s: () => forward(),
    p: lab.togglePlay,
    ' ': lab.togglePlay,
    v: lab.stage.togglePredict,
    ArrowRight: () => forward(),
    ArrowLeft: () => back(),
    'Shift+ArrowRight': () => forward(10),
    'Shift+ArrowLeft': () => back(10),
    Home: () => lab.go({ to: 'step', step: 1 }, 'jump'),
    End: () => lab.go({ to: 'now' }, 'jump'),
    '1': () => lab.setGrain('operation'),
    '2': () => lab.setGrain('phase'),
    '3': () => lab.setGrain('detail'),
    o: () => lab.go({ to: 'over' }, 'jump'),
    u: () => lab.go({ to: 'out' }, 'jump'),
    k: lab.toggleBookmark,
  };
}

/** The keys of a presenter's clicker, which work wherever the focus is; no step is made that cannot be seen. */
function clickerKeys(
  lab: Lab,
  show: Pick<Actions, 'curtain' | 'present' | 'watch' | 'goOn'>,
): KeyMap {
  const { forward, back } = watched(lab, show);
  return {
    PageDown: () => {
      if (hasPages(lab.store.get())) turnPage(1);
      else if (!show.goOn()) forward();
    },
    PageUp: () => (hasPages(lab.store.get()) ? turnPage(-1) : back()),
    '.': show.curtain,
    F5: show.present,
  };
}

/** Steps that are watched. */
function watched(lab: Lab, { watch }: Pick<Actions, 'watch'>): Pick<Lab, 'forward' | 'back'> {
  return {
    forward: (count = 1) => {
      watch();
      if (count > 1 || !scrollOn(1)) lab.forward(count);
    },
    back: (count = 1) => {
      watch();
      if (count > 1 || !scrollOn(-1)) lab.back(count);
    },
  };
}

/** Part of its height by which a view is scrolled, so that some lines stay in sight. */
const SHARE = 0.85;

/** Least scroll that counts as a step [px]. */
const LEFT_MIN = 24;

/** The attribute of the part that the page keys scroll in a view over the picture. */
const SCROLLED = '[data-pages]';

/** Whether a view with pages covers the picture: an experiment, or the bytes of files. */
function hasPages({ experiment, inspecting }: PageState): boolean {
  return experiment !== null || inspecting;
}

/** Scrolls the view over the picture by a page, or to the next chart in it: each of them is seen whole. */
function turnPage(direction: 1 | -1): void {
  for (const host of document.querySelectorAll<HTMLElement>(SCROLLED)) {
    const from = host.scrollTop;
    const to = from + direction * SHARE * host.clientHeight;
    const charts = [...host.querySelectorAll<HTMLElement>('figure')].map(
      ({ offsetTop }) => offsetTop - host.offsetTop,
    );
    const between = charts.filter(
      (top) => (top - from) * direction > 8 && (to - top) * direction >= 0,
    );
    host.scrollTo({ top: (direction > 0 ? between[0] : between.at(-1)) ?? to });
  }
}

/** A part of the picture that is longer than its place has this attribute: a step goes on in it first. */
const ONWARD = '[data-onward]';

/** Scrolls on, or back, in a part of the picture that is longer than its place; true if there was more of it. */
function scrollOn(direction: number): boolean {
  const host = document.querySelector<HTMLElement>(ONWARD);
  if (!host) return false;
  const from = host.scrollTop;
  const left = direction > 0 ? host.scrollHeight - host.clientHeight - from : from;
  if (left < LEFT_MIN) return false;
  host.scrollTo({ top: from + Math.sign(direction) * SHARE * host.clientHeight });
  return true;
}

/** Scrolls the view over the picture to its beginning or to its end. */
function turnTo(end: 'beginning' | 'end'): void {
  for (const host of document.querySelectorAll<HTMLElement>(SCROLLED)) {
    host.scrollTo({ top: end === 'end' ? host.scrollHeight : 0 });
  }
}
