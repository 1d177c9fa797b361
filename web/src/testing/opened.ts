import type { View } from '../model/engine.generated';
import { NOTHING_WRITTEN } from '../model/writing';
import type { Word } from '../views/Stage/scene/cells';
import type { Box } from '../views/Stage/scene/geometry';
import type { Inside, StoredEntry } from '../views/Stage/scene/inside';
import { insidePart, type Opened } from '../views/Stage/scene/opened';
import { type Scene, stageScene } from '../views/Stage/scene/stage';
import { boldWidth, keyWidth, textWidth } from '../views/Stage/scene/text';
import { key } from './sample';

/** Some entries of a table: every third one is a tombstone with an older version below it. */
export function stored(count: number, each: number, letters: number): StoredEntry[] {
  return Array.from({ length: count }, (_, at) => ({
    key: keyAt(at, letters),
    sequence: 1_000_000 - at,
    entry: at % 3 === 0 ? 'delete' : 'put',
    block: Math.floor(at / each) + 1,
  }));
}

export const keyAt = (at: number, letters: number) =>
  key(`k${String(at - (at % 3 === 1 ? 1 : 0)).padStart(letters, '0')}`);

/** A view in which something is opened. */
export function sceneIn(view: View, inside: Inside | null, width: number, height: number) {
  if (!inside) throw new Error('Nothing is opened.');
  const scene = stageScene(view, NOTHING_WRITTEN, width, height, { inside: insidePart(inside) });
  if (!scene.opened) throw new Error('Nothing is drawn.');
  return { scene, opened: scene.opened };
}

/** Windows from a narrow phone to a hall. */
export const WINDOWS = [
  [700, 290],
  [853, 290],
  [934, 436],
  [1094, 616],
  [1900, 900],
] as const;

const overlap = (a: Box, b: Box, slack = 0.01) =>
  a.x + a.w > b.x + slack &&
  b.x + b.w > a.x + slack &&
  a.y + a.h > b.y + slack &&
  b.y + b.h > a.y + slack;

export const holds = (outer: Box, inner: Box, slack = 0.51) =>
  inner.x >= outer.x - slack &&
  inner.y >= outer.y - slack &&
  inner.x + inner.w <= outer.x + outer.w + slack &&
  inner.y + inner.h <= outer.y + outer.h + slack;

const WIDTHS = { name: boldWidth, key: keyWidth, value: keyWidth, more: textWidth };

/** The letters of a word without their ascenders, which may touch those of the line above. */
function boxOf({ of, text, x, y, anchor, isTurned }: Word, { unit }: Opened): Box {
  const w = WIDTHS[of](text, unit);
  if (isTurned) return { x: x - unit * 0.3, y, w: unit * 0.8, h: w };
  return { x: anchor === 'end' ? x - w : x, y: y - unit * 0.7, w, h: unit * 0.8 };
}

/** Columns, entries and words that reach out of their place, or into another one. */
export function faultsOf({ scene, opened }: { scene: Scene; opened: Opened }): string[] {
  const picture = { x: 0, y: 0, w: scene.width, h: scene.height };
  const columns = [...opened.blocks, ...opened.parts];
  const words = opened.words.map((word) => ({ id: word.text, box: boxOf(word, opened) }));
  const cells = opened.blocks.flatMap((block) => block.cells.map((cell) => ({ ...cell, block })));
  const next = <Item>(items: readonly Item[], at: number) => items.slice(at + 1, at + 2);
  return [
    ...(holds(picture, opened.box) ? [] : ['the table']),
    ...[...columns, ...words].filter(({ box }) => !holds(opened.box, box)).map(({ id }) => id),
    ...cells.filter(({ box, block }) => !holds(block.box, box)).map(({ id }) => id),
    ...columns.flatMap(({ id, box }, at) =>
      next(columns, at).flatMap((other) => (box.x + box.w < other.box.x ? [] : [id])),
    ),
    ...cells.flatMap(({ id, box }, at) =>
      next(cells, at).flatMap((other) => (overlap(box, other.box) ? [id] : [])),
    ),
    ...opened.nodes.filter(({ box }) => !holds(opened.box, box)).map(({ id }) => id),
    ...opened.nodes.flatMap(({ id, box }) =>
      columns.flatMap((other) => (overlap(box, other.box) ? [`${id} ${other.id}`] : [])),
    ),
    ...words.flatMap(({ id, box }, at) =>
      words
        .slice(at + 1)
        .flatMap((other) => (overlap(box, other.box) ? [`${id} ${other.id}`] : [])),
    ),
  ];
}
