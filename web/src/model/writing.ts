import type { Event, ShownKey, View } from './engine.generated';
import { compareKeys } from './keys';

/** A data block as the job that wrote it told of it. */
export interface WrittenBlock {
  index: number;
  entries: number;
  rawBytes: number;
  storedBytes: number;
  offset: number;
  first: ShownKey;
  last: ShownKey;
}

/** A table between its creation and its installation: no view tells its parts, only events do. */
export interface WritingTable {
  table: number;
  level: number;
  job: number;
  blocks: readonly WrittenBlock[];
  filterBytes: number | null;
  indexBytes: number | null;
  /** Length of the file once its footer is written [bytes]. */
  fileBytes: number | null;
  synced: boolean;
}

/** Tables being written, by number. */
export type Writing = ReadonlyMap<number, WritingTable>;

export const NOTHING_WRITTEN: Writing = new Map();

/** Tables being written after `event`. */
export function reduceWriting(writing: Writing, event: Event): Writing {
  switch (event.kind) {
    case 'table.create':
      return withTable(writing, {
        table: event.table,
        level: event.level,
        job: event.job ?? 0,
        blocks: [],
        filterBytes: null,
        indexBytes: null,
        fileBytes: null,
        synced: false,
      });
    case 'table.block': {
      const { index, entries, rawBytes, storedBytes, offset, first, last } = event;
      const block = { index, entries, rawBytes, storedBytes, offset, first, last };
      return patch(writing, event.table, (table) => ({ blocks: [...table.blocks, block] }));
    }
    case 'table.filter':
      return patch(writing, event.table, () => ({ filterBytes: event.bytes }));
    case 'table.index':
      return patch(writing, event.table, () => ({ indexBytes: event.bytes }));
    case 'table.footer':
      return patch(writing, event.table, () => ({ fileBytes: event.bytes }));
    case 'table.sync':
      return patch(writing, event.info.table, () => ({
        synced: true,
        fileBytes: event.info.bytes,
      }));
    case 'flush.install':
    case 'compaction.install':
    case 'job.failed':
      return without(writing, (table) => table.job === event.job);
    case 'recovery.begin':
      return NOTHING_WRITTEN;
    default:
      return writing;
  }
}

/** Drops what a fresh view no longer knows of, and adds outputs whose events were left out. */
export function reconcileWriting(writing: Writing, view: View): Writing {
  const installed = new Set(view.levels.flatMap((level) => level.tables.map((t) => t.table)));
  const next = new Map<number, WritingTable>();
  for (const job of view.jobs) {
    for (const table of job.outputs.filter((output) => !installed.has(output))) {
      next.set(
        table,
        writing.get(table) ?? {
          table,
          level: job.outputLevel,
          job: job.job,
          blocks: [],
          filterBytes: null,
          indexBytes: null,
          fileBytes: null,
          synced: false,
        },
      );
    }
  }
  return next;
}

/** Smallest and largest key written so far. */
export function writtenRange(
  table: WritingTable,
): { smallest: ShownKey; largest: ShownKey } | null {
  const first = table.blocks[0]?.first;
  const last = table.blocks[table.blocks.length - 1]?.last;
  if (!first || !last) return null;
  return compareKeys(first, last) <= 0 ? { smallest: first, largest: last } : null;
}

function withTable(writing: Writing, table: WritingTable): Writing {
  return new Map(writing).set(table.table, table);
}

function patch(
  writing: Writing,
  table: number,
  change: (table: WritingTable) => Partial<WritingTable>,
): Writing {
  const known = writing.get(table);
  return known ? withTable(writing, { ...known, ...change(known) }) : writing;
}

function without(writing: Writing, drop: (table: WritingTable) => boolean): Writing {
  return new Map([...writing].filter(([, table]) => !drop(table)));
}
