// Exchanges databases with the real LevelDB and RocksDB: builds the programs of tests/leveldb against the libraries
// of the distribution, installing these when they are missing, and lets formats/examples/leveldb.rs,
// foreign/examples/ingest.rs and foreign/examples/verdicts.rs drive them.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  asScript,
  installDebian,
  path,
  printLine,
  probe,
  stream,
  targetDirectory,
  Unmet,
} from '../../scripts/lib.mjs';
import { buildPrograms } from '../../scripts/native.mjs';

/** Seconds that damaged directories are compared for. */
const VERDICT_SECONDS = 5;

const packages = ['gcc', 'libc6-dev', 'libleveldb-dev', 'librocksdb-dev'];

/** Builds one of the programs; returns its path, or the compiler's output. */
function compile(name, library, directory) {
  const program = join(directory, name);
  const source = path('tests', 'leveldb', `${name}.c`);
  const warnings = ['-Wall', '-Wextra', '-Werror'];
  const built = probe('cc', ['-O1', ...warnings, '-o', program, source, `-l${library}`]);
  return built.ok ? { program } : { complaint: built.missing ? 'there is no cc' : built.output };
}

function compileAll(directory) {
  const leveldb = compile('leveldb', 'leveldb', directory);
  const rocksdb = compile('rocksdb', 'rocksdb', directory);
  const judges = [
    compile('judge-leveldb', 'leveldb', directory),
    compile('judge-rocksdb', 'rocksdb', directory),
  ];
  const complaint = [leveldb, rocksdb, ...judges].find((built) => built.complaint)?.complaint;
  return { leveldb, rocksdb, judges, complaint };
}

async function programs(directory) {
  const found = compileAll(directory);
  if (found.complaint === undefined) return found;
  const inTheWay = await installDebian(packages);
  const now = compileAll(directory);
  if (now.complaint === undefined) return now;
  throw new Unmet(
    `${now.complaint}\nThe test with the real LevelDB needs its library and that of RocksDB. ${inTheWay}`,
  );
}

/** Demands that `levelscope WORDS`, which is at `program`, succeeds or fails as `ok` demands, and prints `text`. */
function demand(program, words, ok, text) {
  const ran = probe(program, words);
  if (ran.ok === ok && ran.output.includes(text)) return;
  throw new Error(`levelscope ${words.join(' ')} should print "${text}":\n${ran.output}`);
}

