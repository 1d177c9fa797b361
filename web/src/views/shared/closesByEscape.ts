import type { KeyboardEvent } from 'react';

/** Closes by Escape what has no other use for the key. */
export function closesByEscape(close: () => void) {
  return (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    close();
  };
}
