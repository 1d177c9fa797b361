import { Quiet } from '../shared/buttons';
import './NewVersion.css';

interface Props {
  hasNewer: boolean;
  onLoad(): void;
}

/** The offer of a newer version of the page, in a line below the header. */
export function NewVersion({ hasNewer, onLoad }: Props) {
  return (
    <div className="new-version rigid" aria-live="polite">
      {hasNewer && (
        <p className="in-row">
          A new version is here.
          <Quiet
            onClick={onLoad}
            title="The history and the branches of this session end, in all tabs; the database stays."
          >
            Load it
          </Quiet>
        </p>
      )}
    </div>
  );
}
