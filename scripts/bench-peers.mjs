// `npm run bench:peers`: Levelscope beside LevelDB, RocksDB, fjall and SurrealKV; writes its section
// of docs/PERFORMANCE.md and its picture.
// `-- --engines levelscope,leveldb --entries 100000 --rounds 1` passes arguments on to the measuring program (bench/), which names them with `--help`;
// `-- --from FILE` writes the report again from the results of a run in test-results/, and measures nothing.

import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeReport } from './bench-peers-report.mjs';
import { asScript, path, probe, say, since, stream, Unmet } from './lib.mjs';
import { setup } from './setup.mjs';

const PEERS = ['leveldb', 'rocksdb', 'fjall', 'surrealkv'];
/** What building them needs, as Debian calls it. */
const PACKAGES = ['g++', 'cmake', 'libclang-dev'];
/** The runs of the report: the largest one would take three times as long with all engines and workloads. */
const RUNS = `
--entries 1000000 --value-size 100 --rounds 3
--entries 100000 --value-size 100 --rounds 3 --rounds-max 5
--entries 300000 --value-size 100 --rounds 3 --rounds-max 5
--entries 200000 --value-size 1000 --rounds 3 --rounds-max 5
--entries 5000000 --value-size 100 --workloads fillrandom,overwrite,readrandom,readmissing,seekrandom,readseq
--entries 20000000 --value-size 100 --engines levelscope,leveldb,rocksdb,fjall --workloads fillrandom,readrandom,readmissing,seekrandom,readseq
--entries 1000000 --value-size 100 --rounds 3 MAPPED
--entries 200000 --value-size 1000 --rounds 3 MAPPED`;
/** With mapped tables: what reads them. */
const MAPPED =
  '--engines levelscope,levelscope-mapped,leveldb,rocksdb,fjall,surrealkv ' +
  '--workloads fillrandom,seekcold,seekrandom,readcold,readrandom,readrandom/2threads,readmissing,readhot,readseq,overwrite,readwhilewriting';
const runs = () =>
  RUNS.trim()
    .replaceAll('MAPPED', MAPPED)
    .split('\n')
    .map((line) => line.split(' '));

/** Installs what building needs, where that can be done. */
async function installPackages() {
  if (process.getuid?.() !== 0 || !probe('apt-get', ['--version']).ok) return false;
  say(`Installing ${PACKAGES.join(', ')} …`);
  await stream('apt-get', ['update', '-qq'], { quiet: true });
  return (
    (await stream('apt-get', ['install', '-y', '-qq', ...PACKAGES], { quiet: true })).code === 0
  );
}

/** The path of the measuring program with these engines. */
async function build(engines) {
  const start = performance.now();
  say(`Building ${engines.join(', ')} (RocksDB alone takes a quarter of an hour the first time) …`);
  const features = engines.filter((name) => PEERS.includes(name)).join(',');
  const args = ['build', '--release', '--locked', '--no-default-features', '--features', features];
  // In the folder itself, because its settings for cargo are found from there.
  const isBuilt = async () => (await stream('cargo', args, { cwd: path('bench') })).code === 0;
  if (!(await isBuilt()) && !((await installPackages()) && (await isBuilt()))) {
    throw new Unmet(
      `The other engines could not be built; see above. They need ${PACKAGES.join(', ')} (so Debian calls them); ` +
        'measure without them: npm run bench:peers -- --engines levelscope,fjall',
    );
  }
  say(`Built in ${since(start)}.`);
  const folder = process.env.CARGO_TARGET_DIR ?? path('bench', 'target');
  return join(folder, 'release', 'levelscope-bench');
}

const read = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Runs the measuring program once for each list of words; the JSON of each. */
async function measure(program, runs, common) {
  const results = [];
  for (const [index, words] of runs.entries()) {
    const file = path('test-results', `peers-${index + 1}.json`);
    mkdirSync(dirname(file), { recursive: true });
    const { code } = await stream(program, [...words, ...common, '--json', file]);
    if (code !== 0) throw new Unmet('A measurement failed; see above.');
    results.push(read(file));
  }
  return results;
}

async function main() {
  const words = process.argv.slice(2);
  const from = words.flatMap((word, at) => (word === '--from' ? [words[at + 1]] : []));
  if (from.length > 0) return writeReport(from.map(read));
  await setup();
  const at = words.indexOf('--engines');
  const engines = at < 0 ? ['levelscope', ...PEERS] : words[at + 1].split(',');
  const program = await build(engines);
  const isSized = ['--entries', '--value-size', '--rounds'].some((flag) => words.includes(flag));
  const results = await measure(program, isSized ? [[]] : runs(), words);
  // No report is written for a part of the workloads.
  if (!words.includes('--workloads')) await writeReport(results);
}

asScript(import.meta.url, main);
