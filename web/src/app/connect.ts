import { engine } from '../engine/client';
import { LENS_WORKER, trusted } from '../engine/trusted';
import { Lens, type SampleName } from '../lens/lens';
import leveldb from '../lens/pkg/leveldb.zip?url';
import pebble from '../lens/pkg/pebble.zip?url';
import rocksdb from '../lens/pkg/rocksdb.zip?url';
import type { EnginePort } from './port';

/** The engine of this page. */
export function connect(): EnginePort {
  return engine();
}

const SAMPLES: Readonly<Record<SampleName, string>> = { rocksdb, pebble, leveldb };

/** The lens of this page: nothing is fetched before a directory is opened. */
export function connectLens(): Lens {
  return new Lens({
    start: () => new Worker(trusted(LENS_WORKER), { type: 'module' }),
    async sample(name) {
      const response = await fetch(SAMPLES[name]);
      if (!response.ok)
        throw new Error(`The sample did not come: the server answered ${response.status}.`);
      return response.blob();
    },
  });
}
