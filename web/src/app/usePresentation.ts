import { useEffect, useState } from 'react';
import { useStore } from '../views/shared/useStore';
import type { Lab } from './lab';
import { framePace } from './pace';
import { sessionStore } from './preferences';
import { Presentation } from './presentation';
import { useWakeLock } from './useWakeLock';

/** A presentation and its state. */
export type Presented = ReturnType<typeof usePresentation>;

/** The presentation of this page: one window, until the audience has its own. */
export function usePresentation(lab: Lab) {
  const [presentation] = useState(() => begun(lab));
  const presenting = useStore(presentation.store);
  /** Whether it went on after this window was loaded again. */
  const [isResumed] = useState(presenting.id !== null);
  useEffect(() => {
    presentation.press = (key) => {
      window.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    };
    return () => {
      presentation.press = () => {};
    };
  }, [presentation]);
  /** Whether the audience has a window of its own. */
  const hasAudience = presenting.audience !== 'none';
  useWakeLock(hasAudience);
  return { presentation, presenting, isResumed, hasAudience };
}

function begun(lab: Lab): Presentation {
  const presentation = new Presentation(lab, {
    channel: (name) => ('BroadcastChannel' in window ? new BroadcastChannel(name) : null),
    kept: sessionStore(),
    schedule: framePace(),
    address: `${window.location.origin}${window.location.pathname}`,
    now: () => Date.now(),
  });
  presentation.resume();
  window.addEventListener('pagehide', () => presentation.leave());
  return presentation;
}
