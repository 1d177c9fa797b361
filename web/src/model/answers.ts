import { decodeHex } from './bytes';
import type {
  Fact,
  FileEntry,
  MemtableTree,
  Node,
  PartResult,
  RibbonResult,
  Stats,
  Step,
  Stretch,
} from './engine.generated';

/*
 * Results of quiet commands, checked before they are shown.
 */

const FIGURES = [
  'puts',
  'deletes',
  'userBytes',
  'walBytes',
  'walSyncs',
  'gets',
  'getsFound',
  'tablesSearched',
  'flushes',
  'flushBytes',
  'compactions',
  'trivialMoves',
  'compactionReadBytes',
  'compactionWriteBytes',
  'entriesShadowed',
  'tombstonesDropped',
  'transactionsBegun',
  'transactionsCommitted',
  'transactionsRolledBack',
  'conflicts',
  'stalls',
  'slowdowns',
  'slowdownWaits',
  'compactionDebtBytes',
  'cacheHits',
  'cacheMisses',
  'cacheHitBytes',
  'cacheBytes',
  'tableBytes',
  'tableEntries',
  'liveBytesEstimate',
  'sortedRuns',
] as const satisfies readonly (keyof Stats)[];

/** Figures that are `null` while their denominator is 0. */
const RATIOS = [
  'writeAmplification',
  'readAmplification',
  'spaceAmplificationEstimate',
] as const satisfies readonly (keyof Stats)[];

/** A node and its parts, or `null` when it is something else. */
export function readNode(value: unknown): Node | null {
  if (!isRecord(value)) return null;
  const { name, kind, number, offset, bytes } = value;
  if (typeof name !== 'string' || typeof kind !== 'string') return null;
  if (typeof offset !== 'number' || typeof bytes !== 'number') return null;
  const children = readList(value.children ?? [], readNode);
  const inside = readList(value.inside ?? [], readNode);
  if (!children || !inside) return null;
  return {
    name,
    kind,
    number: typeof number === 'number' ? number : 0,
    offset,
    bytes,
    value: typeof value.value === 'string' ? value.value : '',
    children,
    inside,
    more: value.more === true,
    fact: isRecord(value.fact) ? (value.fact as Fact) : null,
  };
}

function readList<Item>(value: unknown, read: (item: unknown) => Item | null): Item[] | null {
  if (!Array.isArray(value)) return null;
  const items: Item[] = [];
  for (const part of value) {
    const item = read(part);
    if (item === null) return null;
    items.push(item);
  }
  return items;
}

/** The answer of `hex`, with its bytes decoded. */
export interface HexAnswer {
  offset: number;
  bytes: Uint8Array;
  /** Bytes of the whole. */
  total: number;
  root: Node;
}

/** The answer of `hex`, or `null` when it is something else. */
export function readHex(value: unknown): HexAnswer | null {
  if (!isRecord(value) || typeof value.hex !== 'string') return null;
  const { offset, fileBytes } = value;
  const bytes = decodeHex(value.hex);
  const root = readNode(value.root);
  if (typeof offset !== 'number' || typeof fileBytes !== 'number' || !bytes || !root) return null;
  return { offset, bytes, total: fileBytes, root };
}

/** The answer of `layout --node`, or `null` when it is something else. */
export function readPart(value: unknown): PartResult | null {
  if (!isRecord(value) || !isRecord(value.part)) return null;
  const { file, fileBytes, part } = value;
  const parts = readList(part.parts, readNode);
  const trail = readList(part.trail, readStep);
  if (typeof file !== 'string' || typeof fileBytes !== 'number' || !parts || !trail) return null;
  const { skipped, count } = part;
  if (typeof skipped !== 'number' || typeof count !== 'number') return null;
  return { file, fileBytes, part: { trail, parts, skipped, count } };
}

function readStep(value: unknown): Step | null {
  if (!isRecord(value) || typeof value.index !== 'number') return null;
  const node = readNode(value.node);
  return node && { index: value.index, decoded: value.decoded === true, node };
}

/** The answer of `layout --ribbon`, or `null` when it is something else. */
export function readRibbon(value: unknown): RibbonResult | null {
  if (!isRecord(value) || typeof value.file !== 'string') return null;
  const stretches = readList(value.stretches, readStretch);
  if (typeof value.fileBytes !== 'number' || !stretches) return null;
  return { file: value.file, fileBytes: value.fileBytes, stretches };
}

function readStretch(value: unknown): Stretch | null {
  if (!isRecord(value)) return null;
  const { name, kind, number, offset, bytes, parts } = value;
  if (typeof name !== 'string' || typeof kind !== 'string') return null;
  if (typeof number !== 'number' || typeof offset !== 'number') return null;
  if (typeof bytes !== 'number' || typeof parts !== 'number') return null;
  return { name, kind, number, offset, bytes, parts };
}

/** The answer of `files`, or `null` when it is something else. */
export function readFiles(value: unknown): FileEntry[] | null {
  return readList(value, (entry) => {
    if (!isRecord(entry)) return null;
    const { name, bytes, role } = entry;
    if (typeof name !== 'string' || typeof bytes !== 'number') return null;
    return { name, bytes, role: typeof role === 'string' ? role : '' };
  });
}

/** The answer of `mem N`, or `null` when it is something else. */
export function readTree(value: unknown): MemtableTree | null {
  if (!isRecord(value) || !Array.isArray(value.levels) || !Array.isArray(value.path)) return null;
  if (!Array.isArray(value.window) || !Array.isArray(value.versions)) return null;
  return typeof value.entries === 'number' ? (value as MemtableTree) : null;
}

/** Names of the verbs in the answer of `help`. */
export function readVerbs(value: unknown): string[] | null {
  return readList(value, (verb) =>
    isRecord(verb) && typeof verb.name === 'string' ? verb.name : null,
  );
}

/** The answer of `stats`, or `null` when it is something else. */
export function readStats(value: unknown): Stats | null {
  if (!isRecord(value)) return null;
  if (typeof value.userBytes !== 'number') return null;
  const known = (name: string, other: number | null) => {
    const figure = value[name];
    return [name, typeof figure === 'number' ? figure : other] as const;
  };
  return Object.fromEntries([
    ...FIGURES.map((name) => known(name, 0)),
    ...RATIOS.map((name) => known(name, null)),
  ]) as unknown as Stats;
}

/** Whether a value has fields. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
