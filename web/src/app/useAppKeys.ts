import { useEffect, useMemo, useRef } from 'react';
import { comparisonShown } from '../model/comparison';
import type { PageState } from '../model/page';
import type { Lab } from './lab';
import { type KeyActions, pageKeys } from './pageKeys';
import { clickerKeys } from './timeKeys';
import { useClicker, useKeys } from './useKeys';

type Actions = Omit<KeyActions, 'leave'> & {
  /** Ends the darkness; says whether there was one. */
  leave(): boolean;
  /** Ends the presentation; says whether there was one. */
  endPresentation(): boolean;
  /** Shows the picture again. */
  closeFull(): void;
  /** Goes from the terminal to where keys move through time. */
  leaveTerminal(): void;
  /** Whether the terminal stands open in a presentation: Escape folds it before it leaves anything. */
  isAnswering: boolean;
};

const NO_LINE = () => '';

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
        if (now().leave()) return;
        // What lies over the picture is left before the presentation is.
        if (hasFullView(lab.store.get()) || !now().endPresentation()) now().closeFull();
      },
      watch: () => now().watch(),
      curtain: () => now().curtain(),
      present: () => now().present(),
      goOn: () => now().goOn(),
      scale: (direction) => now().scale(direction),
      fold: () => now().fold(),
      panel: () => now().panel(),
      focusStage: () => now().focusStage(),
      focusTerminal: () => now().focusTerminal(),
      openMenu: () => now().openMenu(),
    };
    return [pageKeys(lab, stable), clickerKeys(lab, stable)];
  }, [lab]);
  const folding = useMemo(() => {
    const fold = () => {
      latest.current.watch();
      if (document.activeElement?.closest('.terminal-pane')) latest.current.leaveTerminal();
    };
    return { Escape: fold };
  }, []);
  const typed = useMemo(() => () => lab.terminal.typed, [lab]);
  useKeys(keys, enabled && singleKeys);
  useClicker(clicker, enabled, typed);
  useClicker(folding, enabled && actions.isAnswering, NO_LINE);
}

/** Whether something else than the picture is on show. */
function hasFullView(page: PageState): boolean {
  return page.experiment !== null || page.inspecting || comparisonShown(page) !== null;
}
