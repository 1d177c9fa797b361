/** Where the pointer was pressed last, as long as the focus is there for that reason. */
let pointed: Node | null = null;
let isPressed = false;

function onPress({ target }: Event): void {
  pointed = target instanceof Node ? target : null;
  isPressed = true;
}

function onRelease(): void {
  isPressed = false;
}

/** A focus that no pointer has moved came by the keyboard. */
function onFocus(): void {
  if (!isPressed) pointed = null;
}

window.addEventListener('pointerdown', onPress, true);
window.addEventListener('pointerup', onRelease, true);
window.addEventListener('pointercancel', onRelease, true);
window.addEventListener('focusin', onFocus, true);

/** Gives `element` the focus as a press on it would: keys go on moving through time. */
export function focusQuietly(element: HTMLElement): void {
  isPressed = true;
  element.focus();
  isPressed = false;
  pointed = element;
  // Browsers show a focus that comes after a key.
  element.dataset.quiet = '';
  element.addEventListener('blur', () => delete element.dataset.quiet, { once: true });
}

/** Whether `element` has the focus by keyboard and so takes keys of its own: after a click they move through time. */
export function showsFocus(element: Element): boolean {
  return !element.contains(pointed);
}
