import { showsFocus } from './pointed';
import { useKeyDown } from './useKeyDown';

/** The actions of single keys, by key. */
export type KeyMap = Readonly<Record<string, () => void>>;

/** Single keys, wherever nothing is being typed and no window is open. */
export function useKeys(keys: KeyMap, enabled = true): void {
  useKeyDown((event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    if (isText(event.target) || hasOwnUse(event.target, event.key)) return;
    const far = event.shiftKey && event.key.startsWith('Arrow') ? 'Shift+' : '';
    const action = keys[far + event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }, enabled);
}

/**
 * The keys of a clicker, wherever the focus is: they are handled before the focused element gets them. `typed` is the
 * unfinished line of the terminal; a field with text keeps its keys.
 */
export function useClicker(keys: KeyMap, enabled: boolean, typed: () => string): void {
  useKeyDown(
    (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const { target, key } = event;
      const action = keys[key];
      if (!action || hasText(target, key, typed) || hasOwnPages(target, key)) return;
      event.preventDefault();
      event.stopPropagation();
      action();
    },
    enabled,
    true,
  );
}

const NO_TEXT = /^(radio|checkbox|range|button|file|color)$/;

/** Whether the element takes text. */
function isText(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !NO_TEXT.test(target.type);
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest('textarea, dialog') !== null;
}

function hasText(target: EventTarget | null, key: string, typed: () => string): boolean {
  if (!isText(target)) return false;
  // A command line has no pages, and a stray letter in it must not stop a clicker.
  if (target instanceof HTMLElement && target.closest('.terminal-pane')) {
    return key === '.' && typed() !== '';
  }
  const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  return !isField || target.value !== '';
}

/** Bytes and trees of files are read page by page. */
function hasOwnPages(target: EventTarget | null, key: string): boolean {
  return (
    key.startsWith('Page') &&
    target instanceof HTMLElement &&
    target.closest('[role="tree"], [role="grid"]') !== null
  );
}

const MOVES = /^(Arrow|Page|Home$|End$)/;
/** Elements with keys of their own, which apply while their focus is visible. */
const LISTS = '[role="tablist"], [role="separator"], [role="tree"], [role="grid"], select, input';

/** Whether the focused element handles the key itself. */
function hasOwnUse(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (key === ' ')
    return target.closest('button, summary, a, [role="option"], input, select') !== null;
  if (!MOVES.test(key)) return false;
  if (target.closest(LISTS)) return showsFocus(target);
  // Keys of a scrolling element keep scrolling it.
  const scrolls = target.closest('.panel, .stage-table');
  return scrolls !== null && !/^Arrow(Left|Right)$/.test(key) && showsFocus(target);
}
