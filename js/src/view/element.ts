// The element: follows its database while it is in a document.

import { createElement } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { createStore } from '../../../web/src/model/store';
import { follow } from './follow';
import { Picture } from './Picture';
import { BLANK, type Drawn } from './state';
import { adoptStyles } from './styles';
import type { Watchable } from './types';

export class LevelscopeView extends HTMLElement {
  static readonly observedAttributes = ['theme'];

  readonly #drawn = createStore<Drawn>(BLANK);
  readonly #theme = createStore('');
  readonly #place: HTMLElement;
  #root: Root | undefined;
  #following: AbortController | undefined;
  #database: Watchable | null = null;

  constructor() {
    super();
    const shadow = this.attachShadow({ mode: 'open' });
    adoptStyles(shadow);
    this.#place = document.createElement('div');
    this.#place.className = 'place';
    shadow.append(this.#place);
  }

  get database(): Watchable | null {
    return this.#database;
  }

  set database(database: Watchable | null) {
    const next = database ?? null;
    if (next !== null && typeof next.levelscope?.pictures !== 'function') {
      throw new TypeError('database must be a Levelscope database or null');
    }
    if (next === this.#database) return;
    this.#database = next;
    this.#follow();
  }

  get theme(): string {
    return this.getAttribute('theme') ?? '';
  }

  set theme(theme: string) {
    this.setAttribute('theme', theme);
  }

  /** @internal */
  attributeChangedCallback() {
    this.#theme.update(() => this.theme);
  }

  /** @internal */
  connectedCallback() {
    this.#takeEarly();
    const [drawn, theme] = [this.#drawn, this.#theme];
    this.#root ??= createRoot(this.#place);
    this.#root.render(createElement(Picture, { drawn, theme }));
    this.#follow();
  }

  /** @internal */
  disconnectedCallback() {
    this.#following?.abort();
    // An element that only moves is connected again at once.
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.#root?.unmount();
      this.#root = undefined;
    });
  }

  /** A program may have set the property before the element was defined. */
  #takeEarly() {
    if (!Object.hasOwn(this, 'database')) return;
    const { database } = this;
    Reflect.deleteProperty(this, 'database');
    this.database = database;
  }

  #follow() {
    this.#following?.abort();
    this.#drawn.update(() => BLANK);
    const database = this.#database;
    if (database === null || !this.isConnected) return;
    this.#following = new AbortController();
    void follow(database, this.#drawn, this.#following.signal);
  }
}
