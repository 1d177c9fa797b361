import { useEffect } from 'react';
import type { PageState } from '../model/page';
import type { Store } from './store';
import { ViewHistory } from './viewHistory';

/** Makes every view an entry of the browser's history. */
export function useViewHistory(
  store: Store<PageState>,
  onOpened: (fragment: string) => void,
): void {
  useEffect(() => {
    const views = new ViewHistory(window, store, onOpened);
    return () => views.dispose();
  }, [store, onOpened]);
}
