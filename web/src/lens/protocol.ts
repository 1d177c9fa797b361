// What page and worker of the lens say to each other. Every request has one reply; progress may come before it.

import type { Query } from './lens.generated';

/** One file of a directory; it is read by slices, when a question needs it. */
export interface SourceFile {
  /** Its name with its folders, such as `mydb/000012.sst`. */
  readonly path: string;
  readonly file: Blob;
}

/** Where a directory comes from. */
export type Source =
  | { readonly kind: 'files'; readonly name: string; readonly files: readonly SourceFile[] }
  | { readonly kind: 'zip'; readonly name: string; readonly archive: Blob };

/** How far long work has come. */
export interface Progress {
  /** Of a check: bytes; of a table that is made: entries. */
  readonly done: number;
  /** Of how many, where that is known. */
  readonly total: number | null;
}

export type ReportQuery = Extract<Query, { ask: 'report' }>;

export type LensRequest =
  /** Opens the database in `folder`; `null`: in the only folder that looks like one. */
  | { readonly type: 'open'; readonly source: Source; readonly folder: string | null }
  | { readonly type: 'ask'; readonly query: Query }
  | { readonly type: 'csv'; readonly query: ReportQuery }
  | { readonly type: 'export'; readonly family: number };

/** A failure, as a sentence; `kind` tells what to do about it. */
export interface LensFailure {
  readonly kind: LensFailureKind;
  readonly message: string;
}

export type LensFailureKind =
  /** The bytes are not as their format says. */
  | 'damaged'
  /** The bytes may be sound, but this version does not read them. */
  | 'not_read'
  /** A file is not there. */
  | 'missing'
  /** The browser could not read a file. */
  | 'io'
  /** The question makes no sense here; no database of these engines. */
  | 'invalid'
  /** A limit of the page was reached. */
  | 'too_large'
  /** It was stopped by a person. */
  | 'stopped'
  /** The part of the page that reads such directories did not come. */
  | 'unserved'
  /** The worker died. */
  | 'panic';

export type LensReply =
  | { readonly type: 'opened'; readonly folder: string }
  /** Several folders look like a database: one of them has to be chosen. */
  | { readonly type: 'folders'; readonly folders: readonly string[] }
  /** JSON. */
  | { readonly type: 'answer'; readonly text: string }
  | { readonly type: 'csv'; readonly text: string }
  | { readonly type: 'table'; readonly table: Blob }
  | { readonly type: 'failed'; readonly failure: LensFailure };

export interface ToWorker {
  readonly id: number;
  readonly request: LensRequest;
}

export type FromWorker =
  | { readonly id: number; readonly reply: LensReply }
  | { readonly id: number; readonly progress: Progress };