/** While the real LevelDB has a database open, nothing imports it; and nothing but import takes it. */
async function leaveOthersAlone(program, leveldb, place) {
  const directory = join(place, 'other');
  const made = probe(leveldb, ['make', directory, '7']);
  if (!made.ok) throw new Error(made.output);
  const holder = spawn(leveldb, ['hold', directory], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(holder, 'exit');
  try {
    await once(holder.stdout, 'data');
    demand(program, ['import', directory, join(place, 'new')], false, 'in use by another program');
    demand(program, [directory, '-c', 'put a b'], false, 'database of LevelDB');
  } finally {
    holder.stdin.end();
    await ended;
  }
  for (const words of [
    [directory, '-c', 'get a'],
    ['check', directory],
    ['repair', directory, join(place, 'new')],
  ]) {
    demand(program, words, false, 'database of LevelDB');
  }
  demand(program, ['import', directory, join(place, 'new')], true, 'finds no damage');
  const opened = probe(leveldb, ['exercise', directory]);
  if (!opened.ok) throw new Error(`LevelDB no longer opens its database:\n${opened.output}`);
  printLine('A database that LevelDB has open is left alone, and LevelDB opens it afterwards.');
}

/** Entries of many kinds in the order of their keys: binary and long keys, empty and long values. */
function oddEntries() {
  const entries = new Map();
  for (let number = 0; number < 3000; number++) {
    const key = Buffer.from(`user${String((number * 7919) % 3000).padStart(5, '0')}`);
    entries.set(
      key.toString('hex'),
      number % 3 === 0 ? Buffer.alloc(0) : Buffer.alloc(number % 90, number),
    );
  }
  for (let byte = 0; byte < 256; byte++) {
    entries.set(Buffer.from([byte, 0, 255, byte]).toString('hex'), Buffer.from([byte]));
  }
  entries.set(Buffer.alloc(60_000, 0x6b).toString('hex'), Buffer.from('a long key'));
  return entries;
}

const escaped = (bytes) =>
  `"${[...bytes].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}"`;

/** A database of Levelscope becomes a table; RocksDB ingests it and reads the same entries. */
function ingestOwn(program, rocksdb, place) {
  const [directory, table] = [join(place, 'own'), join(place, 'own.sst')];
  const entries = oddEntries();
  const lines = ['put gone 1'];
  for (const [key, value] of entries) {
    lines.push(`put ${escaped(Buffer.from(key, 'hex'))} ${escaped(value)}`);
    if (lines.length % 1000 === 0) lines.push('flush');
  }
  lines.push('del gone');
  const filled = probe(program, [directory], { input: `${lines.join('\n')}\n` });
  if (!filled.ok) throw new Error(filled.output);
  demand(program, ['export', directory, table], true, 'live entries');
  const ingested = probe(rocksdb, ['ingest', join(place, 'ingested'), table, 'bytewise']);
  if (!ingested.ok) throw new Error(ingested.output);
  const wanted = [...entries].map(([key, value]) => `${key} ${value.toString('hex')}`).sort();
  for (const moment of ['before', 'after']) {
    const own = ingested.stdout.split('\n').filter((line) => line.startsWith(`${moment} `));
    const read = own.map((line) => line.slice(moment.length + 1));
    if (read.join('\n') !== wanted.join('\n')) {
      throw new Error(
        `RocksDB reads ${read.length} entries, not the ${wanted.length} exported ones`,
      );
    }
  }
  printLine(`RocksDB ingested ${wanted.length} entries of a database of Levelscope.`);
}

/**
 * Compares the lens's verdicts on damaged directories with those of the real libraries, for `seconds` on seeds from `seed`.
 * Resolves to what it printed and its exit code.
 */
export async function compareVerdicts(seconds, seed) {
  const built = join(targetDirectory(), 'tests-leveldb');
  mkdirSync(built, { recursive: true });
  const { judges } = await programs(built);
  const place = mkdtempSync(join(tmpdir(), 'levelscope-verdicts-'));
  try {
    const tools = judges.map(({ program }) => program);
    const words = [...tools, place, String(seconds), String(seed)];
    return await stream((await buildPrograms()).example('verdicts'), words);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Runs the exchange; resolves to what it printed and its exit code. */
export async function exchangeWithLibraries() {
  const built = join(targetDirectory(), 'tests-leveldb');
  mkdirSync(built, { recursive: true });
  const { leveldb, rocksdb } = await programs(built);
  const native = await buildPrograms();
  const place = mkdtempSync(join(tmpdir(), 'levelscope-leveldb-'));
  try {
    const exchanged = await stream(native.example('leveldb'), [
      leveldb.program,
      rocksdb.program,
      place,
    ]);
    if (exchanged.code !== 0) return exchanged;
    const ingested = await stream(native.example('ingest'), [rocksdb.program, place]);
    const output = `${exchanged.output}\n${ingested.output}`;
    if (ingested.code !== 0) return { code: ingested.code, output };
    try {
      await leaveOthersAlone(native.program, leveldb.program, place);
      ingestOwn(native.program, rocksdb.program, place);
    } catch (error) {
      printLine(error.message);
      return { code: 1, output: `${output}\n${error.message}` };
    }
    const judged = await compareVerdicts(VERDICT_SECONDS, 1);
    return { code: judged.code, output: `${output}\n${judged.output}` };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

asScript(import.meta.url, async () => {
  process.exitCode = (await exchangeWithLibraries()).code;
});
