import { followSign, type ObjectVersions } from '../../../model/followed';
import type { Caption, TableShape } from './tables';
import { keyWidth } from './text';

/** The captions of a table that holds a version of the followed key: the version takes the place of the size. */
export function followedCaptions(
  { captions, box }: Pick<TableShape, 'captions' | 'box'>,
  held: ObjectVersions,
  unit: number,
): readonly Caption[] {
  const at = captions.findIndex(({ of }) => of === 'more');
  const more = captions[at];
  if (!more) return captions;
  const beside = captions.find(({ anchor, y }) => anchor === 'end' && y === more.y);
  const end = beside ? beside.x - keyWidth(beside.text, unit) : box.x + box.w;
  const width = end - more.x - unit * 0.5;
  const sign = followSign(held.isRead);
  const whole = `${sign} ${held.text}`;
  const text = keyWidth(whole, unit) <= width ? whole : sign;
  return captions.with(at, { ...more, of: 'version', text });
}
