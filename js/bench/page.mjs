// What a browser measures: this package on OPFS, from a page and in a worker, beside browser-level (IndexedDB).

import { BrowserLevel } from 'browser-level';
import { Levelscope } from '../dist/browser.js';
import { workloads } from './workloads.mjs';

const stores = {
  levelscope: (name) => new Levelscope(name),
  'browser-level': (name) => new BrowserLevel(name),
};

/** Wall time of one workload after the other on one store [µs per operation]. */
export async function measure(store, name, sizes) {
  const db = stores[store](name);
  await db.open();
  const times = {};
  for (const { name: workload, operations, needs, run } of workloads(sizes)) {
    if (needs !== undefined && !needs(db)) continue;
    const start = performance.now();
    await run(db);
    times[workload] = ((performance.now() - start) * 1000) / operations;
  }
  await db.close();
  return times;
}

if (typeof WorkerGlobalScope !== 'undefined' && self instanceof WorkerGlobalScope) {
  self.onmessage = async ({ data }) => {
    try {
      self.postMessage({ times: await measure(...data) });
    } catch (error) {
      self.postMessage({ error: String(error.cause ?? error) });
    }
  };
} else {
  window.measure = measure;
  window.measureInWorker = (...task) =>
    new Promise((resolve, reject) => {
      const worker = new Worker('./bench.js', { type: 'module' });
      worker.onmessage = ({ data }) => {
        worker.terminate();
        if (data.times === undefined) reject(new Error(data.error));
        else resolve(data.times);
      };
      worker.postMessage(task);
    });
}
