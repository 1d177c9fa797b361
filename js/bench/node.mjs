// `node js/bench/node.mjs [--count N] [--rounds N] [--bytes N]`: this package beside classic-level and memory-level, in turn,
// each with a new database in every round. Prints the median of the processor time of the whole process per operation.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ClassicLevel } from 'classic-level';
import { MemoryLevel } from 'memory-level';
import { Levelscope, MemoryLevelscope } from '../dist/node.js';
import { workloads } from './workloads.mjs';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    single: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '5' },
    bytes: { type: 'string', default: '100' },
    json: { type: 'boolean', default: false },
  },
});
const [count, single, rounds, bytes] = ['count', 'single', 'rounds', 'bytes'].map((name) =>
  Number(values[name]),
);

const root = mkdtempSync(join(tmpdir(), 'levelscope-bench-'));
const stores = {
  levelscope: (name) => new Levelscope(join(root, name)),
  'classic-level': (name) => new ClassicLevel(join(root, name)),
  'levelscope in memory': () => new MemoryLevelscope(),
  'memory-level': () => new MemoryLevel(),
};

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

/** Processor time of all threads, and wall time, of one run [µs]. */
async function timed(run) {
  const [cpu, wall] = [process.cpuUsage(), performance.now()];
  await run();
  const used = process.cpuUsage(cpu);
  return { cpu: used.user + used.system, wall: (performance.now() - wall) * 1000 };
}

const times = new Map();
for (let round = 0; round < rounds; round++) {
  // The first one changes from round to round.
  const names = Object.keys(stores);
  const turn = [...names.slice(round % names.length), ...names.slice(0, round % names.length)];
  for (const store of turn) {
    const directory = `${store}-${round}`;
    const db = stores[store](directory);
    await db.open();
    for (const { name, operations, needs, run } of workloads({ count, single, bytes })) {
      if (needs !== undefined && !needs(db)) continue;
      const { cpu, wall } = await timed(() => run(db));
      const row = times.get(name) ?? new Map();
      const cell = row.get(store) ?? { cpu: [], wall: [] };
      cell.cpu.push(cpu / operations);
      cell.wall.push(wall / operations);
      times.set(name, row.set(store, cell));
    }
    await db.close();
    rmSync(join(root, directory), { recursive: true, force: true });
  }
}
rmSync(root, { recursive: true, force: true });

const result = [...times].map(([name, row]) => ({
  name,
  ...Object.fromEntries(
    [...row].map(([store, { cpu, wall }]) => [store, { cpu: median(cpu), wall: median(wall) }]),
  ),
}));
if (values.json) console.log(JSON.stringify({ count, single, bytes, rounds, result }));
else {
  console.log(
    `${count} entries of 16 + ${bytes} bytes, ${rounds} rounds: processor time | wall time [µs per operation]`,
  );
  for (const { name, ...row } of result) {
    const cells = Object.entries(row).map(
      ([store, { cpu, wall }]) => `${store} ${cpu.toFixed(2)} | ${wall.toFixed(2)}`,
    );
    console.log(`${name.padEnd(20)} ${cells.join('   ')}`);
  }
}
