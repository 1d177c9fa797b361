// `npm run soak -- --minutes 30 [--seed N] [--canaries] [--decoders] [--engines] [--only NAME]`: every random test of the engine for as long as asked, on seeds
// that no commit runs. `--decoders` adds half that time of libFuzzer, `--engines` a tenth of it of damaged directories that the real LevelDB and RocksDB open. One line for each technique, a total, and for each violation how to see it again. Fails when there is one.

import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { canaries } from './canaries.mjs';
import * as libfuzzer from './fuzz.mjs';
import { compareVerdicts } from './leveldb.mjs';
import { asScript, path, probe, say, since, stream, Unmet } from './lib.mjs';

/** A test by its program and name, and its share of the time. */
const techniques = [
  { test: 'crash::every_crash_image_recovers_a_promised_state', share: 4 },
  { test: 'crash::every_crash_during_recovery_recovers_the_same', share: 3 },
  { test: 'fault::every_operation_may_fail', share: 3 },
  { test: 'fault::a_full_disk_keeps_everything_that_was_acknowledged', share: 1 },
  { test: 'fault::writes_become_durable_in_the_documented_order', share: 1 },
  { test: 'fault::a_host_that_opens_files_later_gets_the_same_database', share: 1 },
  { test: 'hosted::a_late_host_gets_the_same_events_and_bytes', share: 1 },
  { test: 'corruption::flipped_bytes_never_give_wrong_answers', share: 3 },
  { test: 'corruption::cut_tables_and_manifests_never_give_wrong_answers', share: 1 },
  { test: 'checking::a_sound_database_has_no_errors_open_or_not', share: 1 },
  { test: 'checking::every_flipped_byte_is_found_in_its_file', share: 1 },
  { test: 'repairing::what_is_not_damaged_is_the_same_afterwards', share: 1 },
  { test: 'repairing::a_flipped_byte_costs_its_block_or_the_rest_of_its_log', share: 1 },
  { test: 'repairing::many_kinds_of_damage_at_once', share: 2 },
  { test: 'model::random_scripts_match_the_model', share: 2 },
  { test: 'model::step_budgets_do_not_change_the_bytes', share: 1 },
  { test: 'model::threads_agree_with_the_model', share: 2 },
  { test: 'fuzz::random_sequences_with_every_kind_of_trouble', share: 6 },
  { test: 'fuzz::metamorphic::options_never_change_an_answer', share: 3 },
  { test: 'determinism::the_same_script_gives_the_same_bytes_and_events', share: 1 },
  { test: 'determinism::listening_changes_nothing', share: 1 },
  { test: 'decoders::decoders_take_anything', share: 4 },
  { program: 'formats', test: 'decoders::formats_take_anything', share: 1 },
  { program: 'formats', test: 'random::tables_of_any_entries', share: 1 },
  { program: 'formats', test: 'random::memtables_of_any_writes', share: 1 },
  { program: 'formats', test: 'random::logs_of_any_writes', share: 1 },
  { program: 'formats', test: 'random::versions_at_any_time', share: 1 },
  { program: 'formats', test: 'damage::files_cut_anywhere_and_with_any_bit_flipped', share: 1 },
  { program: 'formats', test: 'damage::a_checksum_lets_nothing_wrong_through', share: 1 },
  { program: 'formats', test: 'damage::what_is_left_of_a_cut_file_is_as_it_was', share: 1 },
  { program: 'formats', test: 'damage::random_bytes_are_no_format_for_certain', share: 1 },
  { test: 'schedules::threads_meet_in_every_order', share: 3 },
  { test: 'live_reads::every_walk_beside_writers_agrees_with_its_moment', share: 2 },
  { test: 'live_reads::the_last_entry_of_a_prefix_is_the_last_one_acknowledged', share: 1 },
  { test: 'live_reads::serializable_appends_overwrite_nothing', share: 1 },
  { test: 'threads_crash::a_crash_under_threads_keeps_what_every_writer_was_promised', share: 2 },
  { test: 'threads_crash::a_failure_under_threads_loses_nothing_that_was_promised', share: 2 },
  { test: 'model::every_bound_prefix_and_direction_matches_the_model', share: 1 },
  { test: 'history::compaction::the_first_place_that_has_a_key_has_its_newest_version', share: 1 },
  { test: 'roll::every_crash_image_of_a_roll_recovers_a_promised_state', share: 1 },
  { test: 'roll::every_operation_of_a_roll_may_fail', share: 1 },
  { test: 'missing_log::no_history_hides_a_missing_log', share: 1 },
  { test: 'reading::a_reader_sees_everything_and_changes_nothing', share: 1 },
  { test: 'reading::a_reader_of_a_crash_image_sees_what_recovery_sees', share: 1 },
  { test: 'gate::after_any_failed_sync_what_was_acknowledged_is_there', share: 1 },
  { test: 'strategies::a_database_goes_on_under_another_strategy', share: 1 },
  { test: 'group::groups_of_all_sizes_keep_each_batch_whole_and_in_order', share: 1 },
  { test: 'buffered::the_death_of_the_machine_leaves_a_prefix_with_everything_synced', share: 1 },
  { program: 'kills', test: 'what_a_killed_process_acknowledged_is_there', share: 3 },
];

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

