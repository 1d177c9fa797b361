// Exchanges databases with the real LevelDB and RocksDB: builds the programs of tests/leveldb against the libraries
// of the distribution, installing these when they are missing, and lets engine/examples/leveldb.rs drive them.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asScript, path, probe, say, since, stream, targetDirectory, Unmet } from './lib.mjs';

const packages = ['gcc', 'libc6-dev', 'libleveldb-dev', 'librocksdb-dev'];

/** Builds one of the programs; what the compiler says when it cannot. */
function compile(name, library, directory) {
  const program = join(directory, name);
  const source = path('tests', 'leveldb', `${name}.c`);
  const warnings = ['-Wall', '-Wextra', '-Werror'];
  const built = probe('cc', ['-O1', ...warnings, '-o', program, source, `-l${library}`]);
  return built.ok ? { program } : { complaint: built.missing ? 'there is no cc' : built.output };
}

function compileBoth(directory) {
  const leveldb = compile('leveldb', 'leveldb', directory);
  const rocksdb = compile('rocksdb', 'rocksdb', directory);
  return { leveldb, rocksdb, complaint: leveldb.complaint ?? rocksdb.complaint };
}

async function programs(directory) {
  const found = compileBoth(directory);
  if (found.complaint === undefined) return found;
  const install = `apt-get update && apt-get install -y --no-install-recommends ${packages.join(' ')}`;
  let log = found.complaint;
  const isRoot = process.getuid?.() === 0;
  const mayInstall = isRoot || probe('sudo', ['-n', 'true']).ok;
  if (mayInstall && probe('apt-get', ['--version']).ok) {
    const start = performance.now();
    say('Installing LevelDB and RocksDB for the test with the real libraries …');
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    const shell = ['-c', install];
    const installed = isRoot
      ? await stream('sh', shell, { quiet: true, env })
      : await stream('sudo', ['-n', 'sh', ...shell], { quiet: true, env });
    log += installed.output;
    const now = compileBoth(directory);
    if (now.complaint === undefined) {
      say(`They were installed in ${since(start)}.`);
      return now;
    }
    log += now.complaint;
  }
  throw new Unmet(
    `${log}\nThe test with the real LevelDB needs its library and that of RocksDB. On Debian and its like: ${install}`,
  );
}

/** Runs the exchange; resolves to what it printed and its exit code. */
export async function exchangeWithLibraries() {
  const built = join(targetDirectory(), 'tests-leveldb');
  mkdirSync(built, { recursive: true });
  const { leveldb, rocksdb } = await programs(built);
  const place = mkdtempSync(join(tmpdir(), 'levelscope-leveldb-'));
  try {
    const words = [leveldb.program, rocksdb.program, place];
    const cargo = ['run', '--locked', '-p', 'levelscope', '--example', 'leveldb', '--', ...words];
    return await stream('cargo', cargo);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

asScript(import.meta.url, async () => {
  process.exitCode = (await exchangeWithLibraries()).code;
});
