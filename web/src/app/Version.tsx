import { useSyncExternalStore } from 'react';
import type { CopyState, OfflineCopy } from '../offline/copy';
import { VersionChip } from '../views/Header/VersionChip';

/** The parts of the copy that the page shows. */
export type Copy = Pick<OfflineCopy, 'get' | 'subscribe' | 'load'>;

/** The state of the copy, followed. */
export function useCopy(copy: Copy): CopyState {
  return useSyncExternalStore(copy.subscribe, copy.get);
}

/** What the header says about the version of the page. */
export function Version({ copy }: { copy: Copy }) {
  return <VersionChip hasNewer={useCopy(copy).hasNewer} onLoad={copy.load} />;
}
