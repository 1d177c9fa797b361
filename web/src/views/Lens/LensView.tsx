import { useSyncExternalStore } from 'react';
import type { Lens } from '../../lens/lens';

interface Props {
  lens: Lens;
  /** Back to the playground. */
  onLeave(): void;
}

/** The directory of another engine, or the ways to choose one. */
export function LensView({ lens, onLeave }: Props) {
  const state = useSyncExternalStore(lens.store.subscribe, lens.store.get);
  return (
    <main className="lens">
      <h2>Directory of another engine</h2>
      <button type="button" className="command" onClick={onLeave}>
        Back to the playground
      </button>
      {state.state === 'open' && (
        <p>
          A database of {state.overview.engine_name}: {state.name}
        </p>
      )}
      {state.state === 'failed' && <p role="alert">{state.failure.message}</p>}
    </main>
  );
}
