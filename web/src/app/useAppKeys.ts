import { comparisonShown } from '../model/comparison';
import type { PageState } from '../model/page';
import { useClicker, useKeys } from '../views/shared/useKeys';
import type { Lab } from './lab';
import { type KeyActions, pageKeys } from './pageKeys';
import { clickerKeys } from './timeKeys';
import type { ShowActions } from './useShow';

type Actions = Omit<KeyActions, 'leave'> &
  Pick<ShowActions, 'leave' | 'endPresentation'> & {
    /** Shows the picture again. */
    closeFull(): void;
    /** Goes from the terminal to where keys move through time. */
    leaveTerminal(): void;
    /** Whether the terminal stands open in a presentation: Escape folds it before it leaves anything. */
    isAnswering: boolean;
  };

/** The keys of the page and those of a clicker, which work even where single keys are switched off. */
export function useAppKeys(
  lab: Lab,
  actions: Actions,
  enabled: boolean,
  singleKeys: boolean,
): void {
  const leave = () => {
    if (actions.leave()) return;
    // A view over the picture closes before the presentation does.
    if (hasFullView(lab.store.get()) || !actions.endPresentation()) actions.closeFull();
  };
  const fold = () => {
    actions.watch();
    if (document.activeElement?.closest('.terminal-pane')) actions.leaveTerminal();
  };
  useKeys(pageKeys(lab, { ...actions, leave }), enabled && singleKeys);
  useClicker(clickerKeys(lab, actions), enabled, () => lab.terminal.typed);
  useClicker({ Escape: fold }, enabled && actions.isAnswering, () => '');
}

/** Whether something else than the whole picture is on show. */
function hasFullView(page: PageState): boolean {
  const { experiment, inspecting, opened } = page;
  const isFull = experiment !== null || inspecting || opened !== null;
  return isFull || comparisonShown(page) !== null;
}
