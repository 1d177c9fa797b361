import { useEffect } from 'react';
import type { LessonState } from '../model/engine.generated';

/** Puts the keyboard into the terminal when a task of a lesson begins: it is done there. */
export function useTaskFocus(lesson: LessonState | null, focusTerminal: (() => void) | null): void {
  const waits = lesson?.waits;
  const task = waits?.until === 'done' ? `${lesson?.head.id} ${waits.name}` : null;
  useEffect(() => {
    if (task === null || document.querySelector('dialog[open]')) return;
    focusTerminal?.();
  }, [task, focusTerminal]);
}
