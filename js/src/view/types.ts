// What programs see of the element.

import type { Inspection } from '../inspection';

/** A database that was opened with `inspect: true`. */
export interface Watchable {
  readonly status: string;
  readonly levelscope: Inspection;
  on?(event: 'open', listener: () => void): unknown;
  off?(event: 'open', listener: () => void): unknown;
}

/** `<levelscope-view>`: draws memtables, logs and levels of a database, and follows what the engine does. */
export declare class LevelscopeView extends HTMLElement {
  /** The database on show. The engine reports its events only while the element is in a document. */
  database: Watchable | null;
  /** `light` or `dark`; anything else follows the system. Also an attribute. */
  theme: string;
}

declare global {
  interface HTMLElementTagNameMap {
    'levelscope-view': LevelscopeView;
  }
}
