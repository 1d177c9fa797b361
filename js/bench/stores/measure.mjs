// One measurement of a store in a worker: a new database, one workload after the other.

import { check, dataOf } from '../data.mjs';

const BATCH_ENTRIES = 1000;
const GET_MANY_KEYS = 100;
const REOPENINGS = 5;

const percentile = (sorted, part) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];

/** Rows of what a store has been measured to do: operations a second, or milliseconds of pauses. */
class Measured {
  rows = [];

  async rate(workload, operations, run) {
    const start = performance.now();
    await run();
    const perSecond = (operations * 1000) / (performance.now() - start);
    this.rows.push({ workload, perSecond });
  }

  /** The first pass, with blocks and code still cold, and the third, with both warm. */
  async reads(workload, operations, run) {
    await this.rate(`${workload}, first pass`, operations, run);
    await run();
    await this.rate(workload, operations, run);
  }

  /** One call after the other, each timed, as a writer that awaits each of them. */
  async each(workload, keys, call) {
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
    const perSecond = (keys.length * 1000) / (start - begin);
    times.sort((a, b) => a - b);
    const pauses = [...[0.5, 0.99, 0.999].map((part) => percentile(times, part)), times.at(-1)];
    this.rows.push({ workload, perSecond, pauses });
  }
}

async function readAll(measured, store, data) {
  const isBare = store.absent === undefined;
  if (!isBare) {
    const many = () => store.presentMany(data, GET_MANY_KEYS);
    await measured.reads('get, 100 keys a call', data.present.length, many);
    await measured.reads('get, absent keys', data.absent.length, () => store.absent(data));
  }
  await measured.reads('scan, in order', data.entries, async () => {
    const seen = await store.scan(data);
    if (seen !== data.entries) throw new Error(`${seen} of ${data.entries} entries`);
  });
  // Last: collecting the garbage of its values would disturb what follows.
  await measured.reads('get, random keys', data.present.length, () => store.present(data));
}

async function reopen(measured, store, name, data) {
  const times = [];
  for (let round = 0; round < REOPENINGS; round++) {
    await store.close();
    const start = performance.now();
    await store.open(name);
    const found = await store.get(data.first);
    times.push(performance.now() - start);
    if (store.absent !== undefined) check(found, data);
  }
  times.sort((a, b) => a - b);
  measured.rows.push({
    workload: 'open again, with the first get',
    pauses: [percentile(times, 0.5)],
  });
}

/** The rows of a store, in a new database of this name. */
export async function measureStore(store, name, sizes) {
  const data = dataOf(sizes);
  const measured = new Measured();
  const value = (index) => data.values[index % data.values.length];
  const put = (key, index) => store.put(key, value(index));
  await store.open(name);
  const fill = () => store.fill(data, BATCH_ENTRIES);
  await measured.rate('put, in batches of 1,000', data.entries, fill);
  await measured.each('put, one by one', data.overwritten, put);
  await store.beginDurable?.();
  const durable = data.overwritten.slice(0, sizes.durable);
  const putDurable = (key, index) => store.putDurable(key, value(index));
  await measured.each('put, one by one, durable', durable, putDurable);
  await reopen(measured, store, name, data);
  await readAll(measured, store, data);
  await store.close();
  return measured.rows;
}
