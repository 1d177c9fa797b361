// Keys, values and order of all comparisons in JavaScript: the same for every store. Runs in Node and in browsers.

const encoder = new TextEncoder();

/** Numbers that look random, the same in every run. */
export function* numbers(seed) {
  let state = seed >>> 0;
  for (;;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state;
  }
}

export const textKey = (number) => number.toString(16).padStart(16, '0');

/** The key of a number: 16 digits, as bytes. */
const keyOf = (number) => encoder.encode(textKey(number));

export function shuffled(count, random) {
  const order = Array.from({ length: count }, (_, index) => index);
  for (let index = count - 1; index > 0; index--) {
    const other = random.next().value % (index + 1);
    [order[index], order[other]] = [order[other], order[index]];
  }
  return order;
}

/** Entries in random order, half of each value compressible; then keys that are present, and keys that are not. */
export function dataOf({ entries, singles, lookups, valueBytes }) {
  const random = numbers(7);
  const order = shuffled(entries, random);
  const value = () => {
    const bytes = new Uint8Array(valueBytes).fill(108);
    for (let at = 0; at < valueBytes >> 1; at++) bytes[at] = random.next().value >>> 24;
    return bytes;
  };
  const values = Array.from({ length: 1024 }, value);
  const pick = () => random.next().value % entries;
  return {
    // Even numbers are present: an absent key lies between two that are there.
    keys: order.map((number) => keyOf(2 * number)),
    values: order.map((number) => values[number % values.length]),
    overwritten: Array.from({ length: singles }, () => keyOf(2 * pick())),
    present: Array.from({ length: lookups }, () => keyOf(2 * pick())),
    absent: Array.from({ length: lookups }, () => keyOf(2 * pick() + 1)),
    first: keyOf(0),
    entries,
    valueBytes,
  };
}

/** [start, end) of each batch. */
export function* batches(count, size) {
  for (let start = 0; start < count; start += size) yield [start, Math.min(start + size, count)];
}

/** Throws unless `value` is what a store must give. */
export function check(value, { valueBytes }) {
  if (value?.byteLength !== valueBytes) throw new Error('a value is missing');
}
