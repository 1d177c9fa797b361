// This package in Node beside classic-level and memory-level.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ClassicLevel } from 'classic-level';
import { MemoryLevel } from 'memory-level';
import { Levelscope, MemoryLevelscope } from '../dist/node.js';
import { measureLevel } from './workloads.mjs';

const stores = {
  levelscope: (place) => new Levelscope(place),
  'classic-level': (place) => new ClassicLevel(place),
  'levelscope in memory': () => new MemoryLevelscope(),
  'memory-level': () => new MemoryLevel(),
};

/** Processor time of all threads [µs]. */
function clock() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Measures a store with a new database in `directory`. */
export async function measure(directory, store, sizes) {
  const place = join(directory, store);
  const rows = await measureLevel(stores[store](place), sizes, clock);
  rmSync(place, { recursive: true, force: true });
  return rows;
}
