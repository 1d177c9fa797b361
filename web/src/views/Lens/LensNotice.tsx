import './LensNotice.css';

import { useSyncExternalStore } from 'react';
import type { Lens } from '../../lens/lens';
import { sanitize } from '../../model/sanitize';
import { Action } from '../shared/buttons';
import { Name } from '../shared/Name';

/** The opening or failure of a directory given while another one is open. */
export function LensNotice({ lens }: { lens: Lens }) {
  const notice = useSyncExternalStore(lens.notice.subscribe, lens.notice.get);
  if (notice === null) return null;
  const { name, failure } = notice;
  return (
    <div className={`lens-notice in-row${failure ? ' is-failed' : ''}`}>
      {failure === null ? (
        <p role="status">
          Opening <Name of={name} /> …
        </p>
      ) : (
        <p role="alert">
          <strong>
            ▲ <Name of={name} /> could not be opened:
          </strong>{' '}
          {sanitize(failure.message)}
        </p>
      )}
      <Action onClick={lens.dismiss}>{failure === null ? 'Stop' : 'Dismiss'}</Action>
    </div>
  );
}
