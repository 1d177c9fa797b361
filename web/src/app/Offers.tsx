import { type ReactNode, useMemo } from 'react';
import { momentOf, type Page } from '../model/shown';
import { Following } from '../views/Follow/following';
import { Provided, type Time } from '../views/shared/contexts';
import { useStore } from '../views/shared/useStore';
import type { Lab } from './lab';

interface Props {
  lab: Lab;
  page: Page;
  why(): void;
  /** Shows the picture again, with the keyboard in it. */
  closeFull(): void;
  /** Goes on in the lesson of a presentation; `null`: there is no audience with a window of its own. */
  presents: (() => void) | null;
  children: ReactNode;
}

/** The lab's context providers, one for each noun. */
export function Offers({ lab, page, why, closeFull, presents, children }: Props) {
  const commands = useMemo(() => ({ type: lab.type, stop: lab.stopCommand }), [lab]);
  const views = useMemo(() => ({ ...lab, ...lab.stage, closeFull }), [lab, closeFull]);
  const time: Time = useMemo(
    () => ({
      ...lab,
      ...lab.stage,
      go: (step) => lab.go({ to: 'step', step }, 'jump'),
      travel: lab.go,
      forward: () => lab.forward(),
      why,
    }),
    [lab, why],
  );
  const progress = useStore(lab.lesson.progress);
  const isKept = useStore(lab.lesson.isKept);
  const recap = useStore(lab.lesson.recap);
  const lessons = useMemo(() => {
    const next = presents ?? lab.lesson.next;
    const { runAll } = lab.shared;
    return { ...lab.lesson, progress, isKept, recap, next, runAll, presents: presents !== null };
  }, [lab, progress, isKept, recap, presents]);
  return (
    <Provided
      {...{ commands, views, time, lessons }}
      selection={lab}
      questions={lab}
      moment={momentOf(page)}
    >
      <Following followed={page.followed}>{children}</Following>
    </Provided>
  );
}
