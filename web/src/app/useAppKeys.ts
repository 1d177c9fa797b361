import { useEffect, useMemo, useRef } from 'react';
import type { Lab } from './lab';
import { type KeyActions, pageKeys } from './pageKeys';
import { clickerKeys } from './timeKeys';
import { useClicker, useKeys } from './useKeys';

type Actions = Omit<KeyActions, 'leave'> & {
  /** Ends the darkness or the presentation; says whether there was one to end. */
  leave(): boolean;
  /** Shows the picture again. */
  closeFull(): void;
};

/** The keys of the page and those of a clicker, which work even where single keys are switched off. */
export function useAppKeys(
  lab: Lab,
  actions: Actions,
  enabled: boolean,
  singleKeys: boolean,
): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  const [keys, clicker] = useMemo(() => {
    const now = () => latest.current;
    const stable: KeyActions = {
      why: () => now().why(),
      leave: () => {
        if (!now().leave()) now().closeFull();
      },
      watch: () => now().watch(),
      curtain: () => now().curtain(),
      present: () => now().present(),
      scale: (direction) => now().scale(direction),
      fold: () => now().fold(),
      panel: () => now().panel(),
      focusStage: () => now().focusStage(),
      focusTerminal: () => now().focusTerminal(),
      openMenu: () => now().openMenu(),
    };
    return [pageKeys(lab, stable), clickerKeys(lab, stable)];
  }, [lab]);
  const typed = useMemo(() => () => lab.terminal.typed, [lab]);
  useKeys(keys, enabled && singleKeys);
  useClicker(clicker, enabled, typed);
}
