import { type Damages, damageText } from '../../../model/damage';
import type { View } from '../../../model/engine.generated';
import type { Box } from './geometry';
import type { Scene } from './stage';

/** A damaged object of the picture. */
export interface DamageMark {
  /** Its selection; that of the level for a table that is not drawn by itself. */
  id: string;
  box: Box;
  /** Where it is damaged, in words. */
  text: string;
  /** The sign with its word, beside the captions of the object. */
  sign: Box;
}

export const SIGN = '▲ damaged';
const SIGN_W = 88;
const SIGN_H = 20;
/** Room that the captions of an object take at its left [px]. */
const CAPTION_W = 60;
const INSET = 3;

/** What is damaged, wherever the picture has it. */
export function damageMarks(view: View, scene: Scene, damages: Damages): DamageMark[] {
  if (damages.size === 0) return [];
  const items = scene.items.flat();
  const marks = new Map<string, DamageMark>();
  for (const [file, list] of damages) {
    const told = damageText(list);
    const drawn = items.find(({ id }) => id === file);
    const item = drawn ?? items.find(({ id }) => id === levelOf(view, file));
    if (!item || told === null) continue;
    const { id, box } = item;
    const text = drawn ? told : `table ${file.replace('table:', '')} ${told}`;
    const others = marks.get(id)?.text;
    marks.set(id, {
      id,
      box,
      text: others === undefined ? text : `${others}, ${text}`,
      sign: signBox(box, scene.rows.right),
    });
  }
  return [...marks.values()];
}

function levelOf(view: View, file: string): string | null {
  const level = view.levels.find(({ tables }) =>
    tables.some(({ table }) => `table:${table}` === file),
  );
  return level ? `level:${level.score.level}` : null;
}

/** At the right end of a box; beside it where its captions need the room. */
function signBox({ x, y, w, h }: Box, right: number): Box {
  const inside = w >= SIGN_W + CAPTION_W;
  const from = inside ? x + w - SIGN_W - INSET : x + w + INSET;
  return {
    x: Math.min(from, right - SIGN_W),
    y: h >= 2 * SIGN_H ? y + INSET : y + (h - SIGN_H) / 2,
    w: SIGN_W,
    h: SIGN_H,
  };
}
