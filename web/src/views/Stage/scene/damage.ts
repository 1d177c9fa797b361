import type { DamageWords } from '../../../model/damage';
import type { View } from '../../../model/engine.generated';
import type { Box, Rows } from './geometry';
import type { StageItem } from './levels';
import { meets } from './tags';
import { boldWidth } from './text';

/** A damaged object of the picture. */
export interface DamageMark {
  /** Its selection; that of the level for a table that is not drawn by itself. */
  id: string;
  box: Box;
  /** Where it is damaged, in words. */
  text: string;
  /** A sign that covers no other object. */
  sign: { box: Box; text: string };
}

type Sign = DamageMark['sign'];

/** Where the word has no room. */
const SHORT = '▲';
/** Room that the captions of an object take at its left, in sizes of the text. */
const CAPTION_UNITS = 4;
const INSET = 3;

/** Marks for damaged files, at every place where the picture shows them. */
export function damageMarks(
  view: Pick<View, 'levels'>,
  scene: { items: readonly StageItem[][]; rows: Rows },
  damages: DamageWords,
): DamageMark[] {
  if (damages.size === 0) return [];
  const items = scene.items.flat();
  const marks = new Map<string, DamageMark>();
  for (const [file, damage] of damages) {
    const drawn = items.find(({ id }) => id === file);
    const item = drawn ?? items.find(({ id }) => id === levelOf(view, file));
    if (!item) continue;
    const { id, box } = item;
    const text = drawn ? damage : `table ${file.replace('table:', '')} ${damage}`;
    const others = marks.get(id)?.text;
    marks.set(id, {
      id,
      box,
      text: others === undefined ? text : `${others}, ${text}`,
      sign: signOf(
        box,
        `▲ ${damage.split(' ')[0]}`,
        items.filter((other) => other.id !== id).map((other) => other.box),
        scene.rows,
      ),
    });
  }
  return [...marks.values()];
}

function levelOf(view: Pick<View, 'levels'>, file: string): string | null {
  const level = view.levels.find(({ tables }) =>
    tables.some(({ table }) => `table:${table}` === file),
  );
  return level ? `level:${level.score.level}` : null;
}

/** The word inside a wide box or beside a narrow one; the short sign where another object is in its way. */
function signOf(of: Box, word: string, others: readonly Box[], { right, unit, line }: Rows): Sign {
  const { x, y, w, h } = of;
  const wordW = boldWidth(word, unit) + unit * 0.5;
  const top = h >= 2 * line ? y + INSET : y + (h - line) / 2;
  const inside = w >= wordW + CAPTION_UNITS * unit;
  const from = inside ? x + w - wordW - INSET : x + w + INSET;
  const box = { x: Math.min(from, right - wordW), y: top, w: wordW, h: line };
  if (inside || !others.some((other) => meets(box, other))) return { box, text: word };
  const shortW = unit * 1.4;
  return { box: { ...box, x: Math.max(x, x + w - shortW - INSET), w: shortW }, text: SHORT };
}
