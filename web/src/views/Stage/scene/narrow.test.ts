import { expect, it } from 'vitest';
import { NOTHING_WRITTEN } from '../../../model/writing';
import { busyView, table } from '../../../testing/sample';
import { stageScene } from './stage';

/** The captions of the tables of L0 and their places, in a picture with these tables. */
function drawn(tables: ReturnType<typeof table>[]) {
  const view = busyView();
  const levels = view.levels.map((level, at) => ({ ...level, tables: at === 0 ? tables : [] }));
  const scene = stageScene({ ...view, jobs: [], levels }, NOTHING_WRITTEN, 1000, 600);
  return scene.levels[0]?.tables.map(({ captions, box }) => ({ captions, box })) ?? [];
}

it('a table of one key has its number and its key beside it', () => {
  const [only] = drawn([table(4, 'apple', 'apple')]);
  expect(only?.captions.map(({ text }) => text)).toEqual(['4', '· apple']);
  expect(only?.captions[0]?.x).toBeGreaterThan((only?.box.x ?? 0) + (only?.box.w ?? 0));
});

it('stands left of the table where the right end of the axis is too near', () => {
  const [last, wide] = drawn([table(5, 'zebra', 'zebra'), table(4, 'apple', 'mango')]);
  expect(last?.captions.map(({ text }) => text)).toEqual(['5', '· zebra']);
  expect(last?.captions[1]?.x).toBeLessThan(last?.box.x ?? 0);
  expect(wide?.captions.map(({ text }) => text)).toContain('4');
});
