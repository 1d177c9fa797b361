// The page's side of its copy for times without a network: whether it is complete, and whether a newer version waits.

import { SERVICE_WORKER, trusted } from '../engine/trusted';
import { allowed, keep, keptIn } from '../model/kept';
import { createStore } from '../model/store';
import { cachesOf, dropCaches, isSwitchedOff, LOAD } from './files';

/** Whether this browser has all files of a version, and whether one newer than this page can be loaded. */
const UNKNOWN = { isComplete: false, hasNewer: false };
const RELOADED = 'levelscope.reloaded';

/** The copy of this page in this browser. */
export class OfflineCopy {
  readonly #store = createStore(UNKNOWN);
  readonly get = this.#store.get;
  readonly subscribe = this.#store.subscribe;
  #registration: ServiceWorkerRegistration | null = null;

  constructor(private readonly browser: Window) {
    browser.addEventListener('vite:preloadError', () => void this.missPart());
  }

  get #session(): Storage | null {
    return allowed(() => this.browser.sessionStorage);
  }

  /** Makes the copy, or removes it where the address asks for that. Without service workers nothing happens. */
  async begin(): Promise<void> {
    const container = allowed(() => this.browser.navigator.serviceWorker);
    if (container === null) return;
    try {
      if (isSwitchedOff(new URL(this.browser.location.href))) await this.#remove(container);
      else await this.#keep(container);
    } catch {
      // Denied or unreachable: the page works without a copy, with a network.
    }
  }

  /** Loads the newer version in all tabs. Where a tab would lose data, the browser asks first. */
  readonly load = (): void => {
    const waiting = this.#registration?.waiting;
    if (waiting) {
      waiting.postMessage(LOAD);
      return;
    }
    // Where it is not remembered, the same reload may be offered again.
    keep(this.#session, RELOADED, true);
    this.browser.location.reload();
  };

  /** A part of the page could not be fetched. If the server answers, it has another version: one reload is offered. */
  readonly missPart = async (): Promise<void> => {
    const wasReloaded = keptIn(this.#session, RELOADED) === true;
    if (wasReloaded || !(await this.#isServerThere())) return;
    this.#update({ hasNewer: true });
  };

  async #isServerThere(): Promise<boolean> {
    try {
      // A service worker leaves HEAD to the network.
      return (await this.browser.fetch('./', { method: 'HEAD', cache: 'no-store' })).ok;
    } catch {
      return false;
    }
  }

  async #keep(container: ServiceWorkerContainer): Promise<void> {
    // The browser compares the worker with the server's at each visit, past its HTTP cache.
    const registration = await container.register(trusted(SERVICE_WORKER), {
      updateViaCache: 'none',
    });
    this.#registration = registration;
    // Only a version that a person has asked for, here or in another tab, replaces the page; the first worker does not.
    container.addEventListener('controllerchange', () => {
      if (this.get().hasNewer) this.browser.location.reload();
    });
    registration.addEventListener('updatefound', () => this.#follow(registration.installing));
    for (const each of ['installing', 'waiting', 'active'] as const) {
      this.#follow(registration[each]);
    }
    await this.#look();
  }

  #follow(worker: ServiceWorker | null): void {
    worker?.addEventListener('statechange', () => void this.#look());
  }

  async #look(): Promise<void> {
    const { active, waiting, scope } = this.#registration ?? {};
    if (!active || scope === undefined) return;
    // An offered version stays offered: the waiting worker is gone as soon as it is asked to take over.
    if (waiting) this.#update({ hasNewer: true });
    const isKept = await this.#hasCache(scope);
    this.#update({ isComplete: active.state === 'activated' && isKept });
  }

  /** A worker outlives its cache where only the cache was cleared. */
  async #hasCache(scope: string): Promise<boolean> {
    try {
      return (await cachesOf(this.browser.caches, scope)).length > 0;
    } catch {
      return false;
    }
  }

  async #remove(container: ServiceWorkerContainer): Promise<void> {
    const caches = allowed(() => this.browser.caches);
    const scope = new URL('./', this.browser.location.href).href;
    // Without a worker of this page, the browser returns that of a directory above it.
    const registration = await container.getRegistration(scope);
    if (registration?.scope === scope) await registration.unregister();
    if (caches) await dropCaches(caches, scope, null);
  }

  #update(part: Partial<typeof UNKNOWN>): void {
    this.#store.update((state) => {
      const next = { ...state, ...part };
      const isSame = next.isComplete === state.isComplete && next.hasNewer === state.hasNewer;
      return isSame ? state : next;
    });
  }
}
