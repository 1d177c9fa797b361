/** Numbers and counts as people read them: the engine's rules, tested with `tests/fixtures/text.json`. */

/** `1,234,567`. */
export function count(value: number): string {
  return String(Math.trunc(value)).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** `1 table`, `2 tables`, `3 entries`, `2 indexes`. */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${value === 1 ? noun : plural(noun)}`;
}

function plural(noun: string): string {
  if (/[^aeo]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return noun.endsWith('x') ? `${noun}es` : `${noun}s`;
}

/** Bytes below 1,024 exactly, larger ones in KiB, MiB, GiB or TiB, cut off. */
export function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes / 1024;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${(Math.trunc(value * 10) / 10).toFixed(1)} ${units[unit]}`;
}

/** A ratio with two digits after the decimal point. */
export function ratio(value: number | null): string {
  if (value === null) return '–';
  return value < 100 ? value.toFixed(2) : count(Math.round(value));
}

/** An offset in hexadecimal. */
export function hex(offset: number): string {
  return `0x${offset.toString(16).padStart(4, '0')}`;
}

/** Those of the parts that there are, in one text. */
export function joined(
  parts: readonly (string | false | null | undefined)[],
  between = ', ',
): string {
  return parts.filter(Boolean).join(between);
}

/** The classes of an element. */
export const classes = (...names: Parameters<typeof joined>[0]) => joined(names, ' ');
