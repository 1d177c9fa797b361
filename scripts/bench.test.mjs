// Plans and reports of measurements, from made-up figures.

import assert from 'node:assert/strict';
import test from 'node:test';
import { plan } from '../bench/peers.mjs';
import { ratiosOf, report, summarize } from '../bench/report.mjs';
import { ratiosPicture } from './bench-chart.mjs';
import { figure, median, mediansOf, rate, turns, withSection } from './bench-document.mjs';

const PARTS = 'entriesPerBlock checksum compress decompress read logWrite logChecksum compressed';

/** Rounds of one workload, in which `own` and `other` took so many microseconds. */
const rowsOf = (times) =>
  Object.entries(times).flatMap(([engine, all]) =>
    all.map((micros, round) => ({
      workload: 'fillseq',
      engine,
      round: round + 1,
      perSecond: 1e6 / micros,
      perSecondSettled: 700_000,
      processMicros: micros,
      percentiles: [1, 2.5, 1234],
      writeAmplification: 2,
      diskPerData: 0.5,
      peakBytes: 2e7,
    })),
  );

/** A run in which each engine is half as fast as the one before it. */
function runOf(names, entries = 1_000_000) {
  const micros = names.map((name, at) => [name, [(1.25 * 2 ** at * entries) / 1e6]]);
  return {
    machine: { cores: 2, memory: 2 ** 34, disturbance: 0.3 },
    bounds: { sync: 80, ...Object.fromEntries(PARTS.split(' ').map((part) => [part, 0.1])) },
    settings: { entries, valueBytes: 100, cacheBytes: 2 ** 23, writeBufferBytes: 2 ** 22 },
    workloads: [{ name: 'fillseq', purpose: 'puts' }],
    engines: names.map((name) => ({
      ...{ name, title: name, version: '1', differs: '' },
      ...(name.startsWith('levelscope') ? {} : { beside: 'levelscope' }),
    })),
    rows: rowsOf(Object.fromEntries(micros)),
  };
}

test('figures have three digits that count', () => {
  assert.deepEqual([0.126, 9.999, 99.96, 328.4, 1234.5, Number.NaN].map(figure), [
    '0.13',
    '10.0',
    '100',
    '328',
    '1,235',
    '–',
  ]);
  assert.deepEqual([980, 38_000, 3_987_000].map(rate), ['0.98 k', '38.0 k', '3.99 M']);
  assert.equal(median([3, undefined, 1, 2]), 2);
});

test('rows are summed up by workload and engine, lists place by place', () => {
  const row = (pauses, perSecond) => ({ workload: 'w', engine: 'e', pauses, perSecond });
  const rows = [row([1, 9], 10), row([3, 7], 30), row([2, 8], undefined), { workload: 'x' }];
  assert.deepEqual(mediansOf(rows), [row([2, 8], 20), { workload: 'x' }]);
  assert.deepEqual(turns(['a', 'b', 'c'], 4), ['b', 'c', 'a']);
});

test('a section replaces its own text only', () => {
  const first = withSection('# Title', 'one', 'a');
  const both = withSection(first, 'two', 'b');
  assert.equal(withSection(both, 'one', 'c'), both.replace('\na\n', '\nc\n'));
  const [begin, end] = ['written by', 'end of'].map((is) => `<!-- ${is} scripts/bench.mjs one -->`);
  assert.ok(both.startsWith(`# Title\n\n${begin}\na\n${end}\n\n<!-- written`));
});

test('a read is preceded by the fill that it needs, and seeks begin with what the fill left', () => {
  const steps = (...wanted) => plan(wanted).map((chain) => chain.map((names) => names.join(' ')));
  assert.deepEqual(steps('readrandom/compacted'), [['fillrandom', 'compact readrandom/compacted']]);
  const both = ['fillrandom', 'seekcold seekrandom', 'readcold readmissing'];
  assert.deepEqual(steps('seekrandom', 'readmissing'), [both]);
  assert.deepEqual(steps('fillsync/4', 'deleteseq'), [['fillseq', 'deleteseq'], ['fillsync/4']]);
  assert.equal(plan([]).length, 7);
  assert.throws(() => plan(['readnothing']), /no workload readnothing; there are fillseq/);
});

test('a ratio swings by what leaving out one round changes', () => {
  const ratio = (own, other) =>
    ratiosOf(rowsOf({ levelscope: own, leveldb: other })).get('fillseq');
  const steady = ratio([1, 1.01, 0.99], [2, 2.02, 2.01]);
  assert.ok(Math.abs(steady.speed - 2.01) < 1e-9 && steady.swing < 0.05, `${steady.swing}`);
  assert.ok(ratio([1, 1.5, 0.7], [2, 2, 2]).swing > 0.05);
  assert.equal(ratio([1], [2]).swing, undefined, 'one round proves nothing');
});

test('the mapped form takes the place of the usual one', () => {
  const rows = rowsOf({ levelscope: [3], 'levelscope-mapped': [1], leveldb: [2] });
  assert.ok(Math.abs(ratiosOf(rows).get('fillseq').speed - 2) < 1e-9);
});

test('a report has speeds beside the bounds, and how costs grow', () => {
  const names = ['levelscope', 'leveldb'];
  const text = report(summarize([runOf(names), runOf(names, 3_000_000)]));
  assert.match(text, /\| fillseq \| \*\*800\*\* \| 400 \| 2\.00 \| 2\.00 \| – \| [\d.]+ \|/);
  assert.match(text, /\| fillseq \| 1\.0 \/ 1,234 \|/);
  assert.match(
    text,
    /From 1,000,000 to 3,000,000 entries[\s\S]*\| fillseq \| \*\*3\.00\*\* \| \*\*3\.00\*\*/,
  );
  assert.match(text, /\*\*It was not quiet\*\*/);
});

test('a summary stays as it is when it is summarized again', () => {
  const names = ['levelscope', 'leveldb'];
  const once = summarize([runOf(names), runOf(names, 3_000_000)]);
  assert.deepEqual(summarize(once), once);
  assert.ok(once.every(({ rows }) => rows.every((row) => !('round' in row))));
});

test('runs with mapped tables only have a report', () => {
  const text = report(summarize([runOf(['levelscope', 'levelscope-mapped', 'leveldb'])]));
  assert.match(text, /\| mapped ÷ the best other \|/);
  assert.doesNotMatch(text, /times the bound/);
});

test('a picture has a sign for each other engine, and ratios beyond its ends at an end', async () => {
  const run = { name: 'group', ...runOf(['levelscope', 'leveldb', 'rocksdb']) };
  const svg = await ratiosPicture({ title: 'a < b', ticks: [0.5, 1, 2], runs: [run] });
  assert.match(svg, /^<svg [^>]*aria-label="a &lt; b"/);
  assert.doesNotMatch(svg, /intrinsic/);
  assert.match(svg, /fillseq: 2\.00 times as fast as leveldb/);
  const atTheEnd = svg.matchAll(/translate\(770,108\)[^>]*><title>fillseq/g);
  assert.equal([...atTheEnd].length, 2, svg);
});
