// Rows are positioned one by one, because thousands of them scroll; so roles make them a table.
// biome-ignore-all lint/a11y/useSemanticElements: as above
import { memo } from 'react';
import { familyOf, hexByte, type Leaf, leafAt, letter } from '../../model/bytes';
import { flippedBits } from '../../model/damage';
import type { Damage } from '../../model/engine.generated';
import { isOfEntry } from '../../model/followed';
import { classes, joined } from '../../model/words';
import type { Chunk } from './useChunks';
import type { Span } from './usePlace';

interface Props {
  chunk: Chunk | null;
  offset: number;
  /** Bytes of a row. */
  rowBytes: number;
  /** Bytes of the whole. */
  total: number;
  y: number;
  /** The byte with the keyboard focus; `null`: another row has it. */
  cursor: number | null;
  /** The pinned bytes, and those under the pointer; `null`: the row has none. */
  pin: Span | null;
  hover: Span | null;
  /** Bytes that were flipped. */
  damages: readonly Damage[];
  /** Paths of the entries that hold versions of the followed key. */
  followed: readonly string[];
}

/** The bytes of a row: their offset, their values, and their letters. */
export const HexRow = memo(function HexRow(props: Props) {
  const { chunk, offset, rowBytes, total, y, cursor, pin, hover, damages, followed } = props;
  const cells = [];
  const letters = [];
  for (let column = 0; column < rowBytes; column += 1) {
    const at = offset + column;
    const byte = chunk?.bytes[at - chunk.offset];
    const there = at < total;
    const leaf = leafAt(chunk?.leaves ?? [], at);
    const damage = damages.find((known) => known.offset === at);
    const bits = damage && `damaged: bits ${flippedBits(damage)} are flipped`;
    const pinned = has(pin, at);
    const className = classes(
      'byte',
      there && byte !== undefined ? `f-${leaf ? familyOf(leaf.node) : 'zeros'}` : 'gone',
      leaf?.node.offset === at && column > 0 && 'start',
      pinned && 'pin',
      pinned && (at === pin?.from || column === 0) && 'pin-first',
      pinned && (at + 1 === pin?.end || column + 1 === rowBytes) && 'pin-last',
      has(hover, at) && 'hover',
      at === cursor && 'focused',
      damage && 'flipped',
      leaf && isOfEntry(followed, leaf.path) && 'followed',
    );
    const data = there ? { 'data-o': at, title: bits } : {};
    cells.push(
      // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names the cell as its active descendant
      <span
        key={column}
        role="gridcell"
        id={`hex-${at}`}
        aria-colindex={column + 2}
        className={className}
        aria-label={
          at === cursor && byte !== undefined ? joined([spoken(at, byte, leaf), bits]) : undefined
        }
        {...data}
      >
        {there ? (byte === undefined ? '··' : hexByte(byte)) : ''}
      </span>,
    );
    letters.push(
      <span key={column} className={className} {...data}>
        {there ? (byte === undefined ? ' ' : letter(byte)) : ''}
      </span>,
    );
  }
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: as above
    <div
      className="hex-row"
      role="row"
      aria-rowindex={offset / rowBytes + 1}
      style={{ transform: `translateY(${y}px)` }}
    >
      {/* biome-ignore lint/a11y/useFocusableInteractive: as above */}
      <span role="rowheader" aria-colindex={1} className="hex-offset dim">
        {offset.toString(16).padStart(8, '0')}
      </span>
      {cells}
      <span className="hex-letters" aria-hidden="true">
        {letters}
      </span>
    </div>
  );
});

function has(span: Span | null, at: number): boolean {
  return span !== null && at >= span.from && at < span.end;
}

/** The screen reader's text for the byte with the keyboard focus. */
function spoken(at: number, byte: number, leaf: Leaf | null): string {
  const names = leaf?.trail.map((node) => node.name).join(', ') ?? '';
  return `${hexByte(byte)}, offset ${at}, hexadecimal ${at.toString(16)}, ${names}`;
}
