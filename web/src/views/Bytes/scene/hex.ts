/** Places of a hex view's rows. Browsers scroll at most some millions of pixels, so larger files are scaled. */

/** Bytes a row, and on a narrow screen. */
export const ROW_BYTES = { usual: 16, narrow: 8 };
/** Tallest scrolled content that every browser supports [px]. */
const HEIGHT_MAX = 6_000_000;

export interface HexScroll {
  /** Rows of the file. */
  rows: number;
  rowHeight: number;
  /** Height of the window on them [px]. */
  viewport: number;
}

/** Unlimited height of all rows [px]. */
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

/** The numbers of rows and bytes that keys move by. */
export interface RowsShown {
  rowBytes: number;
  /** Rows that Page Up and Page Down move by. */
  pageRows: number;
}

/** The byte to which `key` leads from `offset` in a file of `total` bytes; `null`: it does not move. */
export function moveByte(
  key: string,
  offset: number,
  total: number,
  { rowBytes, pageRows }: RowsShown,
  whole: boolean,
): number | null {
  const last = Math.max(0, total - 1);
  const row = Math.floor(offset / rowBytes) * rowBytes;
  const clamp = (at: number) => Math.min(Math.max(at, 0), last);
  const page = pageRows * rowBytes;
  const to: Readonly<Record<string, number>> = {
    ArrowLeft: clamp(offset - 1),
    ArrowRight: clamp(offset + 1),
    ArrowUp: offset >= rowBytes ? offset - rowBytes : offset,
    ArrowDown: offset + rowBytes <= last ? offset + rowBytes : offset,
    PageUp: offset >= page ? offset - page : offset % rowBytes,
    PageDown: clamp(offset + page),
    Home: whole ? 0 : row,
    End: whole ? last : clamp(row + rowBytes - 1),
  };
  return to[key] ?? null;
}
