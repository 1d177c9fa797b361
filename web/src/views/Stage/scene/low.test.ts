import { describe, expect, it } from 'vitest';
import type { JobView, View } from '../../../model/engine.generated';
import { NOTHING_WRITTEN } from '../../../model/writing';
import { busyView } from '../../../testing/sample';
import { stageScene } from './stage';

/** As a presentation has it at 1280×720. */
const sceneOf = (view: View) => stageScene(view, NOTHING_WRITTEN, 853, 290);

describe('a low picture', () => {
  it('names memtables one below the other only where both names fit, else together', () => {
    const view = busyView();
    const [active, old] = view.memtables;
    if (!active || !old) throw new Error('no memtables');
    expect(sceneOf(view).memory.memtables.map(({ title }) => title)).toEqual(['mem 7, 6', '']);
    let mostNames = 0;
    for (const frozen of [0, 1, 2, 5])
      for (const height of [200, 290, 436, 616, 900]) {
        const olds = Array.from({ length: frozen }, (_, at) => ({ ...old, memtable: at }));
        const memtables = [active, ...olds];
        const { memory, rows } = stageScene({ ...view, memtables }, NOTHING_WRITTEN, 853, height);
        const named = memory.memtables.filter(({ title }) => title !== '');
        mostNames = Math.max(mostNames, named.length);
        const ys = named.map(({ titleY }) => titleY);
        for (const [at, y] of ys.slice(1).entries())
          expect(y - (ys[at] ?? 0)).toBeGreaterThanOrEqual(rows.unit);
        if (memory.hiddenMemtables > 0)
          expect(named.map(({ title }) => title).join(' ')).toMatch(/\+\d+/);
      }
    expect(mostNames).toBeGreaterThan(1);
  });

  it('always shows the score of a level that is due', () => {
    const view = busyView();
    const levels = view.levels.map((level, at) =>
      at === 1 ? { ...level, score: { ...level.score, score: 1.43, due: true } } : level,
    );
    const jobs: JobView[] = [
      {
        ...{ job: 10, what: 'compaction', reason: '', memtable: null, inputs: [], outputs: [] },
        ...{ outputLevel: 1, entriesDone: 5, entriesTotal: 50 },
      },
    ];
    const row = sceneOf({ ...view, levels, jobs }).levels[1];
    expect(row?.caption.text).toBe('▲ 1.43');
    expect(row?.detail).toBe('score 1.43 · job 10: 10 %');
  });

  it('is drawn smaller where it would be cut, and its text is never smaller than usual', () => {
    const view = busyView();
    for (const filled of [1, 2, 3, 4]) {
      const levels = Array.from({ length: 7 }, (_, level) => {
        const tables = level > 0 && level <= filled ? view.levels[1]?.tables : [];
        return { ...view.levels[1], tables, score: { ...view.levels[1]?.score, level } };
      }) as View['levels'];
      const at = (pageScale: number) =>
        stageScene({ ...view, levels, jobs: [] }, NOTHING_WRITTEN, 853, 190, { pageScale });
      const { shrink, height, width, rows } = at(1.5);
      expect(height * shrink, `${filled} levels`).toBeLessThanOrEqual(190);
      expect(width * shrink).toBeLessThanOrEqual(853);
      expect(rows.unit * shrink * 1.5).toBeGreaterThan(15.9);
      // The same at the usual scale scrolls.
      expect(at(1).shrink).toBe(1);
    }
  });
});
