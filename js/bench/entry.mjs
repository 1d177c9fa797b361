// The measurement in a browser, in a page and in a worker: this package on OPFS beside other stores.

import { BrowserLevel } from 'browser-level';
import { Levelscope } from '../dist/browser.js';
import { IndexedDbStore } from './stores/indexeddb.mjs';
import { LevelscopeStore } from './stores/levelscope.mjs';
import { measureStore } from './stores/measure.mjs';
import { RawStore } from './stores/raw.mjs';
import { SqliteStore } from './stores/sqlite.mjs';
import { measureLevel } from './workloads.mjs';

const clock = () => performance.now() * 1000;
const level = (Store) => (name, sizes) => measureLevel(new Store(name), sizes, clock);
const store = (Store) => (name, sizes) => measureStore(new Store(), name, sizes);

const MEASURES = {
  'level levelscope': level(Levelscope),
  'level browser-level': level(BrowserLevel),
  levelscope: store(LevelscopeStore),
  sqlite: store(SqliteStore),
  indexeddb: store(IndexedDbStore),
  raw: store(RawStore),
};

/** The rows of one store on a new database. */
const measure = async ([kind, name, sizes]) => MEASURES[kind](name, sizes);

function inWorker(task) {
  const worker = new Worker('./bench.js', { type: 'module' });
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data: { rows, error } }) =>
      rows === undefined ? reject(new Error(error)) : resolve(rows);
    worker.onerror = ({ message }) => reject(new Error(message || 'the worker did not start'));
    worker.postMessage(task);
  }).finally(() => worker.terminate());
}

if (typeof window === 'undefined') {
  self.onmessage = async ({ data }) => {
    try {
      self.postMessage({ rows: await measure(data) });
    } catch (error) {
      self.postMessage({ error: `${data[0]}: ${error.stack ?? error}` });
    }
  };
} else {
  window.measure = (isInWorker, task) => (isInWorker ? inWorker(task) : measure(task));
}
