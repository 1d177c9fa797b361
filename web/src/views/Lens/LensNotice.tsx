import './LensNotice.css';

import type { LensFailure } from '../../lens/failure';
import type { Lens } from '../../lens/lens';
import { sanitize } from '../../model/sanitize';
import { Action } from '../shared/buttons';
import { Name } from '../shared/Name';
import { useStore } from '../shared/useStore';

/** The opening or failure of a directory given while another one is open. */
export function LensNotice({ lens }: { lens: Lens }) {
  const notice = useStore(lens.notice);
  if (notice === null) return null;
  const { name, failure } = notice;
  return (
    <div className={`note-box lens-notice in-row${failure ? ' is-bad' : ''}`}>
      {failure === null ? <Opening name={name} /> : <Unopened {...{ name, failure }} />}
      <Action onClick={lens.dismiss}>{failure === null ? 'Stop' : 'Dismiss'}</Action>
    </div>
  );
}

export function Opening({ name }: { name: string }) {
  return (
    <p role="status">
      Opening <Name of={name} /> …
    </p>
  );
}

/** Why a directory did not open. */
export function Unopened({ name, failure }: { name: string; failure: LensFailure }) {
  return (
    <p role="alert">
      <strong>
        ▲ <Name of={name} /> could not be opened:
      </strong>{' '}
      {sanitize(failure.message)}
    </p>
  );
}
