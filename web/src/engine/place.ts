// Where a database is to live: in the files of the origin where the browser gives them, otherwise in memory.

import type { Request, StorageKind } from '../model/engine.generated';
import type { Directory, Handle } from './opfs';
import type { Surroundings, Wasm } from './wasm';

type Wish = Extract<Request, { type: 'open' }>['storage'];

/** Where it lives. */
export interface Place<H extends Handle> {
  storage: StorageKind;
  /** Its files; `null`: it is in memory. */
  directory: Directory<H> | null;
  /** Why it is in memory though files were wanted, as a sentence. */
  why: string | null;
  /** Whether the browser has promised not to clear the files by itself. */
  persisted: boolean;
}

/** Claims the place; `onLoss` runs when another tab takes it. */
export async function placeFor<H extends Handle>(
  around: Surroundings<H>,
  wasm: Wasm<H>,
  wish: Wish,
  takeOver: boolean,
  onLoss: () => void,
): Promise<Place<H> | 'owned'> {
  const memory = { storage: 'memory', directory: null, why: null, persisted: false } as const;
  if (wish !== 'auto') return memory;
  const claim = await around.claim(takeOver, onLoss);
  if (claim.state === 'owned') return 'owned';
  if (claim.state === 'denied') return { ...memory, why: claim.why };
  const { directory, persisted } = claim;
  wasm.beginDirectory(await directory.names(), crypto.getRandomValues(new Uint8Array(16)));
  wasm.stageFiles();
  return { storage: 'opfs', directory, why: null, persisted };
}
