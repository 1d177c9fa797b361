import { showsFocus } from '../shared/pointed';
import { useKeyDown } from '../shared/useKeyDown';
import { type InHistory, nextChange } from './scene/history';

interface Keys extends InHistory {
  go(step: number): void;
  togglePlay(): void;
}

/** Arrows go step by step, with Shift ten at a time; Page Up and Down from change to change, Space plays. */
export function useStepKeys({ step, last, family, steps, go, togglePlay }: Keys): void {
  useKeyDown((event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    const { target, key } = event;
    if (!(target instanceof Element) || hasOwnUse(target, key)) return;
    const far = event.shiftKey ? 10 : 1;
    const goals: Readonly<Record<string, () => number | null>> = {
      ArrowRight: () => step + far,
      ArrowLeft: () => step - far,
      Home: () => 0,
      End: () => last,
      PageUp: () => nextChange(steps, family, step, -1),
      PageDown: () => nextChange(steps, family, step, 1),
    };
    const goal = goals[key]?.();
    if (key === ' ') togglePlay();
    else if (goal === undefined) return;
    else if (goal !== null) go(goal);
    event.preventDefault();
  });
}

const FIELDS = 'input:not([type="radio"]), select, textarea, dialog, [role="separator"]';

/** Whether the element in focus has a use of its own for the key. */
function hasOwnUse(target: Element, key: string): boolean {
  if (target.closest(FIELDS)) return true;
  if (key === ' ') return target.closest('button, a, summary, input') !== null;
  if (target.closest('input, [role="tablist"]')) return showsFocus(target);
  // A scrollable part with visible focus scrolls with its keys.
  const scrolls = target.closest('.panel, .stage-table');
  return scrolls !== null && !/^Arrow(Left|Right)$/.test(key) && showsFocus(target);
}
