import { count, size } from '../../../model/words';
import type { Cell, Column, ShownKey, TableLine } from './answers';

/** A key cut to `limit` characters; quotes mark an empty one. */
export function shortKey({ text, leftOut }: ShownKey, limit = 40): string {
  const letters = [...text];
  if (letters.length === 0) return '""';
  const isCut = letters.length > limit || leftOut > 0;
  return isCut ? `${letters.slice(0, limit - 1).join('')}…` : text;
}

/** `48 %`, `0.4 %`; a share that is not zero is never shown as zero. */
export function percent(share: number): string {
  const value = 100 * share;
  if (value === 0) return '0 %';
  if (value < 0.1) return '< 0.1 %';
  return value < 9.95 && value % 1 !== 0 ? `${value.toFixed(1)} %` : `${Math.round(value)} %`;
}

/** `12.9 ms`, `3.2 s`, `740 µs`. */
export function duration(micros: number): string {
  if (micros < 1000) return `${count(micros)} µs`;
  if (micros < 1_000_000) return `${(micros / 1000).toFixed(1)} ms`;
  if (micros < 60_000_000) return `${(micros / 1_000_000).toFixed(1)} s`;
  const seconds = Math.round(micros / 1_000_000);
  return seconds < 7200
    ? `${Math.floor(seconds / 60)} min ${seconds % 60} s`
    : `${(seconds / 3600).toFixed(1)} h`;
}

/** `2026-11-25 14:44:34.196 UTC`. */
export function moment(micros: number): string {
  const date = new Date(micros / 1000);
  if (Number.isNaN(date.getTime())) return `${count(micros)} µs since 1970`;
  return `${date
    .toISOString()
    .replace('T', ' ')
    .replace(/(\.000)?Z$/, '')} UTC`;
}

/** How long before the newest something was made, in seconds. */
export function age(seconds: number): string {
  if (seconds < 1) return '< 1 s old';
  const units = [
    [86_400, 'd'],
    [3600, 'h'],
    [60, 'min'],
  ] as const;
  for (const [length, unit] of units) {
    if (seconds >= length) return `${count(seconds / length)} ${unit} old`;
  }
  return `${count(seconds)} s old`;
}

/** Tombstones among the entries of a table; `null` when its properties were not read. */
export function tombstoneShare({ entries, deletions }: TableLine): number | null {
  if (entries === null || deletions === null || entries === 0) return null;
  return Math.min(deletions / entries, 1);
}

/** `6.9 of 10.0 KiB`, `39.8 KiB of 10.0 MiB`: the size of a level, and the size at which its compaction begins. */
export function ofTarget(bytes: number, target: number): string {
  const [is, most] = [size(bytes), size(target)];
  const unit = most.slice(most.indexOf(' '));
  return `${is.endsWith(unit) ? is.slice(0, -unit.length) : is} of ${most}`;
}

/** A cell as people read it: bytes and times in their units, unknown values as a dash. */
export function cellWords(cell: Cell, { name, unit }: Pick<Column, 'name' | 'unit'>): string {
  if (cell === null) return '–';
  if (typeof cell === 'string') return cell;
  if (unit === 'bytes' && name !== 'offset') return size(cell);
  if (unit === 'µs') return duration(cell);
  if (unit === 'µs since 1970') return moment(cell);
  if (unit === 's since 1970') return moment(cell * 1_000_000);
  if (unit === 'bytes/s') return `${size(cell)}/s`;
  if (/^share of |^Share of |^Largest share/.test(name)) return percent(cell);
  return Number.isInteger(cell) ? count(cell) : cell.toFixed(2);
}

/** The unit that stands after a figure, where the words of its value do not have it already. */
export function unitWords(unit: string, value: Cell): string {
  if (/^(bytes|µs|s since 1970|µs since 1970|bytes\/s)$/.test(unit)) return '';
  // A ratio of one is still "1 times".
  return value === 1 && unit !== 'times' ? unit.replace(/s$/, '') : unit;
}

/** The text with its numbers tied to their units: no line breaks between them. */
export function tied(text: string): string {
  return text.replace(/(\d) (%|B|bytes?|[KMGT]iB|µs|ms|s|min|h)(?![\p{L}\d])/gu, '$1\u00a0$2');
}
