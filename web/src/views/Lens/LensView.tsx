import './Lens.css';

import { type ReactNode, useSyncExternalStore } from 'react';
import type { Lens } from '../../lens/lens';
import type { ForeignFile } from '../../share/foreign';
import { LensNotice } from './LensNotice';
import { LensPage } from './LensPage';
import { LensStart } from './LensStart';

export interface LensProps {
  lens: Lens;
  /** Back to the playground. */
  onLeave(): void;
  /** Opens the files of a database, or a log of entries, as a branch of the playground. */
  onBranch?: ((files: readonly ForeignFile[]) => void) | undefined;
  /** Puts a terminal below the views of an open directory. */
  dock?: ((views: ReactNode) => ReactNode) | undefined;
}

/** The directory that is open, or the ways to choose one. */
export function LensView({ lens, onLeave, onBranch, dock }: LensProps) {
  const state = useSyncExternalStore(lens.store.subscribe, lens.store.get);
  if (state.state !== 'open') return <LensStart lens={lens} state={state} onLeave={onLeave} />;
  const { name, folder, overview, work } = state;
  return (
    <>
      <LensPage
        // Another directory has a page of its own.
        key={`${name} ${folder} ${overview.bytes}`}
        lens={lens}
        name={folder === '' ? name : folder.replace(/\/$/, '')}
        {...{ overview, work, onLeave, onBranch, dock }}
      />
      <LensNotice lens={lens} />
    </>
  );
}
