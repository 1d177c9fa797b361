import type { Goal } from '../model/travel';
import type { KeyMap } from '../views/shared/useKeys';
import type { Lab } from './lab';
import { timeKeys } from './timeKeys';
import { turnPage, turnTo } from './turnPages';
import type { ShowActions } from './useShow';

/** Actions of keys that are no commands. */
export interface KeyActions
  extends Pick<ShowActions, 'watch' | 'curtain' | 'present' | 'scale' | 'fold' | 'panel'> {
  why(): void;
  /** Leaves the view on show: the bytes, an experiment, the curtain, the presentation. */
  leave(): void;
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
export function pageKeys(lab: Lab, actions: KeyActions): KeyMap {
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
    Escape: actions.leave,
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
