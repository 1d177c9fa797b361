import type { BytePart } from './answers';

/** The look of each kind of part, shared with the byte inspector of own files; other kinds are branches. */
const LOOKS: Readonly<Record<string, string>> = {
  magic: 'f-magic',
  number: 'f-number',
  count: 'f-number',
  length: 'f-number',
  offset: 'f-number',
  sequence: 'f-sequence',
  kind: 'f-sequence',
  key: 'f-key',
  value: 'f-value',
  text: 'f-value',
  checksum: 'f-checksum',
  bits: 'f-bits',
  filter: 'part-filter',
  compressed: 'f-compressed',
  content: 'part-block',
  zeros: 'f-zeros',
  padding: 'f-zeros',
  damaged: 'f-damaged',
  blocks: 'part-block',
  block: 'part-block',
  index: 'part-index',
  meta: 'part-meta',
  footer: 'part-footer',
  header: 'part-header',
  trailer: 'part-trailer',
  entry: 'part-entry',
  record: 'part-record',
  batch: 'part-record',
  edit: 'part-record',
};

/** The classes of a part: its look, and its damage above it. */
export function lookOf({ kind, state }: Pick<BytePart, 'kind' | 'state'>): string {
  return state === 'damaged' ? 'f-damaged' : (LOOKS[kind] ?? 'part-meta');
}

/** A part on a strip, 0 to 1. */
export interface Stretch {
  place: number;
  part: BytePart;
  x: number;
  w: number;
}

/** Parts side by side, to scale; those without bytes have no place. */
export function stretchesOf(parts: readonly BytePart[], from: number, whole: BytePart): Stretch[] {
  const isInside = (part: BytePart) => part.decoded === whole.decoded && part.bytes > 0;
  return parts.flatMap((part, index) =>
    isInside(part)
      ? [
          {
            place: from + index,
            part,
            x: (part.offset - whole.offset) / Math.max(whole.bytes, 1),
            w: part.bytes / Math.max(whole.bytes, 1),
          },
        ]
      : [],
  );
}

/** Bytes of a row of the hex view. */
export const ROW = 16;
/** Bytes that are shown at once. */
export const WINDOW = 32 * ROW;

/** Where the window begins that shows `offset`, within a part. */
export function windowAt(offset: number, whole: Pick<BytePart, 'offset' | 'bytes'>): number {
  const first = Math.floor(whole.offset / ROW) * ROW;
  const step = Math.floor((offset - first) / WINDOW);
  return first + Math.max(step, 0) * WINDOW;
}

/** The place of the part that holds a byte; `null`: none does. */
export function placeOf(
  parts: readonly BytePart[],
  from: number,
  whole: BytePart,
  offset: number,
): number | null {
  const index = parts.findIndex(
    (part) =>
      part.decoded === whole.decoded && offset >= part.offset && offset < part.offset + part.bytes,
  );
  return index < 0 ? null : from + index;
}
