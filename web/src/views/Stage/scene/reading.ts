import type { ExplainResult } from '../../../model/engine.generated';
import { headOf } from '../../Read/scene';

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
    const { selection, outcome } = headOf(stop);
    // A level that was passed over has no place of its own.
    if (outcome !== 'outside') badges.set(selection, { order: index + 1, outcome });
  }
  return badges;
}
