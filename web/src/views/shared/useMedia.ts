import { useSyncExternalStore } from 'react';

/** Whether the media query holds now. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', changed);
      return () => media.removeEventListener('change', changed);
    },
    () => window.matchMedia(query).matches,
  );
}

/** Devices that are touched. */
export const TOUCH = '(pointer: coarse)';
