// `npm run bench -- peers`: Levelscope beside LevelDB, RocksDB, fjall and SurrealKV, natively. The program of bench/ runs one step on
// one database; here is which steps follow each other, how often, and in which turn.

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { list, machine, turns } from '../scripts/bench-document.mjs';
import { installDebian, path, printLine, probe, since, stream, Unmet } from '../scripts/lib.mjs';
import { OWN, ratiosOf } from './report.mjs';

export { show, summarize, write } from './report.mjs';

const PEERS = ['leveldb', 'rocksdb', 'fjall', 'surrealkv'];
/** Debian's packages for building the peers. */
const PACKAGES = ['g++', 'cmake', 'libclang-dev'];
/** Rounds are repeated until no ratio swings by more. */
const SWING_MAX = 0.05;

const USUAL = {
  engines: ['levelscope', ...PEERS],
  workloads: [],
  rounds: 3,
  /** Unstable ratios are measured again, up to so many rounds. */
  roundsMax: 0,
  entries: 1_000_000,
  /** Point reads of each read workload; 0: as many as entries, at most 300,000. */
  reads: 0,
  valueBytes: 100,
  writeBufferBytes: 4 << 20,
  cacheBytes: 8 << 20,
  bloomBits: 10,
  threads: 2,
  /** Puts a second beside readwhilewriting. */
  writeRate: 50_000,
  seed: 1,
  /** Options of Levelscope, such as block_bytes=16k,level_ratio=8. */
  set: [],
  dir: tmpdir(),
};

export const options = {
  ...Object.fromEntries(Object.keys(USUAL).map((name) => [name, Number])),
  ...{ engines: list, workloads: list, set: list, dir: String },
};

const LARGE = ['fillrandom', 'overwrite', 'readrandom', 'readmissing', 'seekrandom', 'readseq'];
/** With mapped tables: what reads them. */
const MAPPED = {
  engines: ['levelscope', 'levelscope-mapped', ...PEERS],
  workloads: list(
    'fillrandom,seekcold,seekrandom,readcold,readrandom,readrandom/2threads,readmissing,readhot,readseq,overwrite,readwhilewriting',
  ),
};
/** The runs of the report: the largest one would take three times as long with all engines and workloads. */
const RUNS = [
  {},
  { entries: 100_000, roundsMax: 5 },
  { entries: 300_000, roundsMax: 5 },
  { entries: 200_000, valueBytes: 1000, roundsMax: 5 },
  { entries: 5_000_000, rounds: 1, workloads: LARGE },
  {
    entries: 20_000_000,
    rounds: 1,
    engines: ['levelscope', 'leveldb', 'rocksdb', 'fjall'],
    workloads: LARGE.filter((name) => name !== 'overwrite'),
  },
  MAPPED,
  { entries: 200_000, valueBytes: 1000, ...MAPPED },
];

/** Steps on one database each, one process for each step; the first workload of a step also prepares the others: it fills, merges or warms up. */
const CHAINS = [
  ['fillseq', 'deleteseq'],
  ['fillbatch'],
  ['fillsync'],
  ['fillsync/4'],
  ['fillsync/16'],
  ['fillsync/64'],
  [
    'fillrandom',
    'seekcold seekrandom',
    'readcold readrandom readrandom/2threads readmissing readhot readseq readreverse',
    'readcached',
    'overwrite',
    'readwhilewriting',
    'compact readrandom/compacted readmissing/compacted seekrandom/compacted readseq/compacted readreverse/compacted',
    'deleterandom',
  ],
].map((steps) => steps.map((names) => names.split(' ')));

/** Begins a step on a copy: reads cause compactions, so lookups and seeks each begin with what the fill left. */
const COPIED = 'seekcold';

/** The chains that lead to the `wanted` workloads, with the workloads that they need before; none: all. */
export function plan(wanted) {
  const all = CHAINS.flat(2);
  const unknown = wanted.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new Unmet(`no workload ${unknown}; there are ${all.join(', ')}`);
  const isWanted = (name) => wanted.length === 0 || wanted.includes(name);
  const kept = CHAINS.filter((steps) => steps.flat().some(isWanted));
  return kept.map((steps) =>
    steps
      .map((names, position) => {
        const isNeeded = position === 0 || names.some(isWanted);
        return names.filter((name, at) => isWanted(name) || (isNeeded && at === 0));
      })
      .filter((names) => names.length > 0),
  );
}

/** The path of the measuring program with these engines. */
async function build(engines) {
  const start = performance.now();
  printLine(
    `Building ${engines.join(', ')} (RocksDB alone takes a quarter of an hour the first time) …`,
  );
  const features = engines.filter((name) => PEERS.includes(name)).join(',');
  const args = ['build', '--release', '--locked', '--no-default-features', '--features', features];
  // In the folder itself, because its settings for cargo are found from there.
  const isBuilt = async () => (await stream('cargo', args, { cwd: path('bench') })).code === 0;
  if (!((await isBuilt()) || ((await installDebian(PACKAGES)) === '' && (await isBuilt())))) {
    throw new Unmet(
      `The other engines could not be built; see above. They need ${PACKAGES.join(', ')} (so Debian calls them); ` +
        'measure without them: npm run bench -- peers --engines levelscope,fjall',
    );
  }
  printLine(`Built in ${since(start)}.`);
  const folder = process.env.CARGO_TARGET_DIR ?? path('bench', 'target');
  return join(folder, 'release', 'levelscope-bench');
}

