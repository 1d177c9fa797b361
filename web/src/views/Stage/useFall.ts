import { useEffect, useRef } from 'react';
import type { ExplainResult } from '../../model/engine.generated';
import type { Page } from '../../model/shown';
import { useTime } from '../shared/contexts';
import { isStill } from './useMotion';

/** Between two stops of a line that falls by itself [ms]. */
const PAUSE = 700;

/**
 * Lets the line of a new lookup fall from stop to stop, to its result or until a person walks it. It stays at its first
 * stop while verdicts are predicted, and for people who prefer reduced motion.
 */
export function useFall({ reading, readingStop: at, predicts }: Page): void {
  const { readStop } = useTime();
  const fallen = useRef<{ reading: ExplainResult | null; at: number }>({ reading: null, at: 0 });
  useEffect(() => {
    if (fallen.current.reading !== reading) fallen.current = { reading, at: 0 };
    // A person walks it.
    if (at !== fallen.current.at) fallen.current.at = Number.POSITIVE_INFINITY;
    const isOver = at >= (reading?.stops.length ?? 0);
    if (isOver || at !== fallen.current.at || predicts || isStill()) return;
    const timer = setTimeout(() => {
      fallen.current.at = at + 1;
      readStop(at + 1);
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [reading, at, predicts, readStop]);
}
