// biome-ignore-all lint/a11y/useSemanticElements: rows are placed freely, see HexRow.tsx

import './Hex.css';

import {
  type KeyboardEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { Damage } from '../../engine/protocol';
import type { Leaf } from '../../model/bytes';
import { HexRow } from './HexRow';
import {
  type HexScroll,
  moveByte,
  ROW_BYTES,
  scaleOf,
  scrollHeight,
  scrollTopOf,
  topShowing,
  virtualTop,
  visibleRows,
} from './scene';
import type { Chunks } from './useChunks';

export interface Span {
  from: number;
  /** The byte behind the last. */
  end: number;
}

interface Props {
  label: string;
  chunks: Chunks;
  /** The byte that has the keyboard. */
  cursor: number;
  pinned: Span | null;
  hovered: Span | null;
  /** Bytes that were flipped. */
  damages: readonly Damage[];
  onCursor(offset: number): void;
  onPin(offset: number): void;
  onRange(from: number, to: number): void;
  onHover(leaf: Leaf | null): void;
  /** The bytes on screen. */
  onView(from: number, end: number): void;
}

const ROW_HEIGHT = 24;
const COLUMNS = Array.from('0123456789abcdef', (digit) => <span key={digit}>{digit}</span>);

/** All bytes, sixteen a row: one tab stop, arrow keys move, Enter pins, Shift selects. */
export function HexGrid(props: Props) {
  const { label, chunks, cursor, pinned, hovered, onCursor, onPin, onRange, onHover, onView } =
    props;
  const total = chunks.total ?? 0;
  const host = useRef<HTMLDivElement>(null);
  const [viewport, setViewport] = useState(480);
  const [top, setTop] = useState(0);
  const rows = Math.ceil(total / ROW_BYTES);
  const scroll: HexScroll = { rows, rowHeight: ROW_HEIGHT, viewport };
  // In a scaled file a place of the scroll bar stands for several rows: the exact one is kept here.
  const exact = useRef({ scrollTop: 0, top: 0 });
  const scrolled = useRef(scroll);
  scrolled.current = scroll;

  const show = useCallback((wanted: number) => {
    const element = host.current;
    if (!element) return;
    const last = Math.max(0, scrolled.current.rows * ROW_HEIGHT - scrolled.current.viewport);
    const next = Math.min(Math.max(wanted, 0), last);
    const scrollTop = scrollTopOf(scrolled.current, next);
    exact.current = { scrollTop, top: next };
    element.scrollTop = scrollTop;
    setTop(next);
  }, []);
  const onScroll = () => {
    const scrollTop = host.current?.scrollTop ?? 0;
    const kept = Math.abs(scrollTop - exact.current.scrollTop) <= 1;
    const next = kept ? exact.current.top : virtualTop(scroll, scrollTop);
    exact.current = { scrollTop, top: next };
    setTop(next);
  };

  useLayoutEffect(() => {
    const element = host.current;
    if (!element) return;
    const measure = () => setViewport(Math.max(element.clientHeight, ROW_HEIGHT));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  // The wheel moves by rows also where the scroll bar cannot.
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const onWheel = (event: WheelEvent) => {
      if (scaleOf(scrolled.current) === 1 || event.ctrlKey) return;
      event.preventDefault();
      show(exact.current.top + (event.deltaMode === 0 ? event.deltaY : event.deltaY * ROW_HEIGHT));
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [show]);

  const { first, end } = visibleRows(scroll, top);
  useEffect(() => onView(first * ROW_BYTES, Math.max(end, 1) * ROW_BYTES), [onView, first, end]);

  // The byte that has the keyboard is kept in sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolling away from the cursor is allowed
  useEffect(() => {
    if (rows > 0) show(topShowing(scroll, exact.current.top, Math.floor(cursor / ROW_BYTES)));
  }, [cursor, rows, viewport, show]);

  // Where a choice of bytes begins: at the byte that was reached last without Shift.
  const anchor = useRef(cursor);
  const extending = useRef(false);
  useEffect(() => {
    if (!extending.current) anchor.current = cursor;
    extending.current = false;
  }, [cursor]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.metaKey || total === 0) return;
    if (event.key === 'Enter' || event.key === ' ') {
      onPin(cursor);
    } else {
      const page = Math.max(1, Math.floor(viewport / ROW_HEIGHT) - 1);
      const next = moveByte(event.key, cursor, total, page, event.ctrlKey);
      if (next === null) return;
      extending.current = event.shiftKey && next !== cursor;
      onCursor(next);
      if (event.shiftKey) onRange(Math.min(anchor.current, next), Math.max(anchor.current, next));
      else onHover(chunks.leaf(next));
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const drag = useRef<number | null>(null);
  const onPointerDown = (event: PointerEvent) => {
    const offset = offsetOf(event.target);
    if (offset === null || event.button !== 0) return;
    if (event.shiftKey) {
      onRange(Math.min(anchor.current, offset), Math.max(anchor.current, offset));
      return;
    }
    drag.current = offset;
    onCursor(offset);
  };
  const onPointerOver = (event: PointerEvent) => {
    const offset = offsetOf(event.target);
    if (offset === null) return;
    onHover(chunks.leaf(offset));
    const from = drag.current;
    if (from !== null && event.buttons === 1 && from !== offset) {
      onRange(Math.min(from, offset), Math.max(from, offset));
    }
  };
  const onPointerUp = (event: PointerEvent) => {
    const offset = offsetOf(event.target);
    if (offset !== null && offset === drag.current) onPin(offset);
    drag.current = null;
  };

  const scale = scaleOf(scroll);
  const shift = scale === 1 ? 0 : exact.current.scrollTop - top;
  const lines = [];
  for (let row = first; row < end; row += 1) {
    const offset = row * ROW_BYTES;
    const inRow = cursor >= offset && cursor < offset + ROW_BYTES;
    lines.push(
      <HexRow
        key={row}
        chunk={chunks.at(offset)}
        offset={offset}
        total={total}
        y={row * ROW_HEIGHT + shift}
        cursor={inRow ? cursor - offset : -1}
        {...clip('pin', pinned, offset)}
        {...clip('hover', hovered, offset)}
        damages={props.damages}
      />,
    );
  }
  return (
    <>
      <div className="hex-columns" aria-hidden="true">
        <span>offset</span>
        {COLUMNS}
      </div>
      <div
        className="hex-grid"
        ref={host}
        role="grid"
        tabIndex={0}
        aria-label={label}
        aria-rowcount={rows}
        aria-colcount={ROW_BYTES + 1}
        aria-activedescendant={total > 0 ? `hex-${cursor}` : undefined}
        onScroll={onScroll}
        onKeyDown={onKeyDown}
        onPointerDown={onPointerDown}
        onPointerOver={onPointerOver}
        onPointerUp={onPointerUp}
        onPointerLeave={() => onHover(null)}
      >
        <div role="rowgroup" className="hex-rows" style={{ height: scrollHeight(scroll) }}>
          {lines}
        </div>
      </div>
    </>
  );
}

/** The part of a span that is in the row at `offset`, as numbers: rows are compared by them. */
function clip<Name extends 'pin' | 'hover'>(name: Name, span: Span | null, offset: number) {
  const from = span ? Math.max(span.from - offset, 0) : 0;
  const end = span ? Math.min(span.end - offset, ROW_BYTES) : 0;
  const is = end > from;
  return { [`${name}From`]: is ? from : 0, [`${name}End`]: is ? end : 0 } as Record<
    `${Name}From` | `${Name}End`,
    number
  >;
}

function offsetOf(target: EventTarget): number | null {
  const offset = target instanceof HTMLElement ? target.dataset.o : undefined;
  return offset === undefined ? null : Number(offset);
}
