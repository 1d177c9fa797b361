import { describe, expect, it } from 'vitest';
import type { JobView, View } from '../../../model/engine.generated';
import { NOTHING_WRITTEN } from '../../../model/writing';
import { busyView } from '../../../testing/sample';
import { stageScene } from './stage';

/** As a presentation has it at 1280×720. */
const sceneOf = (view: View) => stageScene(view, NOTHING_WRITTEN, 853, 290);

describe('a low picture', () => {
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
});
