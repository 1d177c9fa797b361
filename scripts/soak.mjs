// `npm run soak -- --minutes 30 [--seed N] [--canaries] [--engines] [--only NAME]`: every random test of the engine for as long as asked, on seeds
// that no commit runs. `--engines` adds a tenth of that time of damaged directories that the real LevelDB and RocksDB open. One line for each technique, a
// total, and for each violation how to see it again. Fails when there is one.

import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { compareVerdicts } from '../tests/leveldb/exchange.mjs';
import { canaries } from './canaries.mjs';
import { asScript, path, printLine, probe, since, stream, Unmet } from './lib.mjs';

/** A test by its program and name, and its share of the time. */
const techniques = JSON.parse(readFileSync(path('engine/tests/techniques.json'), 'utf8'));

/** The package of each test binary, and its folder. */
const binaries = {
  it: ['levelscope', 'engine'],
  formats: ['levelscope-formats', 'formats'],
  kills: ['levelscope-console', 'console'],
};

/** Builds the tests; the program of each test binary. */
function build() {
  const packages = Object.values(binaries).flatMap(([name]) => ['-p', name]);
  const tests = Object.keys(binaries).flatMap((name) => ['--test', name]);
  const args = ['test', '--locked', ...packages, '--all-features', ...tests];
  const { ok, stdout, output } = probe('cargo', [
    ...args,
    '--no-run',
    '--message-format=json-render-diagnostics',
  ]);
  if (!ok) throw new Unmet(`The tests do not build:\n${output.replace(/^\{.*$/gm, '').trim()}`);
  const programs = {};
  for (const line of stdout.split('\n').filter((line) => line.startsWith('{'))) {
    const { executable, target } = JSON.parse(line);
    if (executable && target.kind.includes('test')) programs[target.name] = executable;
  }
  return programs;
}

/** The techniques in the output of a test: name, cases, violations, first and last seed. */
function lines(output) {
  const pattern = /([a-z][a-z ]*[a-z]): (\d+) cases, (\d+) violations, seeds (\d+) to (\d+)/g;
  return [...output.matchAll(pattern)].map(([, name, cases, violations, from, to]) => ({
    name,
    cases: Number(cases),
    violations: Number(violations),
    from,
    to,
  }));
}

async function run({ program = 'it', test }, programs, seconds, first) {
  const env = { LEVELSCOPE_SECONDS: String(seconds), LEVELSCOPE_FIRST: String(first) };
  const args = [test, '--exact', '--nocapture', '--test-threads=1'];
  const [owner, folder] = binaries[program];
  const cwd = path(folder);
  const { code, output } = await stream(programs[program], args, { env, cwd, quiet: true });
  const found = lines(output);
  const isViolated = found.some(({ violations }) => violations > 0);
  if (found.length === 0 || (code !== 0 && !isViolated)) {
    // It ended before it printed its seeds: it was killed, or there is no such test.
    found.push({ name: test, cases: 0, violations: 1, from: first, to: first });
  }
  if (code !== 0) printLine(`\n${output.trimEnd()}\n`);
  for (const { name, cases, violations, from, to } of found) {
    const mark = violations === 0 ? 'ok    ' : 'FAILED';
    printLine(
      `  ${mark} ${name.padEnd(26)} ${String(cases).padStart(9)} cases ${String(violations).padStart(3)} violations, seeds ${from} to ${to}`,
    );
    if (violations > 0)
      printLine(
        `         LEVELSCOPE_SEED=${to} cargo test -p ${owner} --all-features --test ${program} ${test}`,
      );
  }
  return found;
}

/** Damaged directories, judged by the lens and by the real libraries. */
async function engines(seconds, seed) {
  const { output } = await compareVerdicts(Math.max(15, Math.round(seconds)), seed);
  const found = lines(output);
  if (found.length === 0) found.push({ name: 'verdicts of engines', cases: 0, violations: 1 });
  return found;
}

async function main() {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '30' },
      seed: { type: 'string' },
      only: { type: 'string' },
      canaries: { type: 'boolean', default: false },
      engines: { type: 'boolean', default: false },
    },
  });
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) throw new Unmet('--minutes takes a number above 0');
  const first = values.seed === undefined ? randomInt(1_000, 2 ** 40) : Number(values.seed);
  if (!Number.isSafeInteger(first) || first < 0) throw new Unmet('--seed takes a whole number');
  const wanted = techniques.filter(({ test }) => test.includes(values.only ?? ''));
  if (wanted.length === 0) throw new Unmet(`no technique has ${values.only} in its name`);

  printLine('Building the tests …');
  const programs = build();
  const workers = Math.min(availableParallelism(), wanted.length);
  const shares = wanted.reduce((sum, { share }) => sum + share, 0);
  const start = performance.now();
  printLine(`${minutes} minutes on seeds from ${first}, ${workers} at a time`);
  const queue = [...wanted];
  const all = [];
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const seconds = Math.max(1, Math.round((minutes * 60 * workers * next.share) / shares));
      all.push(...(await run(next, programs, seconds, first)));
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  if (values.engines) all.push(...(await engines((minutes * 60) / 10, first)));
  const missed = values.canaries ? await canaries() : 0;
  const cases = all.reduce((sum, { cases }) => sum + cases, 0);
  const violations = all.reduce((sum, { violations }) => sum + violations, missed);
  printLine(
    `\n${cases} cases, ${violations} violations in ${since(start)}; the same seeds again: npm run soak -- --minutes ${minutes} --seed ${first}`,
  );
  if (violations > 0) process.exitCode = 1;
}

asScript(import.meta.url, main);
