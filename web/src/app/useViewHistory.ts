import { useEffect } from 'react';
import type { PageState } from '../model/page';
import type { Store } from '../model/store';
import { type Links, ViewHistory } from './viewHistory';

/** Makes every view an entry of the browser's history. */
export function useViewHistory(store: Store<PageState>, links: Links): void {
  useEffect(() => {
    const views = new ViewHistory(window, store, links);
    return () => views.dispose();
  }, [store, links]);
}
