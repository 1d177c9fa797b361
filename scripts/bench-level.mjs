// `npm run bench:level`: the npm package beside other stores of the Level family, in Node and in Chromium, at 100 and at 1,000 bytes.
// Writes docs/PERFORMANCE-JS.md. `-- --count 1000 --rounds 1` passes arguments on to js/bench/ and prints only.

import { cpus } from 'node:os';
import { count, figure, table, writeSection } from './bench-document.mjs';
import { buildJs } from './build-js.mjs';
import { asScript, path, say, stream, Unmet } from './lib.mjs';
import { setup } from './setup.mjs';

const SIZES = [100, 1000];
const PLATFORMS = [
  {
    script: 'node.mjs',
    says: 'Node, processor time of all threads',
    columns: ['levelscope', 'classic-level', 'levelscope in memory', 'memory-level'],
    peer: 'classic-level',
    part: 'cpu',
  },
  {
    script: 'browser.mjs',
    says: 'Chromium, wall time',
    columns: ['levelscope, page', 'levelscope, worker', 'browser-level, page'],
    peer: 'browser-level, page',
    part: 'wall',
  },
];

async function measured(script, bytes, words) {
  say(`Measuring ${script} with values of ${bytes} bytes …`);
  const args = [path('js/bench', script), '--json', '--bytes', String(bytes), ...words];
  const { code, output } = await stream(process.execPath, args, { quiet: true });
  const line = output.split('\n').find((found) => found.startsWith('{'));
  if (code !== 0 || line === undefined) throw new Unmet(`${script} failed:\n${output}`);
  return JSON.parse(line);
}

/** A table whose last column is the time of the peer in terms of the first store. */
function section({ result, bytes, count: entries, rounds }, { columns, peer, part, says }) {
  const [own] = columns;
  const rows = result.map((row) => [
    row.name,
    ...columns.map((name) => figure(row[name]?.[part])),
    figure(row[peer]?.[part] / row[own]?.[part]),
  ]);
  return `${says}: ${count(entries)} entries of 16 + ${count(bytes)} bytes, medians of ${rounds} rounds \\[µs per operation\\].

${table(['', ...columns, `${peer} ÷ ${own}`], rows)}`;
}

async function benchLevel() {
  const words = process.argv.slice(2);
  await setup();
  await buildJs();
  const sections = [];
  for (const platform of PLATFORMS) {
    for (const bytes of SIZES) {
      sections.push(section(await measured(platform.script, bytes, words), platform));
      say(sections.at(-1));
    }
  }
  if (words.length > 0) return;
  const machine = `Node ${process.versions.node}, ${cpus().length} cores of ${cpus()[0]?.model ?? 'unknown'}.`;
  writeSection(
    'docs/PERFORMANCE-JS.md',
    'npm run bench:level',
    [machine, ...sections].join('\n\n'),
  );
}

asScript(import.meta.url, benchLevel);
