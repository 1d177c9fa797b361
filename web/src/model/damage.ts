/** Bytes flipped by the command `corrupt`, as the page shows them. Pure. */

import type { BranchState, Damage } from './engine.generated';
import { idOfName } from './files';
import { count } from './words';

/** Of a sound file: one shared value, so that components that compare it see no change. */
export const NO_DAMAGE: readonly Damage[] = [];

/** Where a file is damaged [bytes]. */
export type DamagedByte = Pick<Damage, 'offset'>;

/** The flipped bytes of each damaged file, by its selection and in the order of their offsets. */
export type Damages = ReadonlyMap<string, readonly Damage[]>;

/** The damage on `branch` at `step`; `null`: now. */
export function damagesAt(
  branches: readonly BranchState[],
  branch: number,
  step: number | null,
): Damages {
  const damages = new Map<string, Damage[]>();
  for (const damage of branches.find(({ id }) => id === branch)?.damaged ?? []) {
    const id = idOfName(damage.file);
    if (id === null || (step !== null && step <= damage.step)) continue;
    damages.set(id, [...(damages.get(id) ?? []), damage]);
  }
  for (const list of damages.values()) list.sort((a, b) => a.offset - b.offset);
  return damages;
}

/** Where a file is damaged, in words that follow its name; `null`: nowhere. */
export function damageText(damages: readonly Damage[] | undefined): string | null {
  const [first, ...more] = damages ?? [];
  if (!first) return null;
  const others = more.length > 0 ? ` and ${count(more.length)} more` : '';
  return `damaged at offset ${count(first.offset)}${others}`;
}

/** The damage of objects of a picture, by their selections: `damaged at offset 12`, `missing`. */
export type DamageWords = ReadonlyMap<string, string>;

/** The damaged files of a database, in words. */
export function damageWords(damages: Damages): DamageWords {
  const words = [...damages].flatMap(([id, list]) => {
    const text = damageText(list);
    return text === null ? [] : [[id, text] as const];
  });
  return new Map(words);
}

/** The bits of `mask` that are flipped, the highest first. */
export function flippedBits({ mask }: Damage): string {
  return mask.toString(2).padStart(8, '0');
}

/** Whether a range of a file has a damaged byte. */
export function isHit(damages: readonly DamagedByte[], offset: number, bytes: number): boolean {
  return damages.some((damage) => damage.offset >= offset && damage.offset < offset + bytes);
}
