// The workloads of every store of the Level family in the comparison: the same keys, values and order. Runs in Node and in browsers.

import { batches, numbers, shuffled, textKey } from './data.mjs';

/** Text of `bytes` characters, half of it compressible. */
function valuesOf(bytes) {
  const random = numbers(7);
  const half = bytes >> 1;
  return Array.from({ length: 64 }, () => {
    let text = '';
    while (text.length < half) text += random.next().value.toString(36);
    return text.slice(0, half).padEnd(bytes, 'levelscope ');
  });
}

/** Calls for each of `keys`: awaited one by one, or a hundred under way together. */
function callsOf(keys) {
  const one = (call, verify) => async (db) => {
    for (const [at, key] of keys.entries()) {
      const found = await call(db, key, at);
      verify?.(found);
    }
  };
  const together = (call, verify) => async (db) => {
    for (const [start, end] of batches(keys.length, 100)) {
      const found = await Promise.all(keys.slice(start, end).map((key) => call(db, key)));
      if (verify !== undefined) found.forEach(verify);
    }
  };
  return { one, together };
}

function scans(count) {
  const whole = (seen) => {
    if (seen !== count) throw new Error(`${seen} of ${count} entries`);
  };
  const forAwait = async (db) => {
    let seen = 0;
    for await (const [, found] of db.iterator()) seen += found.length > 0 ? 1 : 0;
    whole(seen);
  };
  return [
    ['for await', count, forAwait],
    ['all()', count, async (db) => whole((await db.iterator().all()).length)],
    ['clear', count, (db) => db.clear()],
  ];
}

/** Each workload: its name, the number of its operations, what it does with an open database, and what the database has to support. */
function workloads({ entries, singles, valueBytes }) {
  const texts = valuesOf(valueBytes);
  const value = (index) => texts[index % texts.length];
  const keys = shuffled(entries, numbers(11)).map(textKey);
  const some = shuffled(entries, numbers(13)).slice(0, singles).map(textKey);
  const fills = [...batches(entries, 1000)].map(([start, end]) =>
    keys.slice(start, end).map((key, at) => ({ type: 'put', key, value: value(start + at) })),
  );
  const check = (found) => {
    if (found?.length !== valueBytes) throw new Error('a value is missing');
  };
  const isAbsent = (found) => {
    if (found) throw new Error('it is absent');
  };
  const get = (db, key) => db.get(key);
  const fill = async (db) => {
    for (const batch of fills) await db.batch(batch);
  };
  const getSync = (db) => {
    for (const key of some) check(db.getSync(key));
  };
  const getMany = async (db) => {
    for (const [start, end] of batches(some.length, 100)) {
      for (const found of await db.getMany(some.slice(start, end))) check(found);
    }
  };
  const { one, together } = callsOf(some);
  return [
    ['batch of 1,000', entries, fill],
    ['put, awaited', some.length, one((db, key, at) => db.put(key, value(at)))],
    ['put, 100 in flight', some.length, together((db, key) => db.put(key, value(1)))],
    ['get, awaited', some.length, one(get, check)],
    ['get, 100 in flight', some.length, together(get, check)],
    ['getSync', some.length, getSync, 'getSync'],
    ['getMany of 100', some.length, getMany],
    ['has, absent', some.length, one((db, key) => db.has(`${key}!`), isAbsent), 'has'],
    ...scans(entries),
  ];
}

/** One workload after the other on a new database; `clock` returns the time that counts [µs]. */
export async function measureLevel(db, sizes, clock) {
  const planned = workloads(sizes);
  await db.open();
  const rows = [];
  for (const [workload, operations, run, needs] of planned) {
    if (needs !== undefined && !db.supports[needs]) continue;
    const [start, wall] = [clock(), performance.now()];
    await run(db);
    const perSecond = (operations * 1e6) / (clock() - start);
    const wallPerSecond = (operations * 1e3) / (performance.now() - wall);
    rows.push({ workload, perSecond, wallPerSecond });
  }
  await db.close();
  return rows;
}
