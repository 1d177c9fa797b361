// Reports of measurements, from made-up figures.

import assert from 'node:assert/strict';
import test from 'node:test';
import { ratiosPicture } from './bench-chart.mjs';
import { figure, median, rate, withSection } from './bench-document.mjs';
import { report } from './bench-peers-report.mjs';

const PARTS = 'entriesPerBlock checksum compress decompress read logWrite logChecksum compressed';

/** A run in which each engine is half as fast as the one before it. */
function runOf(names, entries = 1_000_000) {
  const medians = names.map((engine, at) => ({
    workload: 'fillseq',
    purpose: 'puts',
    engine,
    perSecond: 800_000 / 2 ** at,
    perSecondSettled: 700_000,
    processMicros: (entries / 1e6) * 2 ** at,
    percentiles: [1, 2.5, 1234],
    writeAmplification: 2,
    diskPerData: 0.5,
    peakBytes: 2e7,
  }));
  return {
    machine: { cores: 2, memory: 2 ** 34, disturbance: 0.3 },
    bounds: { sync: 80, ...Object.fromEntries(PARTS.split(' ').map((part) => [part, 0.1])) },
    settings: { entries, valueBytes: 100, cacheBytes: 2 ** 23, writeBufferBytes: 2 ** 22 },
    engines: names.map((name) => ({ name, title: name, version: '1', differs: '' })),
    medians,
    ratios: [{ workload: 'fillseq', speed: 2, processor: 2, swing: null }],
    rows: [{ round: 1 }],
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

test('a section replaces its own text only', () => {
  const first = withSection('# Title', 'one', 'a');
  const both = withSection(first, 'two', 'b');
  assert.equal(withSection(both, 'one', 'c'), both.replace('\na\n', '\nc\n'));
  assert.match(both, /^# Title\n\n<!-- written by one -->\na\n<!-- end of one -->\n\n<!-- written/);
});

test('a report has speeds beside the bounds, and how costs grow', () => {
  const names = ['levelscope', 'leveldb'];
  const text = report([runOf(names), runOf(names, 3_000_000)]);
  assert.match(text, /\| fillseq \| \*\*800 k\*\* \| 400 k \| 2\.00 \| 2\.00 \| – \| [\d.]+ \|/);
  assert.match(text, /\| fillseq \| 1\.00 \/ 2\.50 \/ 1,234 \|/);
  assert.match(
    text,
    /1,000,000 → 3,000,000 entries[\s\S]*\| fillseq \| \*\*3\.00\*\* \| \*\*3\.00\*\*/,
  );
  assert.match(text, /\*\*It was not quiet\*\*/);
});

test('runs with mapped tables only have a report', () => {
  const text = report([runOf(['levelscope', 'levelscope-mapped', 'leveldb'])]);
  assert.match(text, /\| mapped ÷ the best other \|/);
  assert.doesNotMatch(text, /times the bound/);
});

test('a picture has a sign for each other engine, and ratios beyond its ends at an end', async () => {
  const run = runOf(['levelscope', 'leveldb', 'rocksdb']);
  const others = run.engines.slice(1);
  const svg = await ratiosPicture({
    title: 'a < b',
    others,
    ticks: [0.5, 1, 2],
    groups: [{ name: 'group', run, workloads: ['fillseq'] }],
  });
  assert.match(svg, /^<svg [^>]*aria-label="a &lt; b"/);
  assert.match(svg, /fillseq: 2\.00 times as fast as leveldb/);
  const atTheEnd = svg.matchAll(/translate\(770,108\)[^>]*><title>fillseq/g);
  assert.equal([...atTheEnd].length, 2, svg);
});