/** What a test printed of its techniques: name, cases, violations, first and last seed. */
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
  const told = found.some(({ violations }) => violations > 0);
  if (found.length === 0 || (code !== 0 && !told)) {
    // It ended before it could say which seed: it was killed, or there is no such test.
    found.push({ name: test, cases: 0, violations: 1, from: first, to: first });
  }
  if (code !== 0) say(`\n${output.trimEnd()}\n`);
  for (const { name, cases, violations, from, to } of found) {
    const mark = violations === 0 ? 'ok    ' : 'FAILED';
    say(
      `  ${mark} ${name.padEnd(26)} ${String(cases).padStart(9)} cases ${String(violations).padStart(3)} violations, seeds ${from} to ${to}`,
    );
    if (violations > 0)
      say(
        `         LEVELSCOPE_SEED=${to} cargo test -p ${owner} --all-features --test ${program} ${test}`,
      );
  }
  return found;
}

/** Every decoder under libFuzzer, for `seconds` in all. */
async function decoders(seconds, seed) {
  say('Building the fuzz targets …');
  const program = libfuzzer.build();
  const names = libfuzzer.decoders();
  const each = Math.max(1, Math.round(seconds / names.length));
  const found = [];
  for (const name of names) {
    // Its seeds are 32 bits wide.
    const { cases, violations, output } = await libfuzzer.fuzz(
      program,
      name,
      each,
      1 + (seed % 2 ** 31),
    );
    if (violations > 0) say(`\n${output.trimEnd()}\n`);
    const mark = violations === 0 ? 'ok    ' : 'FAILED';
    say(
      `  ${mark} ${`decoder ${name}`.padEnd(26)} ${String(cases).padStart(9)} cases ${String(violations).padStart(3)} violations`,
    );
    found.push({ cases, violations });
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
      decoders: { type: 'boolean', default: false },
      engines: { type: 'boolean', default: false },
    },
  });
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) throw new Unmet('--minutes takes a number above 0');
  const first = values.seed === undefined ? randomInt(1_000, 2 ** 40) : Number(values.seed);
  if (!Number.isSafeInteger(first) || first < 0) throw new Unmet('--seed takes a whole number');
  const wanted = techniques.filter(({ test }) => test.includes(values.only ?? ''));
  if (wanted.length === 0) throw new Unmet(`no technique has ${values.only} in its name`);

  say('Building the tests …');
  const programs = build();
  const workers = Math.min(availableParallelism(), wanted.length);
  const shares = wanted.reduce((sum, { share }) => sum + share, 0);
  const start = performance.now();
  say(`${minutes} minutes on seeds from ${first}, ${workers} at a time`);
  const queue = [...wanted];
  const all = [];
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const seconds = Math.max(1, Math.round((minutes * 60 * workers * next.share) / shares));
      all.push(...(await run(next, programs, seconds, first)));
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  if (values.decoders) all.push(...(await decoders((minutes * 60) / 2, first)));
  if (values.engines) all.push(...(await engines((minutes * 60) / 10, first)));
  const missed = values.canaries ? await canaries() : 0;
  const cases = all.reduce((sum, { cases }) => sum + cases, 0);
  const violations = all.reduce((sum, { violations }) => sum + violations, missed);
  say(
    `\n${cases} cases, ${violations} violations in ${since(start)}; the same seeds again: npm run soak -- --minutes ${minutes} --seed ${first}`,
  );
  if (violations > 0) process.exitCode = 1;
}

asScript(import.meta.url, main);
