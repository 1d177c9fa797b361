import type { Node, Stats } from './engine.generated';

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
  'cacheBytes',
  'tableBytes',
  'tableEntries',
  'deepestLevelBytes',
  'sortedRuns',
  'writeAmplification',
  'readAmplification',
  'spaceAmplification',
] as const satisfies readonly (keyof Stats)[];

/** The answer of `layout`, or `null` when it is something else. */
export function readNode(value: unknown): Node | null {
  if (!isRecord(value)) return null;
  const { name, kind, offset, bytes } = value;
  if (typeof name !== 'string' || typeof kind !== 'string') return null;
  if (typeof offset !== 'number' || typeof bytes !== 'number') return null;
  const children = readNodes(value.children);
  const inside = readNodes(value.inside);
  if (!children || !inside) return null;
  const said = typeof value.value === 'string' ? value.value : '';
  return { name, kind, offset, bytes, value: said, children, inside };
}

function readNodes(value: unknown): Node[] | null {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return null;
  const nodes: Node[] = [];
  for (const part of value) {
    const node = readNode(part);
    if (!node) return null;
    nodes.push(node);
  }
  return nodes;
}

/** The answer of `stats`, or `null` when it is something else. */
export function readStats(value: unknown): Stats | null {
  if (!isRecord(value)) return null;
  const figures = FIGURES.map((name) => [name, value[name]] as const);
  if (typeof value.writeAmplification !== 'number') return null;
  return Object.fromEntries(
    figures.map(([name, figure]) => [name, typeof figure === 'number' ? figure : 0]),
  ) as Stats;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
