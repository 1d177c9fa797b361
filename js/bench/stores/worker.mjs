// The worker of one measurement: one store, a new database, one workload after the other.

import { check, dataOf } from './data.mjs';
import { IndexedDbStore } from './indexeddb.mjs';
import { LevelscopeStore } from './levelscope.mjs';
import { RawStore } from './raw.mjs';
import { SqliteStore } from './sqlite.mjs';

const stores = {
  levelscope: LevelscopeStore,
  sqlite: SqliteStore,
  indexeddb: IndexedDbStore,
  raw: RawStore,
};

const BATCH_ENTRIES = 1000;
const GET_MANY_KEYS = 100;
const REOPENINGS = 5;

const percentile = (sorted, part) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];

/** What a store has been measured to do: operations a second, or milliseconds. */
class Measured {
  rates = {};
  pauses = {};
  reopening = [];

  async rate(name, operations, run) {
    const start = performance.now();
    await run();
    this.rates[name] = (operations * 1000) / (performance.now() - start);
  }

  /** The first pass, with blocks and code still cold, and the third, with both warm. */
  async reads(name, operations, run) {
    await this.rate(`${name}First`, operations, run);
    await run();
    await this.rate(name, operations, run);
  }

  /** One call after the other, each timed, as a writer that awaits each of them. */
  async each(name, keys, call) {
    const times = [];
    const begin = performance.now();
    let start = begin;
    for (let index = 0; index < keys.length; index++) {
      const pending = call(keys[index], index);
      if (pending !== undefined) await pending;
      const end = performance.now();
      times.push(end - start);
      start = end;
    }
    this.rates[name] = (keys.length * 1000) / (start - begin);
    times.sort((a, b) => a - b);
    const [p50, p99, p999] = [0.5, 0.99, 0.999].map((part) => percentile(times, part));
    this.pauses[name] = { p50, p99, p999, most: times.at(-1) };
  }
}

async function readAll(measured, store, name, data) {
  if (name !== 'raw') {
    const many = () => store.presentMany(data, GET_MANY_KEYS);
    await measured.reads('getMany', data.present.length, many);
    await measured.reads('absent', data.absent.length, () => store.absent(data));
  }
  await measured.reads('scan', data.entries, async () => {
    const seen = await store.scan(data);
    if (seen !== data.entries) throw new Error(`${seen} of ${data.entries} entries`);
  });
  // Last: collecting the garbage of its values would disturb what follows.
  await measured.reads('get', data.present.length, () => store.present(data));
}

async function measure(name, database, sizes) {
  const data = dataOf(sizes);
  const store = new stores[name](database);
  const measured = new Measured();
  const value = (index) => data.values[index % data.values.length];
  await store.open();
  await measured.rate('fill', data.entries, () => store.fill(data, BATCH_ENTRIES));
  await measured.each('put', data.overwritten, (key, index) => store.put(key, value(index)));
  await store.beginDurable?.();
  const durable = data.overwritten.slice(0, sizes.durable);
  await measured.each('putDurable', durable, (key, index) => store.putDurable(key, value(index)));
  for (let round = 0; round < REOPENINGS; round++) {
    await store.close();
    const start = performance.now();
    await store.open();
    const found = await store.get(data.first);
    measured.reopening.push(performance.now() - start);
    if (name !== 'raw') check(found, data);
  }
  await readAll(measured, store, name, data);
  await store.close();
  const { rates, pauses, reopening } = measured;
  return {
    rates,
    pauses,
    reopening: percentile(
      reopening.sort((a, b) => a - b),
      0.5,
    ),
  };
}

self.onmessage = async ({ data }) => {
  try {
    self.postMessage({ measured: await measure(...data) });
  } catch (error) {
    self.postMessage({ error: `${data[0]}: ${error.stack ?? error}` });
  }
};
