// `npm test`: sets itself up and runs every check of the project. `node scripts/test.mjs rust e2e` runs some groups only (rust, web, package, node, e2e).
// `node scripts/test.mjs e2e page.spec` runs one file of browser tests.
// `npm run test:quick`: what answers within minutes; a change is ready when `npm test` is green. `npm run test:all`: what is slow, too.
// The last line is always "N passed, N failed"; what cannot run counts as failed, never as skipped.

import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { exchangeWithLibraries } from '../tests/leveldb/exchange.mjs';
import { browser, firefox } from './browser.mjs';
import { buildPage } from './build.mjs';
import { buildConformance } from './build-conformance.mjs';
import { buildJs } from './build-js.mjs';
import { buildWasm } from './build-wasm.mjs';
import { crateAlone } from './crate.mjs';
import { ofCargo, ofPlaywright, ofVitest } from './failures.mjs';
import { path, printLine, stream, tool } from './lib.mjs';
import { buildPrograms, ofProduct } from './native.mjs';
import {
  packageAsInstalled,
  packageInChromium,
  packageInFirefox,
  packageInNode,
  packageSuite,
  packageSuites,
} from './package-tests.mjs';
import { setup } from './setup.mjs';
import { runStages } from './stages.mjs';

const results = 'test-results';
const words = process.argv.slice(2);
/** Also what is slow, and guarded by a faster test, too. */
const isAll = words.includes('all');
/** The browser tests that are asked for; none: all. */
const specs = words.filter((word) => word.endsWith('.spec'));
const node = (packageName, args, options, program) =>
  stream(process.execPath, [tool(packageName, program), ...args], options);

const wasmTarget = ['--target', 'wasm32-unknown-unknown'];
const denyWarnings = ['--', '-D', 'warnings'];

/** A program whose exit code is its whole answer. */
const check = (run) => async () => {
  const { code } = await run();
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
};

/** A build step: throws when it fails. */
const made = (run) => async () => {
  await run();
  return { passed: 1, failed: 0 };
};

/** A runner that failed without naming a failed test (it could not start, or found no test) is itself one failure. */
function counted(code, passed, failed) {
  const silent = failed === 0 && (code !== 0 || passed === 0);
  return { passed, failed: silent ? 1 : failed };
}

const rustTests = (args, options) => async () => {
  const { code, output } = await stream(
    'cargo',
    ['test', '--locked', '--no-fail-fast', ...args],
    options,
  );
  let passed = 0;
  let failed = 0;
  let ignored = 0;
  for (const [, ok, bad, left] of output.matchAll(
    /^test result: .*? (\d+) passed; (\d+) failed; (\d+) ignored/gm,
  )) {
    passed += Number(ok);
    failed += Number(bad);
    ignored += Number(left);
  }
  return { ...counted(code, passed, failed), ignored, failures: ofCargo(output) };
};

/** The tests that a small change breaks first: the models, the golden files, the same bytes every time. */
const QUICK = ['model', 'golden', 'determinism', 'transactions', 'retain', 'charge'];

/** The comparison with other engines, without them: they take a quarter of an hour to build. */
const ofBench = ['--no-default-features'];

/** Only where there are no packages to install them from may the real libraries be missing, and the run prints a line about it. */
async function libraryTests() {
  if (process.platform !== 'linux') {
    printLine('NOT RUN: the exchange with the real LevelDB and RocksDB needs a Linux like Debian.');
    return { passed: 0, failed: 0, ignored: 1 };
  }
  const { code, output } = await exchangeWithLibraries();
  let [passed, failed] = [0, 0];
  for (const [, good, bad] of output.matchAll(/^(\d+) passed, (\d+) failed$/gm)) {
    passed += Number(good);
    failed += Number(bad);
  }
  return counted(code, passed, failed);
}

function report(file) {
  return existsSync(path(file)) ? JSON.parse(readFileSync(path(file), 'utf8')) : {};
}

/** The rules catch what they are for, and the sources keep them. */
async function houseRules() {
  const { code, output } = await stream(process.execPath, [
    '--test',
    path('scripts/lint/lint.test.mjs'),
    path('scripts/bench.test.mjs'),
  ]);
  const [, passed = 0] = /^# pass (\d+)$/m.exec(output) ?? [];
  const [, failed = 0] = /^# fail (\d+)$/m.exec(output) ?? [];
  const tests = counted(code, Number(passed), Number(failed));
  const sources = await check(() => stream(process.execPath, [path('scripts/lint.mjs')]))();
  return { passed: tests.passed + sources.passed, failed: tests.failed + sources.failed };
}

