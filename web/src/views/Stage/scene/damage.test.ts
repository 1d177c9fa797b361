import { describe, expect, it } from 'vitest';
import type { DamageWords } from '../../../model/damage';
import type { View } from '../../../model/engine.generated';
import { NOTHING_WRITTEN } from '../../../model/writing';
import { busyView, table } from '../../../testing/sample';
import { damageMarks } from './damage';
import { stageScene } from './stage';

const damages = (...ids: string[]): DamageWords =>
  new Map(ids.map((id) => [id, 'damaged at offset 20']));

function marks(view: View, ...ids: string[]) {
  const scene = stageScene(view, NOTHING_WRITTEN, 770, 387);
  return { scene, marks: damageMarks(view, scene, damages(...ids)) };
}

describe('damage in the picture', () => {
  it('is at the box of its table or log, and its sign stays in the picture', () => {
    const view = busyView();
    const tables = view.levels.flatMap((level) =>
      level.tables.map((each) => `table:${each.table}`),
    );
    const logs = view.wals.map((wal) => `wal:${wal.wal}`);
    const { scene, marks: found } = marks(view, ...tables, ...logs);
    expect(found.map(({ id }) => id)).toEqual([...tables, ...logs]);
    for (const { id, box, sign, text } of found) {
      expect(scene.items.flat().find((item) => item.id === id)?.box).toEqual(box);
      expect(sign.box.x + sign.box.w).toBeLessThanOrEqual(scene.rows.right);
      expect(text).toBe('damaged at offset 20');
    }
  });

  it('has its word only where that covers no other object', () => {
    const view = busyView();
    const row = (step: number) =>
      [0, 1, 2, 3].map((index) => table(50 + index, `k${index * step}`, `k${index * step + 1}`));
    const withRow = (step: number): View => ({
      ...view,
      levels: view.levels.map((level, index) =>
        index === 2 ? { ...level, tables: row(step) } : { ...level, tables: [] },
      ),
    });
    const texts = new Set<string>();
    for (const step of [2, 3, 20]) {
      const { scene, marks: found } = marks(withRow(step), 'table:50', 'table:51', 'table:53');
      for (const { id, sign } of found) {
        texts.add(sign.text);
        const other = scene.items
          .flat()
          .filter((item) => item.id.startsWith('table:') && item.id !== id)
          .find(({ box }) => box.x < sign.box.x + sign.box.w && sign.box.x < box.x + box.w);
        expect(other?.id, `${id} of ${step}`).toBeUndefined();
      }
    }
    expect([...texts].sort()).toEqual(['▲', '▲ damaged']);
  });

  it('is marked on the level where a table is not drawn by itself', () => {
    const view = busyView();
    const many = Array.from({ length: 200 }, (_, index) => table(100 + index, 'apple', 'zebra'));
    const levels = view.levels.map((level, index) =>
      index === 0 ? { ...level, tables: many } : level,
    );
    const crowded = { ...view, levels };
    const drawn = new Set(
      marks(crowded)
        .scene.items.flat()
        .map(({ id }) => id),
    );
    const hidden = many.find((each) => !drawn.has(`table:${each.table}`));
    const { marks: found } = marks(crowded, `table:${hidden?.table}`);
    expect(found[0]).toMatchObject({
      id: 'level:0',
      text: `table ${hidden?.table} damaged at offset 20`,
    });
  });

  it('marks an absent file as missing', () => {
    const view = busyView();
    const [first] = view.levels.flatMap(({ tables }) => tables);
    const scene = stageScene(view, NOTHING_WRITTEN, 770, 387);
    const [mark] = damageMarks(view, scene, new Map([[`table:${first?.table}`, 'missing']]));
    expect(mark?.text).toBe('missing');
    expect(mark?.sign.text).not.toContain('damaged');
  });

  it('is nowhere when the picture has no such object', () => {
    expect(marks(busyView(), 'manifest:1', 'table:9999').marks).toEqual([]);
  });
});
