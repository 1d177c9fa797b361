import { useEffect, useEffectEvent } from 'react';

/** Hears every key while `enabled`; `captures`: before the element in focus does. */
export function useKeyDown(
  onKeyDown: (event: KeyboardEvent) => void,
  enabled = true,
  captures = false,
): void {
  const hear = useEffectEvent(onKeyDown);
  useEffect(() => {
    if (!enabled) return;
    window.addEventListener('keydown', hear, captures);
    return () => window.removeEventListener('keydown', hear, captures);
  }, [enabled, captures]);
}
