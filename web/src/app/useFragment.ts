import { useEffect } from 'react';
import { parseSelection } from '../model/selection';

/** In front of the selection while the bytes are on show. */
const BYTES = 'bytes/';
/** In front of the name of an experiment. */
const EXPERIMENTS = 'experiments';

/**
 * Keeps in the address what is selected and whether its bytes are on show, and follows the address:
 * `#table:12/block:2`, `#bytes/wal:7`, `#experiments/L4`.
 */
export function useFragment(
  selection: string | null,
  inspecting: boolean,
  experiment: string | null,
  onSelect: (selection: string | null) => void,
  onInspect: (inspecting: boolean) => void,
  onExperiment: (id: string) => void,
): void {
  useEffect(() => {
    const follow = () => {
      const text = decoded(window.location.hash.slice(1));
      const [place, id = ''] = text.split('/', 2);
      if (place === EXPERIMENTS) {
        onExperiment(id);
        return;
      }
      const bytes = text.startsWith(BYTES) || text === 'bytes';
      const wanted = text.startsWith(BYTES) ? text.slice(BYTES.length) : text;
      if (parseSelection(wanted)) onSelect(wanted);
      if (bytes) onInspect(true);
      else if (parseSelection(wanted)) onInspect(false);
    };
    follow();
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, [onSelect, onInspect, onExperiment]);
  useEffect(() => {
    const shown = [inspecting ? 'bytes' : null, selection];
    const parts = experiment === null ? shown : [EXPERIMENTS, experiment];
    const words = parts.filter((word) => word !== null && word !== '');
    const wanted = words.length === 0 ? '' : `#${words.join('/')}`;
    if (window.location.hash === wanted) return;
    const { pathname, search } = window.location;
    window.history.replaceState(null, '', `${pathname}${search}${wanted}`);
  }, [selection, inspecting, experiment]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
