// What page and worker of the lens exchange; {@link LensHost} has the calls.

import type { Failure, OutputLine } from '../model/engine.generated';
import type { ForeignFile } from '../share/foreign';
import type { Problem, Query } from './lens.generated';

/** One file of a directory; it is read by slices, when a question needs it. */
interface SourceFile {
  /** Its name with its folders, such as `mydb/000012.sst`. */
  readonly path: string;
  readonly file: Blob;
}

/** Where a directory comes from. */
export type Source =
  | { readonly kind: 'files'; readonly name: string; readonly files: readonly SourceFile[] }
  | {
      readonly kind: 'zip';
      readonly name: string;
      readonly archive: Blob;
      /** The sample of the page that it is. */
      readonly sample?: string;
    };

/** The progress of long work. */
export interface Progress {
  /** Of a check: bytes; of a table that is made: entries; of all else: bytes that were read or unpacked. */
  readonly done: number;
  /** The total, if it is known. */
  readonly total: number | null;
  /** Files of the directory, where `done` counts bytes read. */
  readonly files?: number;
  /** Of a check. */
  readonly news?: CheckNews;
}

/** A check's news since its last progress: one that is stopped ends with its worker. */
export interface CheckNews {
  /** Tables and blob files that are checked. */
  readonly parts: number;
  /** Tables and blob files that are not. */
  readonly left: number;
  /** The first of these. */
  readonly next: readonly string[];
  /** Findings that were not sent before. */
  readonly problems: readonly Problem[];
}

/** The live entries of a family as a table that RocksDB ingests, or as a log of records that the playground imports. */
export type ExportForm = 'table' | 'log';

/** A table or a log that was made. */
export interface MadeTable {
  readonly table: Blob;
  /** Its losses, a sentence for each kind. */
  readonly losses: readonly string[];
}

/** The part of a directory that the page shows, and that the next command of the terminal is about. */
export interface Cursor {
  /** Number of the column family. */
  readonly family: number;
  /** A step of the history; `null`: the last one. */
  readonly step: number | null;
}

/** The result of a line of the terminal, with its new cursor. */
export interface Ran extends Cursor {
  readonly lines: readonly OutputLine[];
  /** Why it ended early. */
  readonly failure: Failure | null;
  /** Whether it has checked the directory. */
  readonly hasChecked: boolean;
  /** Files that it has saved, for a person to keep. */
  readonly saved: readonly ForeignFile[];
}

export type ReportQuery = Extract<Query, { ask: 'report' }>;

/** Permitted losses of a table or a log; without it, it holds everything or is refused. */
export interface ExportPolicy {
  /** Entries that it cannot hold are left out or lose a part. */
  readonly lossy: boolean;
  /** Damaged parts, and parts that are not read, are left out. */
  readonly skipDamage: boolean;
}

/** The result of opening. */
export type Opened =
  /** `leftOut`: files of an archive that cannot be read. */
  | { readonly folder: string; readonly leftOut: readonly Problem[] }
  /** Several folders look like a database: one of them has to be chosen. */
  | { readonly folders: readonly string[] };
