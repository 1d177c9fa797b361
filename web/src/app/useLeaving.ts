import { useEffect, useSyncExternalStore } from 'react';
import { losses } from '../model/leaving';
import type { PageState } from '../model/page';
import type { Store } from '../model/store';

/**
 * Makes the browser ask before the page is left or loaded again, but only while something would be lost. Browsers ask only after a
 * click or a key on the page; before that there is nothing to lose.
 */
export function useLeaving(store: Store<PageState>): void {
  const asks = useSyncExternalStore(store.subscribe, () => losses(store.get()).length > 0);
  useEffect(() => {
    if (!asks) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    const stop = () => window.removeEventListener('beforeunload', ask);
    window.addEventListener('beforeunload', ask);
    // A page restored from the browser's cache reloads itself; the visitor already agreed when leaving it.
    window.addEventListener('pagehide', stop);
    return () => {
      stop();
      window.removeEventListener('pagehide', stop);
    };
  }, [asks]);
}
