import type { Rows } from './geometry';
import type { Caption, TableShape } from './tables';
import { boldWidth, keyWidth } from './text';

/** Between a table and the words beside it [px]. */
const GAP = 4;

/** The tables of a level: those too narrow for their own number have it beside them, with their key, where that is free. */
export function withWordsBeside(tables: readonly TableShape[], rows: Rows): TableShape[] {
  const taken = tables.map(({ box }) => ({ from: box.x, to: box.x + box.w, y: box.y, h: box.h }));
  return tables.map((shape) => {
    const captions = isNameless(shape, rows) ? wordsBeside(shape, taken, rows) : null;
    if (!captions) return shape;
    taken.push({ ...captions.place, y: shape.box.y, h: shape.box.h });
    return { ...shape, captions: captions.texts };
  });
}

function isNameless({ captions, table, bar, box }: TableShape, { line }: Rows): boolean {
  return captions.length === 0 && table !== null && !bar && box.h >= line - 2;
}

interface Taken {
  from: number;
  to: number;
  y: number;
  h: number;
}

/** `4 · apple`, or the number alone; `null` without room. */
function wordsBeside(
  { table, box }: TableShape,
  taken: readonly Taken[],
  { unit, left, right }: Rows,
) {
  if (!table) return null;
  const number = String(table.number);
  const { first, last } = table.words();
  const keys = first === last ? `· ${first}` : `· ${first} – ${last}`;
  const numberW = boldWidth(number, unit);
  const whole = numberW + unit * 0.4 + keyWidth(keys, unit);
  const y = box.y + box.h / 2 + unit * 0.36;
  const isFree = (from: number, to: number) =>
    from >= left &&
    to <= right &&
    taken.every(
      (other) =>
        other.to < from ||
        other.from > to ||
        other.y >= box.y + box.h ||
        other.y + other.h <= box.y,
    );
  for (const width of [whole, numberW])
    for (const x of [box.x + box.w + GAP, box.x - GAP - width]) {
      if (!isFree(x, x + width)) continue;
      const texts: Caption[] = [{ of: 'number', text: number, x, y, anchor: 'start' }];
      if (width === whole)
        texts.push({ of: 'key', text: keys, x: x + numberW + unit * 0.4, y, anchor: 'start' });
      return { texts, place: { from: x, to: x + width } };
    }
  return null;
}
