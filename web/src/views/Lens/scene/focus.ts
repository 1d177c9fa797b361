import type { Levels } from './answers';
import type { LevelsScene } from './levels';

/** Something that the keyboard can reach, with its place on the axis, 0 to 1. */
export interface Stop {
  id: string;
  at: number;
}

/** Everything that the keyboard can reach, row by row. */
export function orderOf(scene: LevelsScene, { logs, blobFiles }: Levels): Stop[][] {
  const evenly = (ids: readonly string[]): Stop[] =>
    ids.map((id, index) => ({ id, at: index / Math.max(ids.length - 1, 1) }));
  const rows = [evenly(logs.map(({ file }) => `log:${file}`))];
  for (const { id, place, tables } of scene.levels) {
    if (place.isUnused) continue;
    const lanes = new Map<number, Stop[]>();
    for (const shape of tables) {
      const { y } = shape.box;
      const lane = lanes.get(y) ?? [];
      lane.push({ id: shape.id, at: (shape.table.from + shape.table.to) / 2 });
      lanes.set(y, lane);
    }
    const sorted = [...lanes].sort(([a], [b]) => a - b).map(([, lane]) => lane);
    const [first = [], ...rest] = sorted;
    first.sort((a, b) => a.at - b.at);
    rows.push([{ id, at: -1 }, ...first]);
    for (const lane of rest) rows.push(lane.sort((a, b) => a.at - b.at));
  }
  rows.push(evenly(blobFiles.map(({ number }) => `blob:${number}`)));
  return rows.filter((row) => row.length > 0);
}

/** The object that `key` leads to from `current`; `null` when the key does not move. */
export function moveFocus(rows: readonly Stop[][], current: string | null, key: string) {
  if (!/^(Arrow(Left|Right|Up|Down)|Home|End)$/.test(key)) return null;
  const row = rows.findIndex((stops) => stops.some(({ id }) => id === current));
  const here = rows[row];
  if (!here) return rows[0]?.[0]?.id ?? null;
  const column = here.findIndex(({ id }) => id === current);
  const to: Readonly<Record<string, Stop | null | undefined>> = {
    ArrowRight: here[column + 1],
    ArrowLeft: here[column - 1],
    Home: here[0],
    End: here.at(-1),
    ArrowDown: nearest(rows[row + 1], here[column]),
    ArrowUp: nearest(rows[row - 1], here[column]),
  };
  return to[key]?.id ?? current;
}

function nearest(row: readonly Stop[] | undefined, from: Stop | undefined): Stop | null {
  if (!row || !from) return null;
  const away = ({ at }: Stop) => Math.abs(at - from.at);
  return row.reduce<Stop | null>(
    (found, stop) => (found === null || away(stop) < away(found) ? stop : found),
    null,
  );
}
