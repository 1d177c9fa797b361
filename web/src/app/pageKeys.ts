import type { Goal } from '../model/travel';
import type { Lab } from './lab';
import { timeKeys } from './timeKeys';
import type { KeyMap } from './useKeys';

/** Actions of keys that are no commands. */
export interface KeyActions {
  why(): void;
  closeFull(): void;
  focusStage(): void;
  focusTerminal(): void;
  openMenu(): void;
}

/** The single keys of the page. */
export function pageKeys(lab: Lab, actions: KeyActions): KeyMap {
  const jump = (goal: Goal) => () => lab.go(goal, 'jump');
  return {
    ...timeKeys(lab),
    r: () => lab.type('run'),
    w: actions.why,
    '[': jump({ to: 'mark', direction: -1 }),
    ']': jump({ to: 'mark', direction: 1 }),
    '/': actions.focusTerminal,
    g: actions.focusStage,
    b: () => lab.inspect(true),
    Escape: actions.closeFull,
    x: () => lab.experiment(''),
    '?': () => lab.openWindow('help'),
    m: actions.openMenu,
  };
}
