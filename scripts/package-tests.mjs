// The tests of the npm package: abstract-level's suite in every runtime, use in Node, use in browsers, and the package as its
// users get it. Each resolves to the numbers of passed and failed tests.

import { existsSync } from 'node:fs';
import { path, printLine, stream } from './lib.mjs';
import { buildPrograms } from './native.mjs';

const test = (name) => path('js/tests', name);

/** The counts of a line `N passed, N failed`; a program without this line is one failure. */
function counted({ code, output }) {
  const [, passed = 0, failed = 0] = /^(\d+) passed, (\d+) failed$/m.exec(output) ?? [];
  const silent = Number(failed) === 0 && (code !== 0 || Number(passed) === 0);
  return { passed: Number(passed), failed: silent ? 1 : Number(failed) };
}

/** The counts of a runner of the Test Anything Protocol. */
function protocol({ code, output }) {
  const [, passed = 0] = /^# pass {1,2}(\d+)$/m.exec(output) ?? [];
  const [, failed = 0] = /^# fail {1,2}(\d+)$/m.exec(output) ?? [];
  const silent = Number(failed) === 0 && (code !== 0 || Number(passed) === 0);
  return { passed: Number(passed), failed: silent ? 1 : Number(failed) };
}

const sum = (outcomes) =>
  outcomes.reduce(
    (all, { passed, failed }) => ({ passed: all.passed + passed, failed: all.failed + failed }),
    { passed: 0, failed: 0 },
  );

/** Deno and Bun come as packages; which one fits the system is theirs to know. */
function otherRuntimes() {
  const deno = path('js/node_modules/deno/bin.cjs');
  const bun = ['bun-linux-x64', 'bun-linux-aarch64', 'bun-darwin-aarch64', 'bun-darwin-x64']
    .map((name) => path('js/node_modules/@oven', name, 'bin/bun'))
    .find((file) => existsSync(file));
  return [
    // `os.tmpdir` of the suite needs the environment; the package needs no more than files.
    {
      name: 'Deno',
      program: process.execPath,
      args: [deno, 'run', '--no-prompt', '--allow-read', '--allow-write', '--allow-env'],
      places: ['files'],
    },
    ...(bun === undefined
      ? []
      : [{ name: 'Bun', program: bun, args: ['run'], places: ['memory', 'files'] }]),
  ];
}

const inNode = { name: 'Node', program: process.execPath, args: [] };

/** The official suite of abstract-level in Node; its assertions are counted. */
export const packageSuite = () => suites([{ ...inNode, places: ['files'] }]);

/** The same suite in memory, with calls that block, in the other runtimes, and elsewhere in Chromium. */
export async function packageSuites() {
  return sum([
    await suites([{ ...inNode, places: ['memory', 'blocking'] }, ...otherRuntimes()]),
    await inBrowser('Chromium', 'suites', '--suite', 'worker'),
    await inBrowser('Chromium', 'suites', '--suite', 'memory'),
  ]);
}

async function suites(runtimes) {
  const outcomes = [];
  for (const { name, program, args, places } of runtimes) {
    for (const place of places) {
      const run = await stream(program, [...args, test('suite.mjs'), place], { quiet: true });
      const outcome = protocol(run);
      printLine(`${name}, ${place}: ${outcome.passed} assertions passed, ${outcome.failed} failed`);
      if (outcome.failed > 0)
        printLine(
          run.output
            .split(/^(?=not ok)/m)
            .slice(1, 4)
            .join(''),
        );
      outcomes.push(outcome);
    }
  }
  return sum(outcomes);
}

/** Programs in Node, also beside the native program. */
export async function packageInNode() {
  const env = { LEVELSCOPE_NATIVE: (await buildPrograms()).program };
  const args = ['--expose-gc', '--test', '--test-reporter=tap', path('js/tests/node/')];
  return protocol(await stream(process.execPath, args, { env }));
}

const inBrowser = async (browser, ...args) =>
  counted(await stream(process.execPath, [test('browser.mjs'), '--browser', browser, ...args]));

/** The suite on the main thread with files of the origin, tabs, quotas, deaths. */
export const packageInChromium = () => inBrowser('Chromium', '--suite', 'page');

/** The same, and the suite in a worker. */
export const packageInFirefox = () => inBrowser('Firefox');

/** Packed, installed, bundled; and the element that draws a database. */
export async function packageAsInstalled() {
  return sum([
    counted(await stream(process.execPath, [test('packed.mjs')])),
    counted(await stream(process.execPath, [test('view.mjs')])),
  ]);
}
