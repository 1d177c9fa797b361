import type { JobView } from '../../../model/engine.generated';
import { beadsIn } from './beads';
import { type Box, clamp } from './geometry';
import type { LevelRow } from './levels';
import type { Caption, TableShape } from './tables';
import { boldWidth, fitting, textWidth } from './text';
import type { Ground } from './tree';

/** Around the beads of a table of a merge [px]. */
const EDGE = 4;
const BEAD_MAX = 26;
/** Lower tables have no number [sizes of the text]. */
const NUMBERED_MIN = 0.8;

/** The tables that a merge reads and writes: their entries take the height of the captions, their numbers stand before them. */
export function mergedTables(row: LevelRow, { job }: { job: JobView }, ground: Ground): LevelRow {
  const own = new Set([...job.inputs, ...job.outputs].map((table) => `table:${table}`));
  const tables = row.tables.map((shape) =>
    own.has(shape.id) && shape.beads.length > 0 ? mergedShape(shape, row, ground) : shape,
  );
  return { ...row, tables };
}

function mergedShape(shape: TableShape, row: LevelRow, ground: Ground): TableShape {
  const { box, id } = shape;
  const h = clamp(box.h - 2 * EDGE, 3, BEAD_MAX);
  const floor = { ...shape.floor, y: box.y + (box.h - h) / 2, h };
  const table = Number(id.slice('table:'.length));
  const entries = ground.known.get(table) ?? [];
  return {
    ...shape,
    floor,
    tombstones: null,
    beads: beadsIn(id, entries, floor, ground.axis, ground.read?.get(table)),
    captions: captionsBeside(shape, row, ground),
  };
}

/** The number before the table, or where a neighbour leaves no room, in it; the state of an output after it. */
function captionsBeside(shape: TableShape, row: LevelRow, { rows }: Ground): Caption[] {
  const { unit, right } = rows;
  const { box, captions } = shape;
  if (box.h < unit * NUMBERED_MIN) return [];
  const text = shape.id.slice('table:'.length);
  const y = box.y + box.h / 2 + unit * 0.36;
  const w = boldWidth(text, unit) + unit * 0.5;
  const others = row.tables.filter(({ id, box: { y: top } }) => id !== shape.id && top === box.y);
  const isFree = (from: number, to: number) =>
    others.every(({ box: other }) => other.x + other.w < from || other.x > to);
  const before: Caption = isFree(box.x - w, box.x)
    ? { of: 'number', text, x: box.x - unit * 0.3, y, anchor: 'end' }
    : { of: 'number', text, x: box.x + unit * 0.3, y, anchor: 'start' };
  const more = shape.role === 'output' ? captions.find(({ of }) => of === 'more') : undefined;
  const end = box.x + box.w + unit * 0.5;
  const isRoomy = more && isFree(end, end + textWidth(more.text, unit));
  if (!isRoomy || !fits(more.text, { ...box, x: end, w: right - end }, unit)) return [before];
  return [before, { ...more, x: end, y, anchor: 'start' }];
}

function fits(text: string, { w }: Box, unit: number): boolean {
  return fitting([text], w, unit) !== '';
}
