import type { Lab } from './lab';
import type { KeyMap } from './useKeys';

/** The keys that move through time, those of a presenter's clicker among them. */
export function timeKeys(lab: Lab): KeyMap {
  return {
    s: () => lab.forward(),
    p: lab.togglePlay,
    ' ': lab.togglePlay,
    '.': lab.togglePlay,
    ArrowRight: () => lab.forward(),
    ArrowLeft: () => lab.back(),
    'Shift+ArrowRight': () => lab.forward(10),
    'Shift+ArrowLeft': () => lab.back(10),
    PageDown: () => lab.forward(),
    PageUp: () => lab.back(),
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
