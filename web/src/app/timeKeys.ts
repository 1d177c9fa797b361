import type { KeyMap } from '../views/shared/useKeys';
import type { Lab } from './lab';
import type { KeyActions } from './pageKeys';
import { hasPages, scrollOn, turnPage } from './turnPages';

/** The keys that move through time, without those of a clicker. */
export function timeKeys(lab: Lab, show: Pick<KeyActions, 'watch'>): KeyMap {
  const { forward, back } = watched(lab, show);
  return {
    s: () => forward(),
    p: lab.togglePlay,
    ' ': lab.togglePlay,
    v: lab.stage.togglePredict,
    ArrowRight: () => forward(),
    ArrowLeft: () => back(),
    'Shift+ArrowRight': () => forward(10),
    'Shift+ArrowLeft': () => back(10),
    Home: () => lab.go({ to: 'step', step: 1 }, 'jump'),
    End: () => lab.go({ to: 'now' }, 'jump'),
    '1': () => lab.setGrain('operation'),
    '2': () => lab.setGrain('phase'),
    '3': () => lab.setGrain('detail'),
    o: () => lab.go({ to: 'over' }, 'jump'),
    u: () => lab.go({ to: 'out' }, 'jump'),
    k: lab.toggleBookmark,
  };
}

/** The keys of a presenter's clicker, which work wherever the focus is; no step is made that cannot be seen. */
export function clickerKeys(
  lab: Lab,
  show: Pick<KeyActions, 'curtain' | 'present' | 'watch' | 'goOn'>,
): KeyMap {
  const { forward, back } = watched(lab, show);
  return {
    PageDown: () => {
      if (hasPages(lab.store.get())) turnPage(1);
      else if (!show.goOn()) forward();
    },
    PageUp: () => (hasPages(lab.store.get()) ? turnPage(-1) : back()),
    '.': show.curtain,
    F5: show.present,
  };
}

/** Steps that are watched. */
function watched(lab: Lab, { watch }: Pick<KeyActions, 'watch'>): Pick<Lab, 'forward' | 'back'> {
  return {
    forward: (count = 1) => {
      watch();
      if (count > 1 || !scrollOn(1)) lab.forward(count);
    },
    back: (count = 1) => {
      watch();
      if (count > 1 || !scrollOn(-1)) lab.back(count);
    },
  };
}
