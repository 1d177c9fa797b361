// `node scripts/fuzz.mjs [DECODER...] [--seconds N]`: coverage-guided fuzzing (libFuzzer) of every decoder, beginning with fuzz/corpus.
// What it finds new lies in fuzz/found/; an input that breaks something is written to fuzz/found/crash-*: keep it in fuzz/corpus, where
// `cargo test` runs it from then on. Works with the stable compiler; needs a C++ compiler for libFuzzer itself.

import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { asScript, environment, path, probe, say, stream, targetDirectory, Unmet } from './lib.mjs';

/** What `cargo fuzz` passes, without the address sanitizer, which only the nightly compiler has: all code here is safe Rust. */
const coverage = [
  '-Cpasses=sancov-module',
  '-Cllvm-args=-sanitizer-coverage-level=4',
  '-Cllvm-args=-sanitizer-coverage-inline-8bit-counters',
  '-Cllvm-args=-sanitizer-coverage-pc-table',
  '-Cllvm-args=-sanitizer-coverage-trace-compares',
  '-Ccodegen-units=1',
];

export function decoders() {
  const sources = [
    'engine/src/testing/decode.rs',
    'formats/src/testing.rs',
    'foreign/src/testing.rs',
  ];
  const source = sources.map((name) => readFileSync(path(name), 'utf8')).join('\n');
  return [...source.matchAll(/Decoder \{ name: "(\w+)"/g)]
    .map(([, name]) => name)
    .concat('console', 'lesson');
}

/** Builds the one program that has every target. */
export function build() {
  const target = join(targetDirectory(), 'fuzz');
  const host = probe('rustc', ['-vV']).stdout.match(/^host: (.*)$/m)?.[1] ?? '';
  // With a target named, build scripts and macros are built without the counters.
  const args = [
    'build',
    '--locked',
    '--release',
    '--target',
    host,
    '--manifest-path',
    path('fuzz/Cargo.toml'),
  ];
  const env = environment({ RUSTFLAGS: coverage.join(' '), CARGO_TARGET_DIR: target });
  const { ok, output } = probe('cargo', args, { env });
  if (!ok) throw new Unmet(`The fuzz targets do not build:\n${output}`);
  return join(target, host, 'release', 'levelscope-fuzz');
}

/** Runs one decoder for some seconds; how often it ran, and what broke. */
export async function fuzz(program, decoder, seconds, seed) {
  const found = path('fuzz', 'found', decoder);
  mkdirSync(found, { recursive: true });
  const kept = path('fuzz', 'corpus', decoder);
  const corpora = [found, ...(existsSync(kept) ? [kept] : [])];
  const limits = ['-timeout=10', '-rss_limit_mb=1024', '-malloc_limit_mb=512', '-max_len=16384'];
  const args = [
    ...corpora,
    `-max_total_time=${seconds}`,
    `-seed=${seed}`,
    `-artifact_prefix=${found}-`,
    ...limits,
    '-print_final_stats=1',
  ];
  const env = { LEVELSCOPE_DECODER: decoder };
  const { code, output } = await stream(program, args, { env, quiet: true });
  const cases = Number(output.match(/stat::number_of_executed_units:\s*(\d+)/)?.[1] ?? 0);
  return { cases, violations: code === 0 ? 0 : 1, output };
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { seconds: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' } },
  });
  const wanted = positionals.length > 0 ? positionals : decoders();
  const unknown = wanted.filter((name) => !decoders().includes(name));
  if (unknown.length > 0)
    throw new Unmet(`no decoder ${unknown}; there are: ${decoders().join(', ')}`);
  say('Building the fuzz targets …');
  const program = build();
  for (const decoder of wanted) {
    const { cases, violations, output } = await fuzz(program, decoder, values.seconds, values.seed);
    if (violations > 0) {
      say(output);
      process.exitCode = 1;
    }
    say(
      `fuzz ${decoder}: ${cases} cases, ${violations} violations, seeds ${values.seed} to ${values.seed}`,
    );
  }
}

asScript(import.meta.url, main);
