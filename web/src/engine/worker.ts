// The one worker of the page: it owns the engine and its files.

import { requireSameBuild } from '../model/build';
import { messageOf, nameOf } from '../model/failures';
import { unpackedModule } from '../share/unpackedModule';
import { breathe } from '../worker/breathe';
import { EngineHost } from './host';
import { Home } from './opfs';
import { Ownership } from './ownership';
import labsUrl from './pkg/levelscope_labs.bin?url';
import initLabs, * as labs from './pkg/levelscope_labs.js';
import init, * as wasm from './pkg/levelscope_wasm.js';
import wasmUrl from './pkg/levelscope_wasm_bg.wasm?url';
import { IN_MEMORY, type Place, type Surroundings } from './wasm';
import type { Parcel } from './wire';

declare const self: DedicatedWorkerGlobalScope;

requireSameBuild(self);

let ownership: Ownership | null = null;

async function claim(takeOver: boolean, onLoss: () => void): Promise<Place | 'owned'> {
  try {
    const home = await Home.find();
    ownership ??= new Ownership(onLoss);
    if (!(await ownership.acquire(takeOver))) return 'owned';
    await home.probe();
    const persisted = await navigator.storage.persisted().catch(() => false);
    return { home, why: null, persisted };
  } catch (error) {
    ownership?.release();
    if (nameOf(error) === 'NoModificationAllowedError') return 'owned';
    const why = `This browser gives the page no files (${nameOf(error)}: ${messageOf(error)}).`;
    return { ...IN_MEMORY, why };
  }
}

const loading = init({ module_or_path: wasmUrl });
// A failure is reported by the request that opens the database.
loading.catch(() => undefined);

const surroundings: Surroundings = {
  // The name of the file holds a hash of it.
  version: wasmUrl.slice(wasmUrl.lastIndexOf('/') + 1),
  async load() {
    await loading;
    return wasm;
  },
  async loadLabs() {
    await initLabs({ module_or_path: await unpackedModule(labsUrl) });
    return labs;
  },
  loadLessons: async () => (await import('./lessonTexts')).LESSON_TEXTS,
  send: (message) => self.postMessage(message),
  claim,
  release: () => ownership?.release(),
  breathe,
  now: () => performance.now(),
};

const host = new EngineHost(surroundings);
self.onmessage = ({ data }: MessageEvent<Parcel>) => host.receive(data);
