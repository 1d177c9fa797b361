// What page and worker say to each other: two closed unions. Whatever arrives is checked by
// validate.ts before anybody acts on it; something else is an error, never ignored.

import type {
  Completion,
  Failure,
  MarkedStep,
  OptionState,
  OutputLine,
  PresetState,
  Query,
  View,
  WireEvent,
} from '../model/engine.generated';

/** Where the files are: in the browser's own storage of this origin, or in memory until reload. */
export type StorageKind = 'opfs' | 'memory';

/**
 * A position in the history of a branch: operations and phases, counted from 1 over all openings. At step
 * 0 nothing has happened yet. Details carry the step of the operation or phase before them and count from
 * 1 behind it, so that a position is the same whether or not anybody listens to details.
 */
export type Step = number;

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
      /**
       * `null`: now. Otherwise a replica answers, as the engine was at this step of the current branch,
       * or after the call to which the step belongs; only commands that change nothing may be asked.
       */
      at: Step | null;
    }
  /**
   * A question without a trace: nothing for the terminal, nothing in the history. `at`: as for a command.
   * Answered with `done`.
   */
  | { id: number; type: 'query'; query: Query; at: Step | null }
  /**
   * The events `from`..`to` of the current branch again, by replay; answered with `window`. Progress is
   * told; `cancel` stops it.
   */
  | { id: number; type: 'window'; from: Step; to: Step; details: boolean }
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
  /** The command `open` with files that the page has read; archives are unpacked. Answered with `done`. */
  | { id: number; type: 'files'; files: readonly ForeignFile[] }
  | {
      id: number;
      type: 'complete';
      line: string;
      /** UTF-16 units before the cursor. */
      cursor: number;
    }
  | { id: number; type: 'close' };

/** A file from outside: what it is called, with its directories, and all its bytes. */
export interface ForeignFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export type { WireEvent } from '../model/engine.generated';

/** One line of history. */
export interface BranchState {
  /** 0 is the branch that began the session. */
  id: number;
  /** `main`, `fork 1`, `crash 2`, `damage 3`. */
  name: string;
  parent: number | null;
  /** Its last step that is also one of its parent; what came before is shared. */
  forkedAt: Step | null;
  /** Branches other than 0 are always in memory: they are not saved. */
  storage: StorageKind;
  /** Its last step. */
  steps: Step;
  /** Why its past cannot be asked, as a sentence; `null`: it can. */
  pastless: string | null;
  /** Bytes that were flipped on it, or before it began. */
  damaged: readonly Damage[];
}

/** A byte that `corrupt` has changed. */
export interface Damage {
  /** The name of its file. */
  file: string;
  offset: number;
  /** The bits that are flipped. */
  mask: number;
  /** The last step before it was flipped. */
  step: Step;
}

/** Figures at one step, as `stats` says them; a ratio is `null` while its denominator is 0. */
export interface Sample {
  step: Step;
  writeAmplification: number | null;
  readAmplification: number | null;
  spaceAmplificationEstimate: number | null;
  /** Table files of each level, L0 first [bytes]. */
  levelBytes: number[];
  /** Times that writes had to wait, and to slow down. */
  stalls: number;
  slowdowns: number;
}

/** A breakpoint or crash point that is set. */
export interface BreakpointState {
  number: number;
  /** As it was typed behind `break`, or `crash …`. */
  text: string;
  /** How often it struck. */
  hits: number;
}

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
   * When `options` or `reset` opens the database anew, ids begin again at 1 and the view is there. Steps
   * always go on.
   */
  | {
      type: 'events';
      events: WireEvent[];
      /** Events that happened before these and are not sent. */
      elided: number;
      /** Landmarks since the last message, those among the elided events too. */
      landmarks: MarkedStep[];
      /** What `stats` would have said after calls since the last message. */
      samples: Sample[];
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
  /** The command `open` was typed without files: a person is to be asked for some. */
  | { type: 'pick' }
  /** `export` was typed: a file for the browser to save. */
  | { type: 'exported'; name: string; bytes: Uint8Array<ArrayBuffer> }
  | {
      type: 'completions';
      id: number;
      /** `from` counts UTF-16 units. */
      items: Completion[];
    }
  /**
   * The answer to `window`. Events are told from call to call: `from` may lie before what was asked, `to`
   * before it when there were too many events, or behind it.
   */
  | {
      type: 'window';
      id: number;
      from: Step;
      to: Step;
      events: WireEvent[];
      /** The view before the event `from`. */
      view: View;
    }
  /** Sent after `opened`, and whenever branches or the current one change. */
  | { type: 'branches'; branches: BranchState[]; current: number }
  /**
   * Another branch is the current one. Events that it has had behind its last known step follow in
   * `events`; those before are asked with `window`.
   */
  | {
      type: 'switched';
      branch: number;
      storage: StorageKind;
      /** Its last step, and the view there. */
      step: Step;
      view: View;
      options: OptionState[];
      preset: string;
      next: string | null;
      fileBytes: number;
    }
  /** Sent when breakpoints or crash points were set, deleted or struck. */
  | { type: 'breakpoints'; breakpoints: BreakpointState[] }
  /** How many files from outside are open. */
  | { type: 'shelf'; files: number }
  /** A breakpoint struck: the command, or Play, has ended after the call to which the step belongs. */
  | {
      type: 'break';
      step: Step;
      /** Its number. */
      breakpoint: number;
      /** The name of the event at `step`. */
      name: string;
      /** Whether it asks for the moment just before that event. */
      before: boolean;
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
