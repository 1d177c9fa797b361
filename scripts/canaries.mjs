// `node scripts/canaries.mjs [NAME...]`: runs the tests with each deliberate fault of engine/tests/canaries.json, in a copy of the
// sources. Each must be found by the tier of engine/tests/it named there. A minute or two for each.

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  asScript,
  environment,
  path,
  printLine,
  probe,
  since,
  stream,
  targetDirectory,
  Unmet,
} from './lib.mjs';

const copy = () => join(targetDirectory(), 'canaries');

/** Copies the sources; the build of an earlier run stays. */
function copySources() {
  const { stdout } = probe('git', ['ls-files', '-z'], { cwd: path() });
  const isNeeded = (name) => /\.(rs|toml|lock|json|md)$|^(engine|fuzz|lessons)\//.test(name);
  for (const name of stdout.split('\0').filter((name) => name !== '' && isNeeded(name))) {
    mkdirSync(dirname(join(copy(), name)), { recursive: true });
    cpSync(path(name), join(copy(), name), { preserveTimestamps: true });
  }
}

/** The tests of a tier that fail; `null`: the sources do not build. */
async function failures(tier) {
  const env = environment({ CARGO_TARGET_DIR: join(copy(), 'target'), RUST_BACKTRACE: '0' });
  const options = { env, cwd: copy(), quiet: true };
  const build = ['test', '--locked', '-p', 'levelscope', '--all-features', '--test', 'it'];
  const built = await stream('cargo', [...build, '--no-run'], options);
  if (built.code !== 0) return null;
  const { code, output } = await stream('cargo', [...build, '--', tier, '-q'], options);
  const failed = output.slice(output.lastIndexOf('\nfailures:\n'));
  const tests = [...failed.matchAll(/^ {4}(\S+)$/gm)].map(([, test]) => test);
  return code === 0 ? [] : tests.length > 0 ? tests : [tier];
}

/** Makes the edits of a fault; a function that takes them back. */
function wake({ name, edits }) {
  const whole = edits.map(({ file }) => [join(copy(), file), readFileSync(path(file), 'utf8')]);
  edits.forEach(({ from, to }, at) => {
    const [file, text] = whole[at];
    if (text.split(from).length !== 2)
      throw new Unmet(`${name}: its text is not once in ${edits[at].file}; change canaries.json.`);
    writeFileSync(
      file,
      text.replace(from, () => to),
    );
  });
  return () => {
    for (const [file, text] of whole) writeFileSync(file, text);
  };
}

/** Runs every canary that is wanted; how many were not found. */
export async function canaries(wanted = []) {
  const start = performance.now();
  const all = JSON.parse(readFileSync(path('engine/tests/canaries.json'), 'utf8'));
  const unknown = wanted.filter((name) => !all.some((canary) => canary.name === name));
  if (unknown.length > 0) throw new Unmet(`No such canary: ${unknown.join(', ')}`);
  const queue = all.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  rmSync(join(copy(), 'engine'), { recursive: true, force: true });
  copySources();
  for (const tier of new Set(queue.map(({ tier }) => tier))) {
    const failed = await failures(tier);
    if (failed === null || failed.length > 0)
      throw new Unmet(`${tier} fails without any fault: ${failed ?? 'it does not build'}`);
  }
  let missed = 0;
  for (const canary of queue) {
    const sleep = wake(canary);
    const failed = await failures(canary.tier);
    sleep();
    if (failed === null)
      throw new Unmet(`${canary.name}: with its edits the engine does not build.`);
    if (failed.length === 0) missed += 1;
    printLine(
      `  ${failed.length > 0 ? 'found ' : 'MISSED'} ${canary.name.padEnd(24)} ${failed.join(', ')}`,
    );
  }
  printLine(`canaries: ${queue.length} cases, ${missed} violations, seeds 0 to 0`);
  printLine(`${queue.length - missed} of ${queue.length} found in ${since(start)}`);
  return missed;
}

asScript(import.meta.url, async () => {
  if ((await canaries(process.argv.slice(2))) > 0) process.exitCode = 1;
});
