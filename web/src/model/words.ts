/** Numbers and counts as people read them. */

const THIN_SPACE = '\u2009';

/** `1 234 567`, set apart by thin spaces. */
export function count(value: number): string {
  const digits = String(Math.trunc(value));
  return digits.replace(/\B(?=(\d{3})+(?!\d))/g, THIN_SPACE);
}

/** `1 table`, `2 tables`, `3 entries`. */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${value === 1 ? noun : plural(noun)}`;
}

function plural(noun: string): string {
  if (noun.endsWith('x')) return `${noun}es`;
  return noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

/** Bytes up to 10 000 exactly, larger ones in KiB, MiB or GiB: cut off, as the terminal does it. */
export function size(bytes: number): string {
  if (bytes < 10_000) return `${count(bytes)} B`;
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes / 1024;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const shown = value >= 100 ? count(value) : (Math.trunc(value * 10) / 10).toFixed(1);
  return `${shown} ${units[unit]}`;
}

/** A ratio with two digits behind the point. */
export function ratio(value: number): string {
  return value < 100 ? value.toFixed(2) : count(Math.round(value));
}

/** An offset in hexadecimal. */
export function hex(offset: number): string {
  return `0x${offset.toString(16).padStart(4, '0')}`;
}

/** The name of a table file. */
export function tableFile(table: number): string {
  return `${String(table).padStart(6, '0')}.sst`;
}

/** The name of a log file. */
export function walFile(wal: number): string {
  return `${String(wal).padStart(6, '0')}.wal`;
}
