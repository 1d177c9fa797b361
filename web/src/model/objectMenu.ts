import { wordOfText } from './commandWords';
import type { View } from './engine.generated';
import { fileOfSelection, isIn, levelOf } from './files';
import { openedOf, parseSelection, type Selection } from './selection';

/** The target of a menu: an object, a key, or both. */
export interface MenuTarget {
  /** The object as a selection; `null` for a key without an object. */
  selection: string | null;
  /** A user key, as a word of the command language. */
  key: string | null;
  /** A byte of its file that damage may hit; `null`: one in the middle. */
  at: number | null;
}

/** One line of the menu, and the command that it types. */
export interface MenuEntry {
  label: string;
  command: string;
  /** In place of a command: what the picture shows from inside. */
  opened?: string;
}

export type ObjectMenu = NonNullable<ReturnType<typeof objectMenu>>;

interface MenuContext {
  view: View;
  /** The step shown. */
  step: number;
  isBookmarked: boolean;
  /** The step that changed the object last, as far as the page holds its events. */
  touchedAt: number | null;
}

/** Everything that commands can do with an object or a key; `null` when there is neither. */
export function objectMenu(target: MenuTarget, context: MenuContext) {
  const selection = target.selection === null ? null : parseSelection(target.selection);
  if (!selection && target.key === null) return null;
  const groups = [
    target.key === null ? [] : keyEntries(target.key),
    insideEntries(target.selection, context.view),
    selection ? workEntries(selection, context.view) : [],
    selection ? breakEntries(selection) : [],
    selection ? byteEntries(selection, target, context.view) : [],
    timeEntries(context),
  ];
  return {
    title: titleOf(selection, target.key),
    /** Entries that belong together, between two lines. */
    groups: groups.filter((group) => group.length > 0),
  };
}

/** The name of the selected object, or of a key. */
export function titleOf(selection: Selection | null, key: string | null): string {
  if (key !== null) return `key ${key}`;
  if (!selection) return '';
  const { kind, number, path } = selection;
  const last = path.split('/').at(-1)?.replace(':', ' ') ?? '';
  const name = kind === 'level' ? `L${number}` : number > 0 ? `${kind} ${number}` : kind;
  return last === '' ? name : `${last} of ${name}`;
}

function keyEntries(key: string): MenuEntry[] {
  return [
    { label: 'Explain how it is found', command: `explain get ${key} --detail` },
    { label: 'Follow this key', command: `follow ${key}` },
    { label: 'Get it', command: `get ${key}` },
    { label: 'Break on this key', command: `break on key ${key}` },
    { label: 'Delete it', command: `del ${key}` },
  ];
}

function insideEntries(selection: string | null, view: View): MenuEntry[] {
  if (selection === null || openedOf(selection) !== selection || !isIn(view, selection)) return [];
  return [{ label: 'Look inside', command: 'Enter', opened: selection }];
}

function workEntries({ kind, number }: Selection, view: View): MenuEntry[] {
  switch (kind) {
    case 'memtable': {
      const memtable = view.memtables.find((known) => known.memtable === number);
      const tree = { label: 'Its tree', command: `mem ${number}` };
      if (!memtable || memtable.immutable) return [tree];
      return [
        { label: 'Flush it', command: 'flush' },
        { label: 'Rotate: begin a new one', command: 'rotate' },
        tree,
      ];
    }
    case 'wal': {
      const wal = view.wals.find((known) => known.wal === number);
      return wal && !wal.closed ? [{ label: 'Sync it', command: 'sync' }] : [];
    }
    case 'table': {
      const level = levelOf(number, view)?.score.level ?? null;
      return level === null ? [] : compactEntries(level, view);
    }
    case 'level':
      return compactEntries(number, view);
    default:
      return [];
  }
}

function compactEntries(level: number, view: View): MenuEntry[] {
  const plan = { label: 'Show the next compaction', command: 'compact --plan' };
  if (!view.levels[level]?.score.canCompact) return [plan];
  return [{ label: `Compact L${level}`, command: `compact ${level}` }, plan];
}

function breakEntries({ kind, number, path }: Selection): MenuEntry[] {
  if (path !== '' || !['table', 'wal', 'level'].includes(kind)) return [];
  const name = { table: 'this table', wal: 'this log', level: 'this level' }[kind as 'table'];
  return [{ label: `Break on ${name}`, command: `break on ${kind} ${number}` }];
}

function byteEntries(selection: Selection, target: MenuTarget, view: View): MenuEntry[] {
  const file = fileOfSelection(selection, view);
  if (file === null || selection.kind === 'lock') return [];
  const word = wordOfText(file);
  // The parts of a memtable are none of its log.
  const isFile = selection.kind !== 'memtable';
  const part = isFile ? (target.selection ?? file) : file;
  const node = isFile && selection.path !== '' ? ` --node ${selection.path}` : '';
  const entries: MenuEntry[] = [
    { label: 'Every byte of it', command: `bytes ${wordOfText(part)}` },
    { label: 'Its parts, in words', command: `layout ${word}${node}` },
  ];
  if (selection.kind === 'opened') return entries;
  if (target.at !== null) {
    const command = `corrupt ${word} ${target.at}`;
    return [...entries, { label: `Corrupt the byte at ${target.at}`, command }];
  }
  const label = 'Corrupt the byte in its middle';
  if (node !== '') return [...entries, { label, command: `corrupt ${word}${node}` }];
  const middle = middleOf(file, view);
  return middle === null ? entries : [...entries, { label, command: `corrupt ${word} ${middle}` }];
}

/** A byte in the middle of a file whose length the view has. */
function middleOf(file: string, view: View): number | null {
  const selection = parseSelection(file);
  if (!selection) return null;
  const { kind, number } = selection;
  const bytes =
    kind === 'wal'
      ? view.wals.find((known) => known.wal === number)?.writtenBytes
      : view.levels.flatMap(({ tables }) => tables).find((known) => known.table === number)?.bytes;
  return bytes === undefined || bytes < 2 ? null : Math.floor(bytes / 2);
}

function timeEntries({ step, isBookmarked, touchedAt }: MenuContext): MenuEntry[] {
  if (step < 1) return [];
  const why = { label: `Why: step ${touchedAt} changed it last`, command: `why ${touchedAt}` };
  const goTo = { label: `Go to step ${touchedAt}`, command: `goto ${touchedAt}` };
  const last = touchedAt === step ? [why] : [why, goTo];
  const bookmark = isBookmarked
    ? { label: 'Remove this bookmark', command: 'bookmark --delete' }
    : { label: `Bookmark step ${step}`, command: 'bookmark' };
  return [...(touchedAt === null ? [] : last), bookmark];
}
