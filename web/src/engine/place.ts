// Where a database is to live: in the files of the origin where the browser gives them, otherwise in memory.

import type { Request, StorageKind } from '../model/engine.generated';
import type { Home } from './opfs';
import type { Surroundings, Wasm } from './wasm';

type Wish = Extract<Request, { type: 'open' }>['storage'];

/** Where it lives. */
export interface Place {
  storage: StorageKind;
  /** Where its files are; `null`: it is in memory. */
  home: Home | null;
  /** Why it is in memory though files were wanted, as a sentence. */
  why: string | null;
  /** Whether the browser has promised not to clear the files by itself. */
  persisted: boolean;
}

/** Claims the place; `onLoss` runs when another tab takes it. */
export async function placeFor(
  around: Surroundings,
  wasm: Wasm,
  wish: Wish,
  takeOver: boolean,
  onLoss: () => void,
): Promise<Place | 'owned'> {
  const memory = { storage: 'memory', home: null, why: null, persisted: false } as const;
  if (wish !== 'auto') return memory;
  const claim = await around.claim(takeOver, onLoss);
  if (claim.state === 'owned') return 'owned';
  if (claim.state === 'denied') return { ...memory, why: claim.why };
  const { home, persisted } = claim;
  wasm.beginDirectory(await home.directory.names(), crypto.getRandomValues(new Uint8Array(16)));
  wasm.stageFiles();
  return { storage: 'opfs', home, why: null, persisted };
}
