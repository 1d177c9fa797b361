import { useEffect } from 'react';

/** The actions of single keys, by key. */
export type KeyMap = Readonly<Record<string, () => void>>;

/** Single keys, wherever nothing is being typed and no window is open. */
export function useKeys(keys: KeyMap, enabled: boolean): void {
  useEffect(() => {
    if (!enabled) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
      if (isTyping(event.target) || hasOwnUse(event.target, event.key)) return;
      const far = event.shiftKey && event.key.startsWith('Arrow') ? 'Shift+' : '';
      const action = keys[far + event.key];
      if (!action) return;
      event.preventDefault();
      action();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [keys, enabled]);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest('input, textarea, select, dialog') !== null;
}

const MOVES = /^(Arrow|Page|Home$|End$)/;

/** Whether the element in focus has a use of its own for the key. */
function hasOwnUse(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (key === ' ') return target.closest('button, summary, a, [role="option"]') !== null;
  if (!MOVES.test(key)) return false;
  if (target.closest('[role="tablist"], [role="separator"], [role="tree"], [role="grid"]')) {
    return true;
  }
  // Keys of a scrolling element keep scrolling it.
  const scrolls = target.closest('[role="tabpanel"], .stage-table');
  return scrolls !== null && !key.startsWith('Arrow');
}
