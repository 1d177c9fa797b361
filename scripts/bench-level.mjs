// `npm run bench:level`: the npm package beside other stores of the Level family, in Node and in Chromium, at 100 and at 1,000 bytes.
// Writes docs/PERFORMANCE-JS.md.

import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { buildJs } from './build-js.mjs';
import { asScript, path, say, stream, Unmet } from './lib.mjs';
import { setup } from './setup.mjs';

const DOCUMENT = 'docs/PERFORMANCE-JS.md';
const HEAD = `# Speed of the npm package

Written by \`npm run bench:level\`: each store in turn, with a new database in every round, the same keys, values and order for all, nothing synced. Keys are in random
order. The last column of each table is the peer's time divided by ours: above 1 the package is faster. In Node it is the processor time of all threads of the
process, because \`classic-level\` works in others; in a browser only wall time can be had. Times of a shared machine mean little: read the ratios.
`;
const SIZES = [100, 1000];

async function measured(script, bytes) {
  say(`Measuring ${script} with values of ${bytes} bytes …`);
  const args = [path('js/bench', script), '--json', '--bytes', String(bytes)];
  const { code, output } = await stream(process.execPath, args, { quiet: true });
  const line = output.split('\n').find((found) => found.startsWith('{'));
  if (code !== 0 || line === undefined) throw new Unmet(`${script} failed:\n${output}`);
  return JSON.parse(line);
}

const figure = (number) => (number < 10 ? number.toFixed(2) : number.toFixed(0));

/** A table whose last column is the time of `peer` in terms of `own`. */
function table({ result, bytes, count, rounds }, { columns, own, peer, part, says }) {
  const head = [...columns, `${peer} ÷ ${own}`];
  const rows = result.map((row) => {
    const cells = columns.map((name) => (row[name] ? figure(row[name][part]) : ''));
    const both = row[own] && row[peer];
    return [row.name, ...cells, both ? (row[peer][part] / row[own][part]).toFixed(1) : ''];
  });
  return [
    `${says}: ${count.toLocaleString('en')} entries of 16 + ${bytes.toLocaleString('en')} bytes, medians of ${rounds} rounds \\[µs per operation\\].`,
    '',
    `| | ${head.join(' | ')} |`,
    `|---|${head.map(() => '--:').join('|')}|`,
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
    '',
  ];
}

async function benchLevel() {
  await setup();
  await buildJs();
  const lines = [];
  for (const bytes of SIZES) {
    lines.push(
      ...table(await measured('node.mjs', bytes), {
        columns: ['levelscope', 'classic-level', 'levelscope in memory', 'memory-level'],
        own: 'levelscope',
        peer: 'classic-level',
        part: 'cpu',
        says: 'Node, processor time of all threads',
      }),
    );
  }
  for (const bytes of SIZES) {
    lines.push(
      ...table(await measured('browser.mjs', bytes), {
        columns: ['levelscope, page', 'levelscope, worker', 'browser-level, page'],
        own: 'levelscope, page',
        peer: 'browser-level, page',
        part: 'wall',
        says: 'Chromium, wall time',
      }),
    );
  }
  const machine = `Node ${process.versions.node}, ${cpus().length} cores of ${cpus()[0]?.model ?? 'unknown'}.`;
  writeFileSync(path(DOCUMENT), `${HEAD}\n${machine}\n\n${lines.join('\n')}`);
  say(lines.join('\n'));
}

asScript(import.meta.url, benchLevel);
