import { useEffect } from 'react';
import { parseSelection } from '../model/selection';

/** Keeps the selection in the address, and follows the address: `#table:12/block:2`. */
export function useFragment(
  selection: string | null,
  onSelect: (selection: string | null) => void,
): void {
  useEffect(() => {
    const follow = () => {
      const text = decodeURIComponent(window.location.hash.slice(1));
      if (text !== '' && parseSelection(text)) onSelect(text);
    };
    follow();
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, [onSelect]);
  useEffect(() => {
    const wanted = selection === null ? '' : `#${selection}`;
    if (window.location.hash === wanted) return;
    const { pathname, search } = window.location;
    window.history.replaceState(null, '', `${pathname}${search}${wanted}`);
  }, [selection]);
}
