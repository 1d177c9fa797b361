// `node js/bench/hold.mjs`: how long the engine holds Node's event loop while it writes, flushes and compacts in the background.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { Levelscope } from '../dist/node.js';

const root = mkdtempSync(join(tmpdir(), 'levelscope-hold-'));
const db = new Levelscope(join(root, 'db'), { inspect: true });
await db.open();

const holds = [];
let last = performance.now();
let watching = true;
(async () => {
  while (watching) {
    await turn();
    const now = performance.now();
    holds.push(now - last);
    last = now;
  }
})();

const value = 'x'.repeat(100);
let state = 1;
for (let batch = 0; batch < 4000; batch++) {
  const operations = Array.from({ length: 100 }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return { type: 'put', key: state.toString(16), value };
  });
  await db.batch(operations);
  await turn();
}
const { flushes, compactions } = await db.levelscope.stats();
watching = false;
holds.sort((a, b) => a - b);
const at = (share) => holds[Math.floor((holds.length - 1) * share)].toFixed(1);
console.log(
  `${holds.length} turns of the event loop beside ${flushes} flushes and ${compactions} compactions: ` +
    `median ${at(0.5)} ms, p99 ${at(0.99)} ms, p99.9 ${at(0.999)} ms, longest ${at(1)} ms`,
);
await db.close();
rmSync(root, { recursive: true, force: true });
