import type { OutputView, Patch, ShownKey, View } from './engine.generated';
import { compareKeys } from './keys';
import { type Change, edited } from './reduce';

/** A table between its creation and its installation. */
interface WrittenTable extends OutputView {
  /** Whether some of its parts are unknown: their events are not held, and no view has the parts. */
  isPartial?: boolean;
}

/** The tables that are being written, by number. */
export type Writing = ReadonlyMap<number, WrittenTable>;

export const NOTHING_WRITTEN: Writing = new Map();

/** Tables being written after `event`. */
export function reduceWriting(writing: Writing, event: Pick<Change, 'patches'>): Writing {
  return event.patches.reduce(apply, writing);
}

function apply(writing: Writing, patch: Patch): Writing {
  switch (patch.of) {
    case 'reset':
      return NOTHING_WRITTEN;
    case 'output':
      return byNumber(edited([...writing.values()], ({ table }) => table, patch.edit));
    case 'block': {
      const table = writing.get(patch.table);
      if (!table) return writing;
      const blocks = [...table.blocks, patch.block];
      return new Map(writing).set(patch.table, { ...table, blocks });
    }
    case 'job': {
      // The outputs of a job that has ended end with it.
      const { edit } = patch;
      if (!('remove' in edit)) return writing;
      return byNumber([...writing.values()].filter(({ job }) => job !== edit.remove));
    }
    default:
      return writing;
  }
}

function byNumber(tables: readonly WrittenTable[]): Writing {
  return new Map(tables.map((table) => [table.table, table]));
}

/** Whether parts of a table are not known. */
export function isPartial(writing: Writing): boolean {
  return [...writing.values()].some((table) => table.isPartial);
}

/** Drops tables that a new view lacks, and adds outputs whose events were skipped. */
export function reconcileWriting(writing: Writing, view: View): Writing {
  const installed = new Set(view.levels.flatMap((level) => level.tables.map((t) => t.table)));
  const next = new Map<number, WrittenTable>();
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
          isPartial: true,
        },
      );
    }
  }
  return next;
}

/** Smallest and largest key written so far. */
export function writtenRange(table: OutputView): { smallest: ShownKey; largest: ShownKey } | null {
  const first = table.blocks[0]?.first;
  const last = table.blocks[table.blocks.length - 1]?.last;
  if (!first || !last) return null;
  return compareKeys(first, last) <= 0 ? { smallest: first, largest: last } : null;
}
