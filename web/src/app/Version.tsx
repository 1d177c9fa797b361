import { useSyncExternalStore } from 'react';
import type { CopyState, OfflineCopy } from '../offline/copy';
import { NewVersion } from '../views/Header/NewVersion';

/** The parts of the copy that the page shows. */
export type Copy = Pick<OfflineCopy, 'get' | 'subscribe' | 'load'>;

/** The state of the copy, followed. */
export function useCopy(copy: Copy): CopyState {
  return useSyncExternalStore(copy.subscribe, copy.get);
}

/** The offer of a newer version. */
export function Version({ copy }: { copy: Copy }) {
  return <NewVersion hasNewer={useCopy(copy).hasNewer} onLoad={copy.load} />;
}
