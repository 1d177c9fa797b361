import type { PrefixBucket, PrefixBuckets } from './engine.generated';
import { count, counted, size } from './words';

/** Most buckets fetched: as many as a strip can show. */
export const CELLS_MAX = 256;

/** The four bytes of `bucket` as they are read: the most significant one first. */
export function wordText({ word }: PrefixBucket): string {
  return word.toString(16).padStart(8, '0');
}

/** Data blocks of `bucket`, counted from 1 as everywhere on the page. */
export function blocksText({ blocks, blockCount }: PrefixBucket): string {
  const shown = blocks.slice(0, 4).map((block) => count(block + 1));
  return blockCount > shown.length
    ? `${shown.join(', ')} … ${count(blockCount)} in all`
    : shown.join(', ');
}

/** One form in a sentence. */
export function formText(index: PrefixBuckets): string {
  const { form, prefixes, buckets, free, shared, memoryBytes } = index;
  const places = counted(buckets, form === 'compact' ? 'bucket' : 'slot');
  const shares = form === 'compact' ? `, ${count(shared)} shared by several prefixes` : '';
  const each = prefixes > 0 ? ` (${(memoryBytes / prefixes).toFixed(1)} bytes a prefix)` : '';
  return `${counted(prefixes, 'prefix')} in ${places}, ${count(free)} free${shares}: ${size(memoryBytes)} in memory${each}.`;
}