/** Processor time of all cores that neither this program nor its children used [s]. */
function othersSeconds() {
  const [all] = readFileSync('/proc/stat', 'utf8').split('\n');
  const ticks = all.split(/\s+/).slice(1).map(Number);
  // user, nice, system, idle, waiting for the disk, interrupts (2), stolen.
  const busy = [0, 1, 2, 5, 6, 7].map((at) => ticks[at]);
  // Its own and that of ended children, user and system each.
  const own = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ').slice(11, 15);
  const sum = (numbers) => numbers.reduce((total, number) => total + Number(number), 0);
  return (sum(busy) - sum(own)) / 100;
}

/** Reads and writes, because where files can share their blocks, a copy by the system is outside its cache. */
function copyFiles(from, to) {
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const target = join(to, relative(from, file));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, readFileSync(file));
  }
  probe('sync', ['-f', to]);
}

/** The rows of one step of an engine; `null`: it hung, and was killed. */
async function step(program, { engine, directory, workloads, settings }) {
  const copy = workloads[0] === COPIED ? `${directory}.copy` : directory;
  if (copy === directory) mkdirSync(directory, { recursive: true });
  else copyFiles(directory, copy);
  // Generous: it is meant for threads that wait for one another, not for slow machines.
  const patience = 120 + (settings.entries / 5000) * workloads.length;
  const job = JSON.stringify({ engine, directory: copy, workloads, settings });
  try {
    const limits = { timeout: 1000 * patience, killSignal: 'SIGKILL', maxBuffer: 64 << 20 };
    const { stdout } = await promisify(execFile)(program, ['run', job], limits);
    return JSON.parse(stdout);
  } catch (error) {
    if (error.killed) return null;
    throw new Unmet(`${engine} failed in ${workloads.join(', ')}:\n${error.stderr ?? error}`);
  } finally {
    if (copy !== directory) rmSync(copy, { recursive: true });
  }
}

/** The figures of a row in the report: operations a second, processor time of all threads until background work has settled, and costs. */
function figuresOf(row, { entries, valueBytes }) {
  const { operations, seconds, settleSeconds, settledProcessSeconds, userBytes } = row;
  return {
    ...row,
    perSecond: operations / seconds,
    perSecondSettled: operations / (seconds + settleSeconds),
    processMicros: (settledProcessSeconds * 1e6) / operations,
    writeAmplification: userBytes > 0 ? row.writtenBytes / userBytes : 0,
    diskPerData: row.diskBytes / (entries * (16 + valueBytes)),
  };
}

/** One round of a chain: engines take turns within each step, in another order each round. */
async function runChain(program, root, chain, round, { engines, ...settings }) {
  const rows = [];
  let going = turns(engines, round - 1);
  for (const workloads of chain) {
    for (const engine of going) {
      const found = await step(program, {
        engine,
        directory: join(root, engine),
        workloads,
        settings,
      });
      if (found === null) {
        printLine(
          `round ${round}  ${engine} hangs in ${workloads.join(', ')}; it sits out the rest.`,
        );
        going = going.filter((other) => other !== engine);
        continue;
      }
      for (const row of found.map((each) => figuresOf(each, settings))) {
        const speed = (row.perSecond / 1000).toFixed(1).padStart(10);
        printLine(`round ${round}  ${engine.padEnd(18)}${row.workload.padEnd(23)}${speed} k/s`);
        rows.push({ ...row, round });
      }
    }
  }
  for (const engine of engines) rmSync(join(root, engine), { recursive: true, force: true });
  return rows;
}

/** All rounds; after the wanted number only the chains with a ratio that is not stable. */
async function rounds(program, root, { rounds: wanted, roundsMax, workloads, ...rest }) {
  const rows = [];
  for (let round = 1; round <= Math.max(wanted, roundsMax); round += 1) {
    const ratios = ratiosOf(rows);
    const isStable = (name) => ratios.get(name)?.swing <= SWING_MAX;
    for (const chain of plan(workloads)) {
      if (round <= wanted || !chain.flat().every(isStable)) {
        rows.push(...(await runChain(program, root, chain, round, rest)));
      }
    }
  }
  return rows;
}

async function run(program, { set, dir, reads, ...given }) {
  const answer = (words) => {
    const { ok, stdout, output } = probe(program, words);
    if (!ok) throw new Unmet(output);
    return JSON.parse(stdout);
  };
  const described = answer(['describe']);
  const engines = described.engines.filter(({ name }) => given.engines.includes(name));
  const unknown = given.engines.find((name) => !engines.some((engine) => engine.name === name));
  if (unknown !== undefined) throw new Unmet(`There is no engine ${unknown}.`);
  const levelscope = set.map((option) => option.split('='));
  const settings = { ...given, levelscope, reads: reads || Math.min(given.entries, 300_000) };
  const root = mkdtempSync(join(dir, 'levelscope-bench-'));
  try {
    const bounds = answer(['bounds', root, JSON.stringify(settings)]);
    const [before, start, here] = [othersSeconds(), performance.now(), machine()];
    const rows = await rounds(program, root, settings);
    const disturbance = ((othersSeconds() - before) * 1000) / (performance.now() - start);
    const place = ({ workload }) => described.workloads.findIndex(({ name }) => name === workload);
    rows.sort((one, other) => place(one) - place(other));
    const beside = ({ name }) => (OWN.includes(name) ? {} : { beside: 'levelscope' });
    return {
      machine: { ...here, disturbance: Math.max(disturbance, 0) },
      bounds,
      settings,
      workloads: described.workloads,
      engines: engines.map((engine) => ({ ...engine, ...beside(engine) })),
      rows,
    };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

export async function* measure(given) {
  const program = await build(given.engines ?? USUAL.engines);
  const isPart = Object.keys(given).length > 0;
  for (const each of isPart ? [{}] : RUNS)
    yield await run(program, { ...USUAL, ...given, ...each });
}
