/** Where the rows of a hex view are. Browsers end at some millions of pixels: larger files are scaled. */

export const ROW_BYTES = 16;
/** Tallest scrolled content [px]; every browser can have so much. */
export const HEIGHT_MAX = 6_000_000;

export interface HexScroll {
  /** Rows of the file. */
  rows: number;
  rowHeight: number;
  /** Height of the window on them [px]. */
  viewport: number;
}

/** Height of all rows, were there no limit [px]. */
function wholeHeight({ rows, rowHeight }: HexScroll): number {
  return rows * rowHeight;
}

/** Height of the scrolled content [px]. */
export function scrollHeight(scroll: HexScroll): number {
  return Math.min(wholeHeight(scroll), HEIGHT_MAX);
}

/** How many px of rows one px of the scroll bar stands for; 1 for files that fit. */
export function scaleOf(scroll: HexScroll): number {
  const whole = wholeHeight(scroll) - scroll.viewport;
  const shown = scrollHeight(scroll) - scroll.viewport;
  return shown > 0 && whole > shown ? whole / shown : 1;
}

/** Where in the rows a position of the scroll bar is [px]. */
export function virtualTop(scroll: HexScroll, scrollTop: number): number {
  return scrollTop * scaleOf(scroll);
}

/** The position of the scroll bar for a place in the rows [px]. */
export function scrollTopOf(scroll: HexScroll, top: number): number {
  const last = Math.max(0, wholeHeight(scroll) - scroll.viewport);
  return Math.min(Math.max(top, 0), last) / scaleOf(scroll);
}

/** The rows on screen, and some around them. */
export function visibleRows(
  scroll: HexScroll,
  top: number,
  around = 4,
): { first: number; end: number } {
  const first = Math.max(0, Math.floor(top / scroll.rowHeight) - around);
  const end = Math.min(scroll.rows, Math.ceil((top + scroll.viewport) / scroll.rowHeight) + around);
  return { first: Math.min(first, scroll.rows), end };
}

/** The place in the rows that shows `row`: a neighbour moves it by a row, any other row is centred [px]. */
export function topShowing(scroll: HexScroll, top: number, row: number): number {
  const { rowHeight, viewport } = scroll;
  const begin = row * rowHeight;
  const end = begin + rowHeight;
  if (begin >= top && end <= top + viewport) return top;
  const far = begin < top - 2 * rowHeight || end > top + viewport + 2 * rowHeight;
  if (far) return Math.max(0, begin - (viewport - rowHeight) / 2);
  return begin < top ? begin : end - viewport;
}

/** The byte to which `key` leads from `offset` in a file of `total` bytes; `null`: it does not move. */
export function moveByte(
  key: string,
  offset: number,
  total: number,
  pageRows: number,
  whole: boolean,
): number | null {
  const last = Math.max(0, total - 1);
  const row = Math.floor(offset / ROW_BYTES) * ROW_BYTES;
  const clamp = (at: number) => Math.min(Math.max(at, 0), last);
  switch (key) {
    case 'ArrowLeft':
      return clamp(offset - 1);
    case 'ArrowRight':
      return clamp(offset + 1);
    case 'ArrowUp':
      return offset >= ROW_BYTES ? offset - ROW_BYTES : offset;
    case 'ArrowDown':
      return offset + ROW_BYTES <= last ? offset + ROW_BYTES : offset;
    case 'PageUp':
      return offset - pageRows * ROW_BYTES >= 0
        ? offset - pageRows * ROW_BYTES
        : offset % ROW_BYTES;
    case 'PageDown':
      return clamp(offset + pageRows * ROW_BYTES);
    case 'Home':
      return whole ? 0 : row;
    case 'End':
      return whole ? last : clamp(row + ROW_BYTES - 1);
    default:
      return null;
  }
}
