// The worker of the lens: it has the module that reads directories of other engines, and the files.

import { requireSameBuild } from '../model/build';
import { unpackedModule } from '../share/unpackedModule';
import { breathe } from '../worker/breathe';
import { type Call, type HostSurroundings, LensHost } from './host';
import packedUrl from './pkg/levelscope_lens.bin?url';
import init, * as wasm from './pkg/levelscope_lens.js';

declare const self: DedicatedWorkerGlobalScope;

requireSameBuild(self);

const loading = unpackedModule(packedUrl).then((module) => init({ module_or_path: module }));
// The request that opens a directory reports a failure.
loading.catch(() => undefined);
const reader = new FileReaderSync();

const surroundings: HostSurroundings = {
  async load() {
    await loading;
    return wasm;
  },
  send: (message) => self.postMessage(message),
  now: () => performance.now(),
  readSlice: (slice) => reader.readAsArrayBuffer(slice),
  breathe,
};

const host = new LensHost(surroundings);
self.onmessage = ({ data }: MessageEvent<Call>) => host.receive(data);
