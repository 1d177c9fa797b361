// biome-ignore-all lint/a11y/useSemanticElements: rows are placed freely, see HexRow.tsx

import './Hex.css';

import { useEffect, useRef } from 'react';
import type { Leaf } from '../../model/bytes';
import type { Damage } from '../../model/engine.generated';
import { useFollowedPaths } from '../Follow/following';
import { useMedia } from '../shared/useMedia';
import { HexRow } from './HexRow';
import { ROW_BYTES } from './scene';
import { useByteChoice } from './useByteChoice';
import type { Chunks } from './useChunks';
import { ROW_HEIGHT, useHexScroll } from './useHexScroll';

export interface Span {
  from: number;
  /** The byte after the last one. */
  end: number;
}

export interface GridProps {
  label: string;
  chunks: Chunks;
  /** The byte with the keyboard focus. */
  cursor: number;
  pinned: Span | null;
  hovered: Span | null;
  /** Bytes that were flipped. */
  damages: readonly Damage[];
  /** The file of the bytes. */
  file: string;
  onCursor(offset: number): void;
  onPin(offset: number): void;
  onRange(from: number, to: number): void;
  onHover(leaf: Leaf | null): void;
  /** The bytes on screen. */
  onView(from: number, end: number): void;
}

const COLUMNS = Array.from('0123456789abcdef', (digit) => <span key={digit}>{digit}</span>);

/** A screen with room for half of the columns. */
const NARROW = '(max-width: 640px)';

/** All bytes, sixteen a row or eight: one tab stop, arrow keys move, Enter pins, Shift selects. */
export function HexGrid(props: GridProps) {
  const { label, chunks, cursor, pinned, hovered, onHover, onView } = props;
  const total = chunks.total ?? 0;
  const host = useRef<HTMLDivElement>(null);
  const rowBytes = useMedia(NARROW) ? ROW_BYTES.narrow : ROW_BYTES.usual;
  const rows = Math.ceil(total / rowBytes);
  const scroll = useHexScroll(host, rows, Math.floor(cursor / rowBytes));
  const { first, end, shift } = scroll;
  useEffect(
    () => onView(first * rowBytes, Math.max(end, 1) * rowBytes),
    [onView, first, end, rowBytes],
  );
  const followed = useFollowedPaths(props.file);
  const handlers = useByteChoice(props, { rowBytes, pageRows: scroll.page });
  const lines = [];
  for (let row = first; row < end; row += 1) {
    const offset = row * rowBytes;
    const inRow = cursor >= offset && cursor < offset + rowBytes;
    lines.push(
      <HexRow
        key={row}
        chunk={chunks.at(offset)}
        offset={offset}
        rowBytes={rowBytes}
        total={total}
        y={row * ROW_HEIGHT + shift}
        cursor={inRow ? cursor - offset : -1}
        {...clip('pin', pinned, offset, rowBytes)}
        {...clip('hover', hovered, offset, rowBytes)}
        damages={props.damages}
        followed={followed}
      />,
    );
  }
  return (
    <>
      <div className="hex-columns rigid mono dim" aria-hidden="true">
        <span>offset</span>
        {COLUMNS.slice(0, rowBytes)}
      </div>
      <div
        className="hex-grid grows mono"
        ref={host}
        role="grid"
        data-pages
        tabIndex={0}
        aria-label={label}
        aria-rowcount={rows}
        aria-colcount={rowBytes + 1}
        aria-activedescendant={total > 0 ? `hex-${cursor}` : undefined}
        onScroll={scroll.onScroll}
        {...handlers}
        onPointerLeave={() => onHover(null)}
      >
        <div role="rowgroup" className="hex-rows" style={{ height: scroll.height }}>
          {lines}
        </div>
      </div>
    </>
  );
}

/** The part of a span in the row at `offset`, as numbers, by which rows are compared. */
function clip<Name extends 'pin' | 'hover'>(
  name: Name,
  span: Span | null,
  offset: number,
  rowBytes: number,
) {
  const from = span ? Math.max(span.from - offset, 0) : 0;
  const end = span ? Math.min(span.end - offset, rowBytes) : 0;
  const is = end > from;
  return { [`${name}From`]: is ? from : 0, [`${name}End`]: is ? end : 0 } as Record<
    `${Name}From` | `${Name}End`,
    number
  >;
}
