import { Quiet } from '../shared/buttons';
import './NewVersion.css';
import { useStore } from '../shared/useStore';

/** The copy of the page for times without a network, as the page shows it. */
export interface Copy {
  get(): { hasNewer: boolean; isComplete: boolean };
  subscribe(listener: () => void): () => void;
  load(): void;
}

/** The offer of a newer version of the page, in a line below the header. */
export function NewVersion({ copy }: { copy: Copy }) {
  const { hasNewer } = useStore(copy);
  return (
    <div className="new-version rigid" aria-live="polite">
      {hasNewer && (
        <p className="in-row line-below on-panel">
          A new version is here.
          <Quiet
            onClick={copy.load}
            title="The history and the branches of this session end, in all tabs; the database stays."
          >
            Load it
          </Quiet>
        </p>
      )}
    </div>
  );
}
