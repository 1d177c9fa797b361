import type { ExplainResult, Hit } from '../../../model/engine.generated';

/** One place that a lookup asked. */
export interface ReadBadge {
  /** 1 is asked first. */
  order: number;
  /** `hit`: it had the entry. `filtered`: its filter or prefix index said no. `miss`: it was searched and had no entry. */
  outcome: 'hit' | 'filtered' | 'miss';
}

/** The places that a lookup asked, by selection. */
export function readBadges(read: ExplainResult | null): ReadonlyMap<string, ReadBadge> {
  const badges = new Map<string, ReadBadge>();
  for (const [index, stop] of (read?.stops ?? []).entries()) {
    const order = index + 1;
    if (stop.stop === 'memtable') badges.set(`memtable:${stop.memtable}`, found(order, stop.hit));
    if (stop.stop === 'table') badges.set(`table:${stop.table}`, found(order, stop.hit));
    if (stop.stop === 'filtered' || stop.stop === 'noPrefix')
      badges.set(`table:${stop.table}`, { order, outcome: 'filtered' });
  }
  return badges;
}

function found(order: number, hit: Hit | null): ReadBadge {
  return { order, outcome: hit ? 'hit' : 'miss' };
}
