// biome-ignore-all lint/a11y/useSemanticElements: rows are placed freely, see HexRow.tsx

import './Parts.css';

import { useEffect, useMemo, useRef } from 'react';
import type { Damage } from '../../model/engine.generated';
import { useFollowedPaths } from '../Follow/following';
import { useMedia } from '../shared/useMedia';
import { HexRow } from './HexRow';
import { ROW_BYTES } from './scene/hex';
import { useByteChoice } from './useByteChoice';
import { type Place, type Span, spanOf } from './usePlace';
import { useRowScroll } from './useRowScroll';

interface Props {
  /** The name of the file. */
  name: string;
  place: Place;
  /** Bytes that were flipped. */
  damages: readonly Damage[];
}

/** [px] */
const ROW_HEIGHT = 24;
const COLUMNS = Array.from('0123456789abcdef', (digit) => <span key={digit}>{digit}</span>);

/** A screen with room for half of the columns. */
const NARROW = '(max-width: 640px)';

/** All bytes, sixteen a row or eight: one tab stop, arrow keys move, Enter pins, Shift selects. */
export function HexGrid({ name, place, damages }: Props) {
  const { inside, chunks, cursor, pin, hover, onView } = place;
  const total = chunks.total ?? 0;
  const host = useRef<HTMLDivElement>(null);
  const rowBytes = useMedia(NARROW) ? ROW_BYTES.narrow : ROW_BYTES.usual;
  const rows = Math.ceil(total / rowBytes);
  const cursorRow = Math.floor(cursor / rowBytes);
  const scroll = useRowScroll(host, rows, ROW_HEIGHT, cursorRow);
  const { first, end, shift } = scroll;
  useEffect(
    () => onView(first * rowBytes, Math.max(end, 1) * rowBytes),
    [onView, first, end, rowBytes],
  );
  const followed = useFollowedPaths(place.id);
  const handlers = useByteChoice(place, { rowBytes, pageRows: scroll.page });
  const hovered = useMemo(() => hover && spanOf(hover), [hover]);
  const lines = [];
  for (let row = first; row < end; row += 1) {
    const offset = row * rowBytes;
    // A row that has none of the bytes that stand out stays as it was.
    const within = (span: Span | null | undefined) =>
      span && span.from < offset + rowBytes && span.end > offset ? span : null;
    lines.push(
      <HexRow
        key={row}
        chunk={chunks.at(offset)}
        offset={offset}
        rowBytes={rowBytes}
        total={total}
        y={row * ROW_HEIGHT + shift}
        cursor={row === cursorRow ? cursor : null}
        pin={within(pin?.span)}
        hover={within(hovered)}
        damages={damages}
        followed={followed}
      />,
    );
  }
  return (
    <>
      <div className="hex-columns rigid mono dim" aria-hidden="true">
        <span className="hex-offset">offset</span>
        {COLUMNS.slice(0, rowBytes)}
      </div>
      <div
        className="hex-grid grows mono"
        ref={host}
        role="grid"
        data-pages
        tabIndex={0}
        aria-label={`Bytes of ${name}${inside === null ? '' : ', decompressed block'}. Arrow keys move, Enter pins, Shift chooses bytes.`}
        aria-rowcount={rows}
        aria-colcount={rowBytes + 1}
        aria-activedescendant={total > 0 ? `hex-${cursor}` : undefined}
        onScroll={scroll.onScroll}
        {...handlers}
      >
        <div role="rowgroup" className="hex-rows" style={{ height: scroll.height }}>
          {lines}
        </div>
      </div>
    </>
  );
}
