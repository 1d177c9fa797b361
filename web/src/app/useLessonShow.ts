import { useEffect, useRef } from 'react';
import type { Grain, LessonState } from '../model/engine.generated';
import type { Lab } from './lab';

const GRAINS: readonly Grain[] = ['operation', 'phase', 'detail'];

/** Shows the object or view of a lesson's part, once, when the lesson reaches the part. */
export function useLessonShow(lab: Lab, lesson: LessonState | null): void {
  const shown = useRef('');
  useEffect(() => {
    const last = lesson?.items.findLast(({ what }) => what.is === 'show');
    if (!lesson || last?.what.is !== 'show') return;
    const key = `${lesson.head.id} ${last.number}`;
    if (shown.current === key) return;
    shown.current = key;
    lab.select(last.what.object);
    for (const view of last.what.views) {
      const [word, value = ''] = view.split(' ');
      const grain = GRAINS.find((known) => known === value);
      if (word === 'bytes') lab.inspect(true);
      else if (word === 'grain' && grain) lab.setGrain(grain);
    }
  }, [lab, lesson]);
}
