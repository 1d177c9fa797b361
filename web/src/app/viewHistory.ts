import { useEffect } from 'react';
import {
  type Address,
  fragmentOf,
  isLink,
  LAB,
  parseFragment,
  viewOf,
  windowOf,
} from '../model/address';
import { fieldsOf } from '../model/kept';
import { goTo, type PageState } from '../model/page';
import type { Store } from '../model/store';

/** Addresses that lead to more than a view. */
export interface Links {
  /** Takes an address that a person has opened. */
  follow(fragment: string): void;
  /** The address of an open offer: it stays the address of the page. */
  held(): string | null;
}

const NO_LINKS: Links = { follow: () => {}, held: () => null };

/** The state of an entry of the browser's history. */
interface Entry {
  /** Which view it is. */
  view: string;
  /** The view of the entry before it; `null`: that one is not ours. */
  before: string | null;
}

/** Makes every view an entry of the browser's history. */
export function useViewHistory(store: Store<PageState>, links: Links): void {
  useEffect(() => {
    const views = new ViewHistory(window, store, links);
    return () => views.dispose();
  }, [store, links]);
}

/**
 * Makes every view an entry of the browser's history: Back and Forward go from view to view. An inner view always has
 * the picture before it, also when the address led there directly, so that Back leaves the page from the picture only.
 */
export class ViewHistory {
  private readonly leave: () => void;
  /** On the way back to the entry before; changes meanwhile are recorded on arrival. */
  private returns = false;

  constructor(
    private readonly browser: Window,
    private readonly store: Store<PageState>,
    private readonly links: Links = NO_LINKS,
  ) {
    this.begin();
    this.leave = store.subscribe(this.follow);
    browser.addEventListener('popstate', this.arrive);
  }

  dispose(): void {
    this.leave();
    this.browser.removeEventListener('popstate', this.arrive);
  }

  private readonly follow = (): void => {
    if (this.returns) return;
    const address = this.store.get();
    const view = viewOf(address);
    const entry = this.entry() ?? { view, before: null };
    if (entry.view === view) {
      this.replace(entry, address);
    } else if (entry.before === view) {
      // Closing a view goes back in the browser's history.
      this.returns = true;
      this.browser.history.back();
    } else {
      this.browser.history.pushState({ view, before: entry.view }, '', this.url(address));
    }
  };

  private begin(): void {
    const address = this.here();
    const view = viewOf(address);
    const fragment = this.browser.location.hash.slice(1);
    if (this.entry() === null || isLink(fragment)) {
      this.links.follow(fragment);
      this.replace({ view: LAB, before: null }, parseFragment(''));
      if (view === LAB) this.replace({ view, before: null }, address);
      else this.browser.history.pushState({ view, before: LAB }, '', this.url(address));
    }
    this.show(address);
  }

  private readonly arrive = (): void => {
    if (this.returns) {
      this.returns = false;
      this.follow();
      return;
    }
    const address = this.here();
    // An address typed by hand has made an entry of its own.
    if (this.entry() === null) {
      this.links.follow(this.browser.location.hash.slice(1));
      this.replace({ view: viewOf(address), before: viewOf(this.store.get()) }, address);
    }
    this.show(address);
  };

  private show(address: Address): void {
    this.store.update((page) => goTo(page, address));
  }

  /** The view of the current entry. */
  private here(): Address {
    const address = parseFragment(this.browser.location.hash.slice(1));
    return { ...address, window: windowOf(this.entry()?.view ?? '') };
  }

  private entry(): Entry | null {
    const { view, before } = fieldsOf(this.browser.history.state) ?? {};
    if (typeof view !== 'string') return null;
    return { view, before: typeof before === 'string' ? before : null };
  }

  private replace(entry: Entry, address: Address): void {
    const { history, location } = this.browser;
    const url = this.url(address);
    if (this.entry() !== null && url === `${location.pathname}${location.search}${location.hash}`)
      return;
    history.replaceState(entry, '', url);
  }

  private url(address: Address): string {
    const { pathname, search } = this.browser.location;
    const fragment = this.links.held() ?? fragmentOf(address);
    return `${pathname}${search}${fragment === '' ? '' : `#${fragment}`}`;
  }
}
