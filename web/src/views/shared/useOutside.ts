import { type RefObject, useEffect, useEffectEvent } from 'react';

/** Hears `events` of the window, such as a press, that are not in `whole`, while `enabled`. `events` is the same array each time. */
export function useOutside(
  whole: RefObject<HTMLElement | null>,
  events: readonly string[],
  onEvent: (event: Event) => void,
  enabled = true,
): void {
  const hear = useEffectEvent((event: Event) => {
    if (!(event.target instanceof Node) || !whole.current?.contains(event.target)) onEvent(event);
  });
  useEffect(() => {
    if (!enabled) return;
    const over = new AbortController();
    for (const name of events) window.addEventListener(name, hear, { signal: over.signal });
    return () => over.abort();
  }, [enabled, events]);
}
