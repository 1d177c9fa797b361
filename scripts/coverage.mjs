// `node scripts/coverage.mjs [--last] [MODULE...]`: which lines of the engine its tests reach, as a table of modules; with names of
// modules also the lines that they do not reach. Fails below the bar. Uses the coverage of rustc and the tools of its LLVM.

import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { asScript, environment, path, probe, say, stream, targetDirectory, Unmet } from './lib.mjs';

/** Lines to be reached [%]: of modules in which an error that is handled wrongly loses data, and of the whole engine. */
const bar = { critical: 95, engine: 90 };
const critical = [/^wal\//, /^manifest\//, /^db\/open/, /^compaction\/retain/, /^job\//];

/** The directory of llvm-profdata and llvm-cov, installed when it is not there. */
function tools() {
  const sysroot = probe('rustc', ['--print', 'sysroot']).stdout.trim();
  const host = probe('rustc', ['-vV']).stdout.match(/^host: (.*)$/m)?.[1] ?? '';
  const bin = join(sysroot, 'lib', 'rustlib', host, 'bin');
  if (!probe(join(bin, 'llvm-cov'), ['--version']).ok) {
    say('Installing llvm-tools …');
    const added = probe('rustup', ['component', 'add', 'llvm-tools']);
    if (!added.ok) throw new Unmet(`rustup could not install llvm-tools:\n${added.output}`);
  }
  return bin;
}

/** Builds the tests with counters; the programs that were made. */
function build(target) {
  // Programs that rustc itself runs while it builds write counters too; these are deleted.
  const variables = {
    RUSTFLAGS: '-C instrument-coverage',
    CARGO_TARGET_DIR: target,
    LLVM_PROFILE_FILE: join(target, 'build.profraw'),
  };
  const { ok, stdout, output } = probe(
    'cargo',
    [
      'test',
      '--locked',
      '-p',
      'levelscope',
      '--all-features',
      '--no-run',
      '--message-format=json-render-diagnostics',
    ],
    { env: environment(variables) },
  );
  if (!ok) throw new Unmet(`The tests do not build:\n${output.replace(/^\{.*$/gm, '').trim()}`);
  const messages = stdout.split('\n').filter((line) => line.startsWith('{'));
  const made = messages.map((line) => JSON.parse(line).executable);
  return made.filter((file) => typeof file === 'string');
}

/** The line from which on a file holds unit tests only. */
function testsBegin(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  const at = lines.findIndex(
    (line, index) =>
      /^(pub\(crate\) )?mod tests \{/.test(line) && lines[index - 1] === '#[cfg(test)]',
  );
  return at < 0 ? Number.POSITIVE_INFINITY : at;
}

/** For each source file of the engine: how many lines could be reached, and which were not. */
function files(lcov) {
  const found = [];
  for (const section of lcov.split('end_of_record')) {
    const name = section.match(/^SF:(.*)$/m)?.[1];
    const file = name && relative(path('engine/src'), name);
    if (!file || file.startsWith('..') || /(^|\/)(tests|testing)(\.rs$|\/)/.test(file)) continue;
    const end = testsBegin(name);
    const lines = [...section.matchAll(/^DA:(\d+),(\d+)/gm)].map(([, line, hits]) => [
      +line,
      +hits,
    ]);
    const own = lines.filter(([line]) => line <= end);
    const missed = own.filter(([, hits]) => hits === 0).map(([line]) => line);
    found.push({ file, lines: own.length, missed });
  }
  return found.sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** 3-5, 9 */
function ranges(lines) {
  const out = [];
  for (const line of lines) {
    const last = out.at(-1);
    if (last && last[1] + 1 === line) last[1] = line;
    else out.push([line, line]);
  }
  return out.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}

function total(group) {
  const lines = group.reduce((sum, { lines }) => sum + lines, 0);
  const missed = group.reduce((sum, { missed }) => sum + missed.length, 0);
  return { lines, missed, percent: lines === 0 ? 100 : (100 * (lines - missed)) / lines };
}

function row(name, group) {
  const { lines, missed, percent } = total(group);
  return `  ${name.padEnd(24)} ${String(lines).padStart(6)} lines ${String(missed).padStart(5)} missed ${percent.toFixed(1).padStart(6)} %`;
}

async function main() {
  const last = process.argv.includes('--last');
  const wanted = process.argv.slice(2).filter((name) => name !== '--last');
  const bin = tools();
  const target = join(targetDirectory(), 'coverage');
  const profiles = join(target, 'profiles');
  say('Building the tests with counters …');
  const programs = build(target);
  let failed = false;
  if (!last) {
    rmSync(profiles, { recursive: true, force: true });
    mkdirSync(profiles, { recursive: true });
    for (const program of programs) {
      const env = { LLVM_PROFILE_FILE: join(profiles, '%p-%m.profraw') };
      const { code } = await stream(program, ['-q'], { env, cwd: path('engine') });
      failed ||= code !== 0;
    }
    if (failed) say('A test fails: see above. What it would have reached counts as missed.');
  }
  const raw = readdirSync(profiles).filter((name) => name.endsWith('.profraw'));
  const data = join(profiles, 'all.profdata');
  const merged = probe(join(bin, 'llvm-profdata'), [
    'merge',
    '-sparse',
    ...raw.map((name) => join(profiles, name)),
    '-o',
    data,
  ]);
  if (!merged.ok) throw new Unmet(`llvm-profdata: ${merged.output}`);
  const objects = programs.slice(1).flatMap((program) => ['-object', program]);
  const options = ['export', '-format=lcov', `-instr-profile=${data}`];
  const exported = probe(join(bin, 'llvm-cov'), [...options, programs[0], ...objects]);
  if (!exported.ok) throw new Unmet(`llvm-cov: ${exported.output}`);

  const all = files(exported.stdout);
  const isCritical = ({ file }) => critical.some((pattern) => pattern.test(file));
  const moduleOf = ({ file }) => (file.includes('/') ? file.slice(0, file.indexOf('/')) : file);
  say('\nLines of the engine that its tests reach');
  for (const name of new Set(all.map(moduleOf)))
    say(
      row(
        name,
        all.filter((file) => moduleOf(file) === name),
      ),
    );
  say('\nWhere an error that is handled wrongly loses data');
  for (const pattern of critical) {
    const group = all.filter(({ file }) => pattern.test(file));
    failed ||= total(group).percent < bar.critical;
    say(row(pattern.source.replace(/[\^\\]/g, ''), group));
  }
  for (const { file, missed } of all)
    if (
      missed.length > 0 &&
      (wanted.some((name) => file.startsWith(name)) ||
        (wanted.length === 0 && isCritical({ file })))
    )
      say(`  engine/src/${file}: ${ranges(missed)}`);
  failed ||= total(all).percent < bar.engine;
  say(
    `\n${row('engine', all)}\n  the bar: ${bar.critical} % of the modules above, ${bar.engine} % of the engine`,
  );
  if (failed) process.exitCode = 1;
}

asScript(import.meta.url, main);
