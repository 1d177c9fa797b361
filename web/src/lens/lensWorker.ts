// The worker of the lens: it has the module that reads directories of other engines, and the files.

import { type HostSurroundings, LensHost } from './host';
import init, * as wasm from './pkg/levelscope_lens.js';
import wasmUrl from './pkg/levelscope_lens_bg.wasm?url';
import type { ToWorker } from './protocol';

declare const self: DedicatedWorkerGlobalScope;

const channel = new MessageChannel();
let resume: (() => void) | null = null;
channel.port1.onmessage = () => resume?.();

const loading = init({ module_or_path: new URL(wasmUrl, self.location.href) });
// A failure is told by the request that opens a directory.
loading.catch(() => undefined);
const reader = new FileReaderSync();

const surroundings: HostSurroundings = {
  async load() {
    await loading;
    return wasm;
  },
  send: (message) => self.postMessage(message),
  readSlice: (slice) => reader.readAsArrayBuffer(slice),
  breathe: () =>
    new Promise<void>((resolve) => {
      resume = resolve;
      channel.port2.postMessage(null);
    }),
};

const host = new LensHost(surroundings);
self.onmessage = ({ data }: MessageEvent<ToWorker>) => host.receive(data);
