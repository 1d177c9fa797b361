// The worker of the lens: it has the module that reads directories of other engines, and the files.

import { gunzipSync } from 'fflate';
import { requireSameBuild } from '../model/build';
import { type HostSurroundings, LensHost } from './host';
import packedUrl from './pkg/levelscope_lens.bin?url';
import init, * as wasm from './pkg/levelscope_lens.js';
import type { ToWorker } from './protocol';

declare const self: DedicatedWorkerGlobalScope;

requireSameBuild(self);

const channel = new MessageChannel();
let resume: (() => void) | null = null;
channel.port1.onmessage = () => resume?.();

/** The module comes compressed, whatever the server does: the copy for offline use keeps it as it comes. */
async function start(): Promise<void> {
  const response = await fetch(new URL(packedUrl, self.location.href));
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  const packed = new Uint8Array(await response.arrayBuffer());
  await init({ module_or_path: gunzipSync(packed) as Uint8Array<ArrayBuffer> });
}

const loading = start();
// A failure is told by the request that opens a directory.
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
  breathe: () =>
    new Promise<void>((resolve) => {
      resume = resolve;
      channel.port2.postMessage(null);
    }),
};

const host = new LensHost(surroundings);
self.onmessage = ({ data }: MessageEvent<ToWorker>) => host.receive(data);
