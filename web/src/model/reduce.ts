import {
  type Edit,
  type LevelView,
  MANIFEST_EDITS_MAX,
  type Patch,
  type View,
  type WireEvent,
} from './engine.generated';

/** The state of a new database. */
export const EMPTY_VIEW: View = {
  time: 0,
  memtables: [],
  wals: [],
  levels: [],
  jobs: [],
  manifest: 0,
  manifestBytes: 0,
  manifestEdits: [],
  manifestUnsynced: 0,
  current: 0,
  lastSequence: 0,
  snapshots: [],
  transactions: [],
  stall: null,
  slowdown: null,
  readOnly: null,
};

/** The part of an event that changes a state. */
export type Change = Pick<WireEvent, 'time' | 'patches'>;

/**
 * The view after `event`: exactly what the engine itself would answer then. Pure; shares every part that
 * the event leaves alone, so that a comparison by identity finds what changed.
 */
export function reduce(view: View, event: Change): View {
  const next = event.patches.reduce(apply, view);
  return next.time === event.time ? next : { ...next, time: event.time };
}

/** One change of a view, as the engine's own `View::apply` makes it. */
function apply(view: View, patch: Patch): View {
  switch (patch.of) {
    case 'reset':
      return { ...EMPTY_VIEW, levels: patch.levels };
    case 'levels':
      return { ...view, levels: patch.levels };
    case 'scores': {
      const tables = (index: number) => view.levels[index]?.tables ?? [];
      return {
        ...view,
        levels: patch.scores.map((score, index) => ({ score, tables: tables(index) })),
      };
    }
    case 'addTable': {
      const { position, table } = patch;
      return inLevel(view, patch.level, (tables) => tables.toSpliced(position, 0, table));
    }
    case 'removeTable':
      return inLevel(view, patch.level, (tables) =>
        tables.filter(({ table }) => table !== patch.table),
      );
    case 'manifest':
      return withManifest(view, patch);
    case 'current':
      return { ...view, current: patch.manifest };
    case 'lastSequence':
      return { ...view, lastSequence: patch.sequence };
    case 'log':
      return { ...view, wals: edited(view.wals, ({ wal }) => wal, patch.edit) };
    case 'memtable': {
      // The newest one comes first.
      const added = 'add' in patch.edit ? [patch.edit.add] : null;
      const memtables = added
        ? [...added, ...view.memtables]
        : edited(view.memtables, ({ memtable }) => memtable, patch.edit);
      return { ...view, memtables };
    }
    case 'job':
      return { ...view, jobs: edited(view.jobs, ({ job }) => job, patch.edit) };
    case 'transaction': {
      const numberOf = (open: View['transactions'][number]) => open.transaction;
      return { ...view, transactions: edited(view.transactions, numberOf, patch.edit) };
    }
    case 'snapshot': {
      const { sequence, held } = patch;
      const others = view.snapshots.filter((known) => known !== sequence);
      return { ...view, snapshots: held ? [...others, sequence] : others };
    }
    case 'stall':
      return { ...view, stall: patch.stall };
    case 'slowdown':
      return { ...view, slowdown: patch.slowdown };
    case 'readOnly':
      return { ...view, readOnly: patch.cause };
    case 'output': {
      if (!('add' in patch.edit)) return view;
      const { job, table } = patch.edit.add;
      const jobs = view.jobs.map((known) =>
        known.job === job ? { ...known, outputs: [...known.outputs, table] } : known,
      );
      return { ...view, jobs };
    }
    case 'block':
      return view;
  }
}

function withManifest(
  view: View,
  { manifest, bytes, edit, synced }: Extract<Patch, { of: 'manifest' }>,
): View {
  const before = view.manifest === manifest ? view.manifestEdits : [];
  const appended = edit ? [...before, edit].slice(-MANIFEST_EDITS_MAX) : before;
  const unsynced = synced ? 0 : view.manifestUnsynced + (edit ? 1 : 0);
  return {
    ...view,
    manifest,
    manifestBytes: bytes,
    manifestEdits: appended,
    manifestUnsynced: unsynced,
  };
}

/** The list after one edit of an item; an added one comes last. */
export function edited<Item>(
  list: readonly Item[],
  numberOf: (item: Item) => number,
  edit: Edit<Item, Partial<Item>>,
): Item[] {
  if ('add' in edit) return [...list, edit.add];
  if ('remove' in edit) return list.filter((item) => numberOf(item) !== edit.remove);
  const [number, change] = edit.change;
  return list.map((item) => (numberOf(item) === number ? { ...item, ...change } : item));
}

function inLevel(
  view: View,
  number: number,
  change: (tables: LevelView['tables']) => LevelView['tables'],
): View {
  const levels = view.levels.map((level, index) =>
    index === number ? { ...level, tables: change(level.tables) } : level,
  );
  return { ...view, levels };
}
