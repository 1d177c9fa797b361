// The pictures of measurements: for each row, how many times as fast Levelscope is as others, on a logarithmic scale.
// Readable on light and dark pages.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ratio } from './bench-document.mjs';
import { path } from './lib.mjs';

const WIDTH = 860;
const ROW = 24;
const MARGIN = { marginLeft: 230, marginRight: 90, marginTop: 72, marginBottom: 52 };
const SYMBOLS = ['circle', 'square', 'diamond', 'triangle'];
const LIGHT = [
  '#1f2328',
  '#59636e',
  '#d1d9e0',
  '#ffffff',
  '#0969da',
  '#bc4c00',
  '#1a7f37',
  '#8250df',
];
const DARK = [
  '#e6edf3',
  '#9198a1',
  '#3d444d',
  '#0d1117',
  '#58a6ff',
  '#f0883e',
  '#3fb950',
  '#bc8cff',
];
const NAMES = ['text', 'dim', 'grid', 'back', 'other0', 'other1', 'other2', 'other3'];

const variables = (colours) =>
  `:root { ${NAMES.map((name, at) => `--${name}: ${colours[at]}`).join('; ')} }`;
const STYLE = `${variables(LIGHT)} @media (prefers-color-scheme: dark) { ${variables(DARK)} }`;

/** The marks of `rows` on the scale of `ticks`. */
function marksOf(Plot, { title, noteTitle = '', others, ticks, rows }) {
  const ends = [ticks[0], ticks.at(-1)];
  const lines = rows.map((row, line) => ({ line, ...row }));
  const points = lines.flatMap(({ line, name, ratios = {} }) =>
    others
      .filter((other) => ratios[other.name] > 0)
      .map((other) => ({ line, name, other, times: ratios[other.name] })),
  );
  const place = (at) => ends[0] * (ends[1] / ends[0]) ** (at / others.length);
  const legend = { x: (_, at) => place(at), frameAnchor: 'top', dy: -22 };
  const sign = { fill: (other) => other.name, symbol: (other) => other.name, stroke: null, r: 5.5 };
  const heads = lines.filter(({ ratios }) => ratios === undefined);
  const named = lines.filter(({ ratios }) => ratios !== undefined);
  const left = { y: 'line', text: 'name', frameAnchor: 'left', dx: -14, textAnchor: 'end' };
  return [
    Plot.ruleX(ticks, { stroke: (tick) => (tick === 1 ? 'var(--dim)' : 'var(--grid)') }),
    Plot.ruleY(named, { y: 'line', stroke: 'var(--grid)' }),
    Plot.axisX({ ticks, tickFormat: String, tickSize: 0, color: 'var(--dim)', label: null }),
    Plot.text(['← slower'], { frameAnchor: 'bottom-left', dy: 42, fill: 'var(--dim)' }),
    Plot.text(['faster →'], { frameAnchor: 'bottom-right', dy: 42, fill: 'var(--dim)' }),
    Plot.text([title], { frameAnchor: 'top-left', dy: -62, fontWeight: 600, fontSize: 15 }),
    Plot.dot(others, { ...legend, ...sign, dx: 6 }),
    Plot.text(others, {
      ...legend,
      text: 'title',
      dx: 18,
      textAnchor: 'start',
      lineAnchor: 'middle',
    }),
    Plot.text([noteTitle], {
      frameAnchor: 'top-right',
      dx: 14,
      dy: -22,
      textAnchor: 'start',
      lineAnchor: 'middle',
      fill: 'var(--dim)',
    }),
    Plot.text(heads, { ...left, fontWeight: 600, fontSize: 15 }),
    Plot.text(named, left),
    Plot.text(named, { ...left, text: 'note', frameAnchor: 'right', dx: 14, textAnchor: 'start' }),
    Plot.dot(points, {
      ...sign,
      fill: ({ other }) => other.name,
      symbol: ({ other }) => other.name,
      x: 'times',
      y: 'line',
      title: ({ name, other, times }) => `${name}: ${ratio(times)} times as fast as ${other.title}`,
    }),
  ];
}

/**
 * Draws into `file`. `others` have a name and a title, at most four; `rows` a name, `ratios` by the names of the others (none: it is a heading),
 * and a note at the right, below `noteTitle`. Ratios beyond the `ticks` are drawn at an end.
 */
export async function drawRatios(file, picture) {
  const { title, others, ticks, rows } = picture;
  const [Plot, { JSDOM }] = await Promise.all([import('@observablehq/plot'), import('jsdom')]);
  const { document, XMLSerializer } = new JSDOM('').window;
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
    marks: marksOf(Plot, picture),
  });
  svg.setAttribute('role', 'img');
  const style = svg.insertBefore(
    document.createElementNS(svg.namespaceURI, 'style'),
    svg.firstChild,
  );
  style.textContent = STYLE;
  mkdirSync(dirname(path(file)), { recursive: true });
  writeFileSync(path(file), `${new XMLSerializer().serializeToString(svg)}\n`);
}
