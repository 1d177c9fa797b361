// What every store does in the comparison: the same keys, values and order. Runs in Node and in browsers.

/** Numbers that look random, the same in every run. */
export function* numbers(seed) {
  let state = seed >>> 0;
  for (;;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state;
  }
}

const key = (number) => number.toString(16).padStart(16, '0');

/** Text of `bytes` characters, half of it compressible. */
function values(bytes) {
  const random = numbers(7);
  const half = bytes >> 1;
  return Array.from({ length: 64 }, () => {
    let text = '';
    while (text.length < half) text += random.next().value.toString(36);
    return text.slice(0, half).padEnd(bytes, 'levelscope ');
  });
}

function shuffled(count, seed) {
  const order = Array.from({ length: count }, (_, index) => index);
  const random = numbers(seed);
  for (let index = count - 1; index > 0; index--) {
    const other = random.next().value % (index + 1);
    [order[index], order[other]] = [order[other], order[index]];
  }
  return order;
}

/** In parts, all under way together. */
async function together(items, size, act) {
  for (let index = 0; index < items.length; index += size) {
    await Promise.all(items.slice(index, index + size).map(act));
  }
}

/** The keys and values of a run. */
function dataOf({ count, single, bytes }) {
  const texts = values(bytes);
  const value = (index) => texts[index % texts.length];
  const keys = shuffled(count, 11).map(key);
  const some = shuffled(count, 13).slice(0, single).map(key);
  const batches = [];
  for (let index = 0; index < count; index += 1000) {
    const part = keys.slice(index, index + 1000);
    batches.push(part.map((name, at) => ({ type: 'put', key: name, value: value(index + at) })));
  }
  const check = (found) => {
    if (found === undefined || found.length !== bytes) throw new Error('a value is missing');
  };
  return { count, single, value, some, batches, check };
}

function writes({ count, single, value, some, batches }) {
  return [
    {
      name: 'batch of 1,000',
      operations: count,
      run: async (db) => {
        for (const batch of batches) await db.batch(batch);
      },
    },
    {
      name: 'put, awaited',
      operations: single,
      run: async (db) => {
        for (let index = 0; index < single; index++) await db.put(some[index], value(index));
      },
    },
    {
      name: 'put, 100 in flight',
      operations: single,
      run: (db) => together(some, 100, (name) => db.put(name, value(1))),
    },
  ];
}

function lookups({ single, some, check }) {
  return [
    {
      name: 'get, awaited',
      operations: single,
      run: async (db) => {
        for (const name of some) check(await db.get(name));
      },
    },
    {
      name: 'get, 100 in flight',
      operations: single,
      run: (db) => together(some, 100, async (name) => check(await db.get(name))),
    },
    {
      name: 'getSync',
      operations: single,
      needs: (db) => db.supports.getSync,
      run: async (db) => {
        for (const name of some) check(db.getSync(name));
      },
    },
    {
      name: 'getMany of 100',
      operations: single,
      run: async (db) => {
        for (let index = 0; index < single; index += 100) {
          for (const found of await db.getMany(some.slice(index, index + 100))) check(found);
        }
      },
    },
    {
      name: 'has, absent',
      operations: single,
      needs: (db) => db.supports.has,
      run: async (db) => {
        for (const name of some) if (await db.has(`${name}!`)) throw new Error('it is absent');
      },
    },
  ];
}

function scans({ count }) {
  return [
    {
      name: 'for await',
      operations: count,
      run: async (db) => {
        let seen = 0;
        for await (const [, found] of db.iterator()) seen += found.length > 0 ? 1 : 0;
        if (seen !== count) throw new Error(`${seen} of ${count} entries`);
      },
    },
    {
      name: 'all()',
      operations: count,
      run: async (db) => {
        const found = await db.iterator().all();
        if (found.length !== count) throw new Error(`${found.length} of ${count} entries`);
      },
    },
    { name: 'clear', operations: count, run: (db) => db.clear() },
  ];
}

/**
 * The workloads, in their order: each with a name, the number of its operations, and what it does with an open database.
 * `single` counts the operations that are awaited one by one.
 */
export function workloads(sizes) {
  const data = dataOf(sizes);
  return [...writes(data), ...lookups(data), ...scans(data)];
}