async function unitTests() {
  const file = `${results}/unit.json`;
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${path(file)}`];
  const { code } = await node('vitest', ['run', ...reporters]);
  const result = report(file);
  const { numPassedTests = 0, numFailedTests = 0, numPendingTests = 0 } = result;
  const failures = ofVitest(result);
  return { ...counted(code, numPassedTests, numFailedTests), ignored: numPendingTests, failures };
}

const browserTests =
  (names = specs) =>
  async () => {
    const executable = await browser();
    const other = await firefox();
    if (other === null) printLine('There is no Firefox here: its tests are left out.');
    const isWanted = names.length === 0 || names.includes('conformance.spec');
    if (isWanted) await buildConformance();
    const { code } = await node(
      '@playwright/test',
      ['test', ...names, ...(isAll ? [] : ['--grep-invert', '@slow'])],
      {
        env: {
          LEVELSCOPE_CHROMIUM: executable,
          LEVELSCOPE_FIREFOX: other ?? '',
          LEVELSCOPE_NATIVE: (await buildPrograms()).program,
          // A run of everything draws another history each day.
          ...(isAll ? { LEVELSCOPE_SEED: String(Math.floor(Date.now() / 86_400_000)) } : {}),
        },
      },
      'playwright',
    );
    const result = report(`${results}/e2e.json`);
    const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = result.stats ?? {};
    return {
      ...counted(code, expected + flaky, unexpected),
      ignored: skipped,
      failures: ofPlaywright(result, 'unexpected'),
      again: ofPlaywright(result, 'flaky'),
    };
  };

/** The room for stages side by side: two that compute, or more of those that mostly wait and have `room: 1`. */
const WIDTH = 4;

/**
 * In the order in which they begin when there is room: first what the browser tests need, since they are the longest way.
 * A stage that `needs` a failed one is not run and fails.
 */
const stages = [
  { name: 'set-up', groups: ['rust', 'web', 'e2e', 'package', 'node', 'quick'], run: made(setup) },
  {
    name: 'wasm build',
    groups: ['web', 'e2e', 'quick'],
    needs: ['set-up'],
    run: made(buildWasm),
  },
  { name: 'rust tests', groups: ['rust'], needs: ['set-up'], run: rustTests(ofProduct) },
  {
    name: 'quick rust tests',
    groups: ['quick'],
    needs: ['set-up'],
    run: rustTests(['-p', 'levelscope', '--lib', '--test', 'it', '--', ...QUICK]),
  },
  {
    name: 'page build',
    groups: ['web', 'e2e', 'quick'],
    needs: ['wasm build'],
    run: made(buildPage),
  },
  {
    name: 'browser tests',
    groups: ['e2e'],
    needs: ['page build'],
    run: browserTests(),
  },
  {
    name: 'one browser test',
    groups: ['quick'],
    needs: ['page build'],
    run: browserTests(['page.spec']),
  },
  {
    name: 'npm package',
    groups: ['package', 'node'],
    needs: ['wasm build'],
    run: made(buildJs),
  },
  {
    name: 'package in Chromium',
    groups: ['package'],
    needs: ['npm package'],
    room: 1,
    run: packageInChromium,
  },
  {
    name: 'package in Node',
    groups: ['package', 'node'],
    needs: ['npm package'],
    room: 1,
    run: packageInNode,
  },
  {
    name: 'package as installed',
    groups: ['package'],
    needs: ['npm package'],
    room: 1,
    run: packageAsInstalled,
  },
  {
    name: 'suite of the package',
    groups: ['package'],
    needs: ['npm package'],
    room: 1,
    run: packageSuite,
  },
  {
    name: 'unit tests',
    groups: ['web', 'quick'],
    needs: ['wasm build'],
    run: unitTests,
  },
  {
    name: 'clippy',
    // Its rules guard what runs: no panic, no I/O but through traits. Tests are looked at by the quick and the whole run.
    groups: ['rust', 'quick'],
    needs: ['set-up'],
    run: check(() =>
      stream('cargo', [
        'clippy',
        '--locked',
        ...ofProduct,
        ...(words.includes('quick') || isAll ? ['--all-targets'] : []),
        ...denyWarnings,
      ]),
    ),
  },
  {
    name: 'clippy for wasm',
    groups: ['all'],
    needs: ['set-up'],
    run: check(() =>
      stream('cargo', [
        'clippy',
        '--locked',
        '-p',
        'levelscope-wasm',
        '-p',
        'levelscope-wasm-labs',
        '-p',
        'levelscope-lens',
        ...wasmTarget,
        ...denyWarnings,
      ]),
    ),
  },
  { name: 'crate on its own', groups: ['rust'], needs: ['rust tests'], run: made(crateAlone) },
  { name: 'real LevelDB', groups: ['rust'], needs: ['rust tests'], run: libraryTests },
  {
    name: 'slow Rust tests',
    groups: ['all'],
    needs: ['rust tests'],
    run: rustTests([...ofProduct, '--', '--ignored']),
  },
  {
    name: 'tests of bench/',
    groups: ['all'],
    needs: ['set-up'],
    run: rustTests(ofBench, { cwd: path('bench') }),
  },
  {
    name: 'package in Firefox',
    groups: ['all'],
    needs: ['npm package'],
    room: 1,
    run: packageInFirefox,
  },
  {
    name: 'suites elsewhere',
    groups: ['all'],
    needs: ['npm package'],
    room: 1,
    run: packageSuites,
  },
  { name: 'house rules', groups: ['web', 'quick'], needs: ['set-up'], run: houseRules },
  {
    name: 'biome',
    groups: ['web', 'quick'],
    needs: ['set-up'],
    run: check(() => node('@biomejs/biome', ['check', '.'], {}, 'biome')),
  },
  {
    name: 'types of the page',
    groups: ['web', 'quick'],
    needs: ['wasm build'],
    run: check(() => node('typescript', ['-p', 'web'], {}, 'tsc')),
  },
  {
    name: 'types of the tests',
    groups: ['web'],
    needs: ['wasm build'],
    run: check(() => node('typescript', ['-p', 'tests'], {}, 'tsc')),
  },
  {
    name: 'types of the package',
    groups: ['package'],
    needs: ['npm package'],
    run: check(() => node('typescript', ['-p', 'js', '--noEmit'], {}, 'tsc')),
  },
  {
    name: 'rust format',
    groups: ['rust', 'quick'],
    needs: ['set-up'],
    run: check(() => stream('cargo', ['fmt', '--all', '--check'])),
  },
];

function line({ name, passed, failed, ignored = 0, seconds }) {
  const mark = failed === 0 ? 'ok    ' : 'FAILED';
  const left = ignored === 0 ? '' : `, ${ignored} ignored`;
  return `  ${mark} ${name.padEnd(20)} ${String(passed).padStart(5)} passed ${String(failed).padStart(4)} failed${left}  (${seconds})`;
}

/** The failed tests by name, and those that passed only when they were run again: each is a bug of the page or of the test. */
function named(outcomes) {
  const list = (words, names) =>
    names.length === 0 ? '' : `\n${words}:\n${names.map((name) => `  ${name}\n`).join('')}`;
  const all = (field) => outcomes.flatMap((outcome) => outcome[field] ?? []);
  return list('Failed', all('failures')) + list('Passed only when run again', all('again'));
}

/** A clone that has compiled nothing yet compiles all; to keep what a later run could go on from would cost a sixth more. */
function compileAtOnce() {
  const target = process.env.CARGO_TARGET_DIR ?? path('target');
  if (!existsSync(`${target}/debug`)) process.env.CARGO_INCREMENTAL ??= '0';
}

async function main() {
  const wanted = words.filter((word) => !specs.includes(word));
  const known = new Set(stages.flatMap((stage) => stage.groups));
  const unknown = wanted.filter((group) => !known.has(group));
  if (unknown.length > 0)
    throw new Error(
      `There is no test group "${unknown.join('", "')}"; there are: ${[...known].join(', ')}.`,
    );
  compileAtOnce();
  if (isAll) process.env.LEVELSCOPE_EFFORT ??= '4';
  rmSync(path(results), { recursive: true, force: true });
  mkdirSync(path(results), { recursive: true });

  const usual = (group) => group !== 'quick' && (isAll || group !== 'all');
  const isAsked = wanted.length === 0 || isAll ? usual : (group) => wanted.includes(group);
  const asked = stages.filter(({ groups }) => groups.some(isAsked));
  const outcomes = await runStages(asked, WIDTH);
  const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
  const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0);
  printLine(
    `\n${outcomes.map(line).join('\n')}\n${named(outcomes)}\n${passed} passed, ${failed} failed`,
  );
  process.exitCode = failed === 0 ? 0 : 1;
}

main().catch((error) => {
  console.error(error.message ?? error);
  printLine('0 passed, 1 failed');
  process.exitCode = 1;
});
