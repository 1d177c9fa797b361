// What page and worker say to each other: two closed unions. Whatever arrives is checked by
// validate.ts before anybody acts on it; something else is an error, never ignored.

import type {
  Completion,
  Event,
  Failure,
  OptionState,
  OutputLine,
  PresetState,
  View,
} from '../model/engine.generated';

/** Where the files are: in the browser's own storage of this origin, or in memory until reload. */
export type StorageKind = 'opfs' | 'memory';

/** How much work one step of Play does. */
export type PlayGrain = 'phase' | 'job' | 'entry';

/** From the page. `id` grows from request to request; answers carry it. */
export type Request =
  | {
      id: number;
      type: 'open';
      /** Name of a preset; `settings` are applied on top of it. */
      preset: string;
      /** Option name → value, as text. */
      settings: Record<string, string>;
      /** `auto`: the browser's files when it has them, otherwise memory. */
      storage: 'auto' | 'memory';
      /** Take the database from the tab that owns it. */
      takeOver?: boolean;
    }
  | {
      id: number;
      type: 'command';
      line: string;
      /** Nothing for the terminal: only the result comes back, and it is not in the history. */
      quiet: boolean;
    }
  /** Stops the command at work; what it has done stays done. */
  | { id: number; type: 'cancel' }
  | {
      id: number;
      type: 'play';
      grain: PlayGrain;
      /** 0: as fast as possible. */
      stepsPerSecond: number;
    }
  | { id: number; type: 'pause' }
  | {
      id: number;
      type: 'complete';
      line: string;
      /** UTF-16 units before the cursor. */
      cursor: number;
    }
  | { id: number; type: 'close' };

/** An event with its sentence. */
export type WireEvent = Event & { sentence: string };

/** From the worker. */
export type Message =
  | {
      type: 'opened';
      id: number;
      storage: StorageKind;
      /** Why it is memory, as a sentence; `null` when it was asked for or is not. */
      why: string | null;
      view: View;
      options: OptionState[];
      presets: PresetState[];
      /** The preset that the options are equal to, or `custom`. */
      preset: string;
      /** Whether the browser has promised not to clear the files by itself. */
      persisted: boolean;
    }
  /** Another tab owns the database; nothing was opened. */
  | { type: 'owned'; id: number }
  /** Another tab took the database over; this one has closed it. */
  | { type: 'lost' }
  /**
   * After `opened` comes one such message with the events of recovery; its view is that of `opened`.
   * When `options` or `reset` opens the database anew, ids begin again at 1 and the view is there.
   */
  | {
      type: 'events';
      events: WireEvent[];
      /** Events that happened before these and are not sent. */
      elided: number;
      /** The view after these events; always present when `elided` is not 0. */
      view: View | null;
      /** What the next step of background work will do. */
      next: string | null;
      /** All files of the database together [bytes]. */
      fileBytes: number;
    }
  /** The options changed: `options` or `reset` was typed. */
  | { type: 'options'; options: OptionState[]; preset: string }
  | { type: 'output'; id: number; lines: OutputLine[] }
  | { type: 'progress'; id: number; done: number; total: number | null; label: string }
  | { type: 'done'; id: number; result: unknown; error: Failure | null }
  | {
      type: 'completions';
      id: number;
      /** `from` counts UTF-16 units. */
      items: Completion[];
    }
  | { type: 'playing'; playing: boolean }
  | { type: 'closed'; id: number }
  | {
      type: 'failed';
      /** The request that failed; `null`: the worker as a whole. */
      id: number | null;
      /** An engine error kind, or `panic`, `protocol`, `closed`. After `panic` the worker is dead. */
      kind: string;
      message: string;
    };
