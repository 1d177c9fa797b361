import { describe, expect, it } from 'vitest';
import type { View } from '../../../model/engine.generated';
import { NOTHING_WRITTEN } from '../../../model/writing';
import { busyView, key, table } from '../../../testing/sample';
import { stageScene } from './stage';

describe('range tombstones', () => {
  const deleting = (over: { begin: string; end: string | null }, change = {}): View => {
    const view = busyView();
    const end = over.end === null ? null : key(over.end);
    const ranges = { count: 1, over: { begin: key(over.begin), end } };
    const made = table(90, 'apple', 'zucchini', { ranges, ...change });
    const levels = view.levels.map((level, index) =>
      index === 3 ? { ...level, tables: [made] } : level,
    );
    return { ...view, levels };
  };
  const shapeOf = (view: View) =>
    stageScene(view, NOTHING_WRITTEN, 1000, 480)
      .levels.flatMap((level) => level.tables)
      .find(({ id }) => id === 'table:90');

  it('are a strip in the box of their table, from the first key to the end of the range', () => {
    const shape = shapeOf(deleting({ begin: 'lemon', end: 'mango' }));
    const { box, deleted } = shape ?? {};
    if (!box || !deleted) throw new Error('there is a strip');
    expect(deleted.x).toBeGreaterThan(box.x);
    expect(deleted.x + deleted.w).toBeLessThan(box.x + box.w);
    expect(deleted.y + deleted.h).toBe(box.y + box.h);
    expect(shape?.label()).toContain('1 range tombstone over [lemon, mango)');
  });

  it('reach to the edge of the box without an end, and are not there without any', () => {
    const { box, deleted } = shapeOf(deleting({ begin: 'apple', end: null })) ?? {};
    expect(deleted?.x).toBe(box?.x);
    expect(deleted?.w).toBe(box?.w);
    expect(shapeOf(deleting({ begin: 'a', end: 'b' }, { ranges: undefined }))?.deleted).toBeNull();
  });
});
