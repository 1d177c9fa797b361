// `npm run bench:peers`: Levelscope beside LevelDB, RocksDB, fjall and SurrealKV; writes its section
// of docs/PERFORMANCE.md and its picture.
// `-- --engines levelscope,leveldb --entries 100000 --rounds 1` passes arguments on to the measuring program (bench/);
// `-- --from FILE` writes the report again from the results of a run with `--json FILE`, and measures nothing.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { asScript, path, probe, say, since, stream, Unmet } from './lib.mjs';
import { chart } from './peers-chart.mjs';
import { ROUNDS_MAX, report } from './peers-report.mjs';
import { replaceSection } from './sections.mjs';
import { setup } from './setup.mjs';

const PEERS = ['leveldb', 'rocksdb', 'fjall', 'surrealkv'];
/** The default runs of the report. */
const SMALL = ['--rounds', '3', '--rounds-max', String(ROUNDS_MAX)];
const LARGE_WORKLOADS = 'fillrandom,overwrite,readrandom,readmissing,seekrandom,readseq';
/** Of the largest run, which would take three times as long with all engines and workloads. */
const LARGEST = [
  '--engines',
  'levelscope,leveldb,rocksdb,fjall',
  '--workloads',
  'fillrandom,readrandom,readmissing,seekrandom,readseq',
];
/** With mapped tables: what reads them, in another form of the same runs. */
const MAPPED = [
  '--engines',
  'levelscope,levelscope-mapped,leveldb,rocksdb,fjall,surrealkv',
  '--workloads',
  'fillrandom,seekcold,seekrandom,readcold,readrandom,readrandom/2threads,readmissing,readhot,readseq,overwrite,readwhilewriting',
  '--rounds',
  '3',
];
const RUNS = [
  ['--entries', '1000000', '--value-size', '100', '--rounds', '3'],
  ['--entries', '100000', '--value-size', '100', ...SMALL],
  ['--entries', '300000', '--value-size', '100', ...SMALL],
  ['--entries', '200000', '--value-size', '1000', ...SMALL],
  ['--entries', '5000000', '--value-size', '100', '--workloads', LARGE_WORKLOADS],
  ['--entries', '20000000', '--value-size', '100', ...LARGEST],
  ['--entries', '1000000', '--value-size', '100', ...MAPPED],
  ['--entries', '200000', '--value-size', '1000', ...MAPPED],
];

function hasLibclang() {
  if (process.env.LIBCLANG_PATH !== undefined) return true;
  const places = ['/usr/lib', '/usr/lib64', '/usr/local/lib', '/opt/homebrew/opt/llvm/lib'];
  const llvm = existsSync('/usr/lib')
    ? readdirSync('/usr/lib').filter((name) => name.startsWith('llvm'))
    : [];
  places.push(...llvm.map((name) => `/usr/lib/${name}/lib`));
  places.push('/Library/Developer/CommandLineTools/usr/lib', '/usr/lib/x86_64-linux-gnu');
  const isLibrary = (name) => /^libclang(-[\d.]+)?\.(so|dylib)/.test(name);
  return places.some((place) => existsSync(place) && readdirSync(place).some(isLibrary));
}

/** Debian packages that building the `engines` needs and this machine lacks. */
function missingPackages(engines) {
  const missing = [];
  const needsCpp = engines.includes('leveldb') || engines.includes('rocksdb');
  if (needsCpp && !probe('c++', ['--version']).ok) missing.push('g++');
  if (engines.includes('leveldb') && !probe('cmake', ['--version']).ok) missing.push('cmake');
  if (engines.includes('rocksdb') && !hasLibclang()) missing.push('libclang-dev');
  return missing;
}

async function setupPeers(engines) {
  await setup();
  let missing = missingPackages(engines);
  if (missing.length > 0 && process.getuid?.() === 0 && probe('apt-get', ['--version']).ok) {
    say(`Installing ${missing.join(', ')} …`);
    await stream('apt-get', ['update', '-qq'], { quiet: true });
    await stream('apt-get', ['install', '-y', '-qq', ...missing], { quiet: true });
    missing = missingPackages(engines);
  }
  if (missing.length > 0) {
    throw new Unmet(
      `To build the other engines, ${missing.join(', ')} must be installed (so Debian calls them); ` +
        'or measure without: npm run bench:peers -- --engines levelscope,fjall',
    );
  }
}

async function build(engines) {
  const start = performance.now();
  say(`Building ${engines.join(', ')} (RocksDB alone takes a quarter of an hour the first time) …`);
  const features = engines.filter((name) => PEERS.includes(name)).join(',');
  const args = ['build', '--release', '--locked', '--no-default-features', '--features', features];
  // In the folder itself, because its settings for cargo are found from there.
  const { code } = await stream('cargo', args, { cwd: path('bench') });
  if (code !== 0) throw new Unmet('The other engines could not be built; see above.');
  say(`Built in ${since(start)}.`);
  const folder = process.env.CARGO_TARGET_DIR ?? path('bench', 'target');
  return join(folder, 'release', 'levelscope-bench');
}

const after = (words, flag) => {
  const at = words.indexOf(flag);
  return at < 0 ? undefined : words[at + 1];
};

/** Runs the measuring program once for each list of words; the JSON of each. */
async function measure(program, runs, common) {
  const results = [];
  for (const [index, words] of runs.entries()) {
    const file = path('test-results', `peers-${index + 1}.json`);
    mkdirSync(dirname(file), { recursive: true });
    const { code } = await stream(program, [...words, ...common, '--json', file]);
    if (code !== 0) throw new Unmet('A measurement failed; see above.');
    results.push(JSON.parse(readFileSync(file, 'utf8')));
  }
  return results;
}

/** Writes the report and its picture. */
function write(results) {
  mkdirSync(path('docs', 'images'), { recursive: true });
  writeFileSync(path('docs', 'images', 'peers.svg'), chart(results[0]));
  replaceSection('docs/PERFORMANCE.md', 'npm run bench:peers', report(results));
  say('docs/PERFORMANCE.md and docs/images/peers.svg are written.');
}

async function main() {
  const words = process.argv.slice(2);
  const from = words.flatMap((word, at) => (word === '--from' ? [words[at + 1]] : []));
  if (from.length > 0) {
    write(from.map((file) => JSON.parse(readFileSync(file, 'utf8'))));
    return;
  }
  const engines = (after(words, '--engines') ?? ['levelscope', ...PEERS].join(',')).split(',');
  await setupPeers(engines);
  const program = await build(engines);
  const sized = ['--entries', '--value-size', '--rounds'].some((flag) => words.includes(flag));
  const results = await measure(program, sized ? [[]] : RUNS, words);
  // No report is written for a part of the workloads.
  if (!words.includes('--workloads')) write(results);
}

asScript(import.meta.url, main);
