// A lens with the real module, for views that show what real directories answer.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Call, LensHost, type LensWasm } from '../lens/host';
import { Lens } from '../lens/lens';
import type { Source } from '../lens/protocol';
import type { WorkerLike } from '../worker/requests';
import { blobOf, readSlice } from './slices';

const root = process.cwd();
const glueFile = join(root, 'web/src/lens/pkg/levelscope_lens.js');

/** The module, once: it holds no state of its own. */
let module: Promise<LensWasm> | null = null;

async function load(): Promise<LensWasm> {
  const file = join(root, 'web/src/lens/pkg/levelscope_lens_bg.wasm');
  if (!existsSync(file)) throw new Error('The lens is not built: npm run build:wasm');
  const glue = await import(/* @vite-ignore */ glueFile);
  glue.initSync({ module: readFileSync(file) });
  return glue;
}

/** The worker of the lens, in this thread. */
function worker(): WorkerLike<Call> {
  const own: WorkerLike<Call> = {
    postMessage: (message) => host.receive(message),
    terminate() {
      own.onmessage = null;
    },
    onmessage: null,
    onmessageerror: null,
    onerror: null,
  };
  const host = new LensHost({
    load() {
      module ??= load();
      return module;
    },
    send: (data) => own.onmessage?.(new MessageEvent('message', { data })),
    readSlice,
    now: () => performance.now(),
    breathe: async () => {},
  });
  return own;
}

/** A directory that a real library wrote, from tests/fixtures/lsm. */
export function fixtureSource(name: string): Source {
  const directory = join(root, 'tests/fixtures/lsm', name);
  const files = readdirSync(directory).map((file) => ({
    path: `${name}/${file}`,
    file: blobOf(readFileSync(join(directory, file))),
  }));
  return { kind: 'files', name, files };
}

/** A lens of the real module; no sample comes. */
export function realLens(): Lens {
  const sample = async (): Promise<Blob> => {
    throw new Error('The sample did not come: the server answered 404.');
  };
  return new Lens({ start: worker, sample });
}

/** A lens that has opened a source. */
export async function lensOn(source: Source): Promise<Lens> {
  const lens = realLens();
  await lens.open(source);
  return lens;
}

/** A lens that has opened a fixture. */
export const openedLens = (name: string): Promise<Lens> => lensOn(fixtureSource(name));
