// Rows are positioned one by one, because thousands of them scroll; so roles make them a table.
// biome-ignore-all lint/a11y/useSemanticElements: as above
import { memo } from 'react';
import { hexByte, leafAt, letter } from '../../model/bytes';
import { flippedBits } from '../../model/damage';
import type { Damage } from '../../model/engine.generated';
import { isOfEntry } from '../../model/followed';
import { classes } from '../../model/words';
import type { Chunk } from './useChunks';

interface Props {
  chunk: Chunk | null;
  offset: number;
  /** Bytes of a row. */
  rowBytes: number;
  /** Bytes of the whole. */
  total: number;
  y: number;
  /** Column of the keyboard focus; -1: another row has it. */
  cursor: number;
  pinFrom: number;
  pinEnd: number;
  hoverFrom: number;
  hoverEnd: number;
  /** Bytes that were flipped. */
  damages: readonly Damage[];
  /** Paths of the entries that hold versions of the followed key. */
  followed: readonly string[];
}

/** The bytes of a row: their offset, their values, and their letters. */
export const HexRow = memo(function HexRow(props: Props) {
  const { chunk, offset, total, y, cursor, pinFrom, pinEnd, hoverFrom, hoverEnd, damages } = props;
  const { followed, rowBytes } = props;
  const cells = [];
  const letters = [];
  const length = Math.min(rowBytes, total - offset);
  for (let column = 0; column < rowBytes; column += 1) {
    const at = offset + column;
    const index = chunk ? at - chunk.offset : -1;
    const byte = chunk?.bytes[index];
    const there = column < length;
    const damage = damages.find((known) => known.offset === at);
    const className = classes(
      'byte',
      there && byte !== undefined ? `f-${chunk?.families[index] ?? 'zeros'}` : 'gone',
      chunk?.starts[index] && column > 0 && 'start',
      column >= pinFrom && column < pinEnd && 'pin',
      column === pinFrom && pinEnd > 0 && 'pin-first',
      column === pinEnd - 1 && 'pin-last',
      column >= hoverFrom && column < hoverEnd && 'hover',
      column === cursor && 'cursor',
      damage && 'flipped',
      isFollowed(followed, chunk, at) && 'followed',
    );
    const title = damage ? { title: `damaged: bits ${flippedBits(damage)} are flipped` } : {};
    const data = there ? { 'data-o': at, ...title } : {};
    cells.push(
      // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names the cell as its active descendant
      <span
        key={column}
        role="gridcell"
        id={`hex-${at}`}
        aria-colindex={column + 2}
        className={className}
        {...(column === cursor && byte !== undefined
          ? {
              'aria-label': `${spoken(chunk, at, byte)}${damage ? `, damaged: bits ${flippedBits(damage)} are flipped` : ''}`,
            }
          : {})}
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

/** Whether a byte belongs to an entry with a version of the followed key. */
function isFollowed(paths: readonly string[], chunk: Chunk | null, at: number): boolean {
  return paths.length > 0 && isOfEntry(paths, leafAt(chunk?.leaves ?? [], at)?.path ?? '');
}

/** The screen reader's text for the byte with the keyboard focus. */
function spoken(chunk: Chunk | null, at: number, byte: number): string {
  const leaf = leafAt(chunk?.leaves ?? [], at);
  const names = leaf?.trail.map((node) => node.name).join(', ') ?? '';
  return `${hexByte(byte)}, offset ${at}, hexadecimal ${at.toString(16)}, ${names}`;
}
