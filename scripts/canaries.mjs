// `node scripts/canaries.mjs [NAME...]`: runs the tests with each deliberate fault of engine/src/canary.rs. Each must be found by the
// tier named here. One build has all of them asleep; a variable wakes one, so nothing is built twice.

import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import {
  asScript,
  environment,
  path,
  probe,
  say,
  since,
  stream,
  targetDirectory,
  Unmet,
} from './lib.mjs';

/** The tests of engine/tests/it that must find it. */
const tiers = {
  SkipDirectorySync: 'crash::',
  DropTombstoneEarly: 'model::',
  DropRangeTombstoneEarly: 'history::ranges',
  RangeTombstoneUncut: 'history::ranges',
  ReuseSequence: 'model::',
  InstallBeforeSync: 'crash::',
  RunsReversed: 'model::',
  FilterHash: 'model::',
  IgnoreSnapshots: 'model::',
  UpperBoundIncluded: 'model::',
  StaleMemtablePlace: 'live_reads::',
  DamageIsTornTail: 'corruption::',
  RetrySync: 'fault::',
  AcknowledgeEarly: 'crash::',
  TornTailIsDamage: 'crash::',
  WrongSlot: 'model::',
  DeleteInputsEarly: 'crash::',
  RestartOffByOne: 'model::',
  SkipChecksum: 'corruption::',
  TrustThePageCache: 'fuzz::',
  RelyOnLostName: 'fuzz::',
  CommitWithoutValidation: 'transactions::',
  CommitBlindInGroup: 'transactions::',
  FilterUnderSnapshots: 'filtering::',
  MomentWithoutView: 'filtering::',
};

const target = () => join(targetDirectory(), 'canary');

function build() {
  const args = [
    'test',
    '--locked',
    '-p',
    'levelscope',
    '--all-features',
    '--test',
    'it',
    '--no-run',
  ];
  const env = environment({
    RUSTFLAGS: '--cfg canary',
    CARGO_TARGET_DIR: target(),
    CARGO_INCREMENTAL: '0',
  });
  const { ok, stdout, output } = probe(
    'cargo',
    [...args, '--message-format=json-render-diagnostics'],
    { env },
  );
  if (!ok)
    throw new Unmet(
      `The tests do not build with --cfg canary:\n${output.replace(/^\{.*$/gm, '').trim()}`,
    );
  const messages = stdout.split('\n').filter((line) => line.startsWith('{'));
  const programs = messages.map((line) => JSON.parse(line).executable).filter(Boolean);
  return programs.at(-1);
}

function names() {
  const source = readFileSync(path('engine/src/canary.rs'), 'utf8');
  const body = source.slice(source.indexOf('enum Canary {'), source.indexOf('\n}'));
  return [...body.matchAll(/^ {4}(\w+),$/gm)].map(([, name]) => name);
}

/** The tests that fail with `name` awake. */
async function failures(program, name, tier) {
  const env = { LEVELSCOPE_CANARY: name, RUST_BACKTRACE: '0' };
  const args = [tier, '-q', '--test-threads=1'];
  const { code, output } = await stream(program, args, { env, cwd: path('engine'), quiet: true });
  const failed = output.slice(output.lastIndexOf('\nfailures:\n'));
  const tests = [...failed.matchAll(/^ {4}(\S+)$/gm)].map(([, test]) => test);
  return { failed: code !== 0, tests };
}

/** Runs every canary that is wanted; how many were not found. */
export async function canaries(wanted = []) {
  const start = performance.now();
  say('Building the tests with all canaries asleep …');
  const program = build();
  const all = names();
  const unknown = [...Object.keys(tiers), ...wanted].filter((name) => !all.includes(name));
  const homeless = all.filter((name) => !(name in tiers));
  if (unknown.length + homeless.length > 0)
    throw new Unmet(`No such canary, or none with a tier: ${[...unknown, ...homeless].join(', ')}`);
  const queue = wanted.length > 0 ? [...wanted] : all;
  const used = new Set(queue.map((name) => tiers[name]));
  for (const tier of used) {
    const asleep = await failures(program, 'none', tier);
    if (asleep.failed) throw new Unmet(`${tier} fails with all canaries asleep: ${asleep.tests}`);
  }
  const count = queue.length;
  let missed = 0;
  const work = async () => {
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
      const { failed, tests } = await failures(program, name, tiers[name]);
      if (!failed) missed += 1;
      say(
        `  ${failed ? 'found ' : 'MISSED'} ${name.padEnd(20)} ${tests.join(', ') || tiers[name]}`,
      );
    }
  };
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, work));
  say(`canaries: ${count} cases, ${missed} violations, seeds 0 to 0`);
  say(`${count - missed} of ${count} found in ${since(start)}`);
  return missed;
}

asScript(import.meta.url, async () => {
  if ((await canaries(process.argv.slice(2))) > 0) process.exitCode = 1;
});
