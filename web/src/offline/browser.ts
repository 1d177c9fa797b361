import { allowed } from '../model/kept';
import { OfflineCopy } from './copy';

/** The copy of this page in a browser, ready to begin. */
export function copyIn(browser: Window): OfflineCopy {
  const copy = new OfflineCopy({
    address: browser.location.href,
    container: allowed(() => browser.navigator.serviceWorker),
    caches: allowed(() => browser.caches),
    session: allowed(() => browser.sessionStorage),
    // A service worker leaves HEAD to the network.
    isServerThere: async () => {
      try {
        return (await browser.fetch('./', { method: 'HEAD', cache: 'no-store' })).ok;
      } catch {
        return false;
      }
    },
    reload: () => browser.location.reload(),
  });
  browser.addEventListener('vite:preloadError', () => void copy.missPart());
  return copy;
}

/** Resolves after the next picture is on the screen. */
export function painted(browser: Window): Promise<void> {
  const frame = () => new Promise((drawn) => browser.requestAnimationFrame(drawn));
  return frame()
    .then(frame)
    .then(() => undefined);
}
