/**
 * The selection: one value for picture, inspector, terminal links and address.
 *
 * ```text
 * memtable:3   wal:7   table:12   level:1   manifest:5   current   lock
 * table:12/block:2/entry:5      a part of a file, by kind and number, depth by depth
 * memtable:3/leaf:2             a node of its tree, below those above it
 * wal:7/bytes:24-55             bytes of a file, the last one included
 * table:12/block:2/decoded:0-9  bytes of a block's decompressed content
 * @tiny.sst   @dir/000005.ldb   an opened file, which is no part of the database
 * ```
 */
type SelectionKind =
  | 'memtable'
  | 'wal'
  | 'table'
  | 'level'
  | 'manifest'
  | 'current'
  | 'lock'
  | 'opened';

export type Selection = NonNullable<ReturnType<typeof parseSelection>>;
export type ByteRange = NonNullable<Selection['range']>;

// No name of an opened file has a colon, and every step of a path has one.
const FORM =
  /^(?:(memtable|wal|table|level|manifest):(\d{1,15})|(current|lock)|@((?:[\p{L}\p{N}._+-]+\/)*[\p{L}\p{N}._+-]+))((?:\/[a-z]{1,16}:\d{1,9}){0,16})(?:\/(bytes|decoded):(\d{1,15})-(\d{1,15}))?$/u;
const WITH_PARTS: readonly string[] = ['wal', 'table', 'manifest', 'current', 'opened'];
const WITH_PATHS: readonly string[] = [...WITH_PARTS, 'memtable'];
/** Longest selection that is read [UTF-16 units]. */
const UNITS_MAX = 500;
const BLOCK = /^block:(\d+)/;

/** Parses a selection as text: an object, then the path of a part, then a range; `null` for every other text. */
export function parseSelection(text: string) {
  const match = text.length > UNITS_MAX ? null : FORM.exec(text);
  if (!match) return null;
  const [, numbered, number, single, name = '', steps = '', space, first, last] = match;
  const kind = (numbered ?? single ?? 'opened') as SelectionKind;
  const path = steps.slice(1);
  /** Whether the range counts in the decoded content of the part at `path`. */
  const decoded = space === 'decoded';
  const range = space === undefined ? null : { from: Number(first), to: Number(last), decoded };
  if (path !== '' && !WITH_PATHS.includes(kind)) return null;
  if (range && !WITH_PARTS.includes(kind)) return null;
  if (range && (range.to < range.from || decoded === (path === ''))) return null;
  const block = kind === 'table' ? BLOCK.exec(path)?.[1] : undefined;
  return {
    kind,
    /** 0 for the files without a number. */
    number: Number(number ?? 0),
    /** Of an opened file; otherwise empty. */
    name,
    /** A data block of the table, counted from 1. */
    block: block === undefined ? null : Number(block),
    /** A part of the file: `block:2/entry:5`; empty for the whole. */
    path,
    /** With its last byte. */
    range,
  };
}

/** The class of words that lead to this selection: they have the colour of its object. */
export function wordClass(selection: string): string {
  return `word-${parseSelection(selection)?.kind}`;
}

/** The object alone: `table:12`, `current`, `@tiny.sst`. */
export function fileOf(selection: Pick<Selection, 'kind' | 'number' | 'name'>): string {
  const { kind, number, name } = selection;
  if (kind === 'opened') return `@${name}`;
  return kind === 'current' || kind === 'lock' ? kind : `${kind}:${number}`;
}

/** What the picture opens: tables and their data blocks, memtables and the nodes of their trees, logs, and other files. */
const OPENED =
  /^(?:table:\d+(?:\/block:\d+)?|memtable:\d+(?:\/inner:\d+)*(?:\/leaf:\d+)?|wal:\d+|@[^:]+?(?=(?:\/\w+:.*)?$))(?=\/|$)/;

/** What the picture opens of a selection; `null`: nothing. */
export function openedOf(selection: string | null): string | null {
  if (selection === null || !parseSelection(selection)) return null;
  return OPENED.exec(selection)?.[0] ?? null;
}

/** What an opened object lies in: a block in its table, a table in the tree, which is `null`. */
export function aroundOf(opened: string | null): string | null {
  return /^(.+)\/\w+:\d+$/.exec(opened ?? '')?.[1] ?? null;
}

/** The object that a selection is in: a block's table. */
export function objectOf(selection: string | null): string | null {
  const parsed = selection === null ? null : parseSelection(selection);
  return parsed && fileOf(parsed);
}

const STEP_FORM = /^step:(\d{1,15})$/;

/** The step that a link of the terminal leads to; `null` when it leads to an object or nowhere. */
export function parseStep(text: string): number | null {
  const match = STEP_FORM.exec(text);
  return match ? Number(match[1]) : null;
}

/** Whether a link of the terminal has a target. */
export function leadsSomewhere(link: string): boolean {
  return parseSelection(link) !== null || parseStep(link) !== null;
}

/** Some bytes of a file as a selection; `inside`: of the content of this part, which is compressed. */
export function bytesSelection(file: string, inside: string | null, from: number, to: number) {
  return inside === null
    ? `${file}/bytes:${from}-${to}`
    : `${file}/${inside}/decoded:${from}-${to}`;
}
