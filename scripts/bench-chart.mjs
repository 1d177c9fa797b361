// The pictures of measurements: for each workload, how many times as fast Levelscope is as others, on a logarithmic scale.
// Readable on light and dark pages.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { figure, othersOf, timesAsFast, workloadsOf } from './bench-document.mjs';
import { path } from './lib.mjs';

const WIDTH = 860;
const ROW = 24;
const MARGIN = { marginLeft: 230, marginRight: 90, marginTop: 72, marginBottom: 52 };
const SYMBOLS = ['circle', 'square', 'diamond', 'triangle'];
const STYLE = `:root {
  --text: #1f2328; --dim: #59636e; --grid: #d1d9e0; --back: #ffffff;
  --other0: #0969da; --other1: #bc4c00; --other2: #1a7f37; --other3: #8250df }
@media (prefers-color-scheme: dark) { :root {
  --text: #e6edf3; --dim: #9198a1; --grid: #3d444d; --back: #0d1117;
  --other0: #58a6ff; --other1: #f0883e; --other2: #3fb950; --other3: #bc8cff } }`;
const HEAD = { fontWeight: 600, fontSize: 15 };
const DIM = { fill: 'var(--dim)' };
const START = { textAnchor: 'start', lineAnchor: 'middle' };

/** The marks of `rows` on the scale of `ticks`; a row without a run is a heading. */
function marksOf(Plot, { title, noteTitle = '', others, ticks }, rows) {
  const lines = rows.map((row, line) => ({ line, ...row }));
  const [heads, named] = [false, true].map((is) => lines.filter(({ run }) => is === Boolean(run)));
  const points = named.flatMap(({ line, name, run }) =>
    others
      .map((other) => ({ line, name, other, times: timesAsFast(run, name, other) }))
      .filter(({ times }) => times > 0),
  );
  const place = (_, at) => ticks[0] * (ticks.at(-1) / ticks[0]) ** (at / others.length);
  const legend = { x: place, frameAnchor: 'top', dy: -22 };
  const sign = (name) => ({ fill: name, symbol: name, stroke: null, r: 5.5 });
  const left = { y: 'line', text: 'name', frameAnchor: 'left', dx: -14, textAnchor: 'end' };
  const right = { frameAnchor: 'right', dx: 14, ...START };
  return [
    Plot.ruleY(named, { y: 'line', stroke: 'var(--grid)' }),
    Plot.ruleX(ticks, { stroke: 'var(--grid)' }),
    Plot.ruleX([1], { stroke: 'var(--dim)', strokeWidth: 1.5 }),
    Plot.axisX({ ticks, tickFormat: String, tickSize: 0, color: 'var(--dim)', label: null }),
    Plot.text(['← slower'], { frameAnchor: 'bottom-left', dy: 42, ...DIM }),
    Plot.text(['faster →'], { frameAnchor: 'bottom-right', dy: 42, ...DIM }),
    Plot.text([title], { frameAnchor: 'top-left', dy: -62, ...HEAD }),
    Plot.dot(others, { ...legend, ...sign('name'), dx: 6 }),
    Plot.text(others, { ...legend, text: 'title', dx: 18, ...START }),
    Plot.text([noteTitle], { ...right, frameAnchor: 'top-right', dy: -22, ...DIM }),
    Plot.text(heads, { ...left, ...HEAD }),
    Plot.text(named, left),
    Plot.text(named, { ...right, y: 'line', text: 'note' }),
    Plot.dot(points, {
      ...sign(({ other }) => other.name),
      x: 'times',
      y: 'line',
      title: ({ name, other, times }) =>
        `${name}: ${figure(times)} times as fast as ${other.title}`,
    }),
  ];
}

/**
 * The picture of `runs` as SVG, which have at most four other engines, and perhaps a `name` each. `note` returns the text at the right of
 * each workload, below `noteTitle`. Ratios beyond the `ticks` are drawn at an end.
 */
export async function ratiosPicture(picture) {
  const [Plot, { JSDOM }] = await Promise.all([import('@observablehq/plot'), import('jsdom')]);
  const { document, XMLSerializer } = new JSDOM('').window;
  const { title, runs, ticks, note } = picture;
  const rows = runs.flatMap((run) => [
    ...(run.name === undefined ? [] : [{ name: run.name }]),
    ...workloadsOf(run).map((name) => ({ name, run, note: note?.(name) })),
  ]);
  const others = [...new Map(runs.flatMap(othersOf).map((other) => [other.name, other])).values()];
  const names = others.map(({ name }) => name);
  const svg = Plot.plot({
    document,
    width: WIDTH,
    height: MARGIN.marginTop + rows.length * ROW + MARGIN.marginBottom,
    ...MARGIN,
    style: { color: 'var(--text)', background: 'var(--back)', fontSize: '13px' },
    x: { type: 'log', domain: [ticks[0], ticks.at(-1)], clamp: true },
    y: { type: 'point', domain: rows.map((_, line) => line), axis: null, padding: 0.5 },
    color: { domain: names, range: names.map((_, at) => `var(--other${at})`) },
    symbol: { domain: names, range: SYMBOLS.slice(0, names.length) },
    ariaLabel: title,
    marks: marksOf(Plot, { ...picture, others }, rows),
  });
  svg.setAttribute('role', 'img');
  // Plot sets the height twice, for browsers that know one of two ways; the second one is no value of CSS.
  for (const own of svg.querySelectorAll('style')) {
    own.textContent = own.textContent.replace(/\s*height: intrinsic;/, '');
  }
  const style = document.createElementNS(svg.namespaceURI, 'style');
  style.textContent = STYLE;
  svg.prepend(style);
  return `${new XMLSerializer().serializeToString(svg)}\n`;
}

/** Draws into `file`. */
export async function drawRatios(file, picture) {
  mkdirSync(dirname(path(file)), { recursive: true });
  writeFileSync(path(file), await ratiosPicture(picture));
}
