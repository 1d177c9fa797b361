import './Drawing.css';

import * as Plot from '@observablehq/plot';
import { useEffect, useEffectEvent, useRef } from 'react';
import { SavePicture } from '../shared/SavePicture';
import { useSize } from '../shared/useSize';
import type { ChartAxis, ChartMark, ChartPicture } from './scene';

interface Props {
  picture: ChartPicture;
  /** Name of its file, without its ending. */
  name: string;
  /** The place on show, which has a line, and the value there. */
  now?: { x: number; text: string };
  /** Called with the place of the point that was pressed. */
  onPick?: ((x: number) => void) | undefined;
}

const FIRST_SIZE = { width: 560, height: 1 };
const SIZE_MIN = { width: 240, height: 0 };
const HEIGHT = 300;
/** Room above the picture for the names of its series, and for a number above the highest bar [px]. */
const LEGEND_H = 56;
/** Room above a low picture without names [px]. */
const TOP = { stairs: 22, areas: 22, stacked: 22, rows: 2, spans: 2, lines: 0, bars: 0 };
/** Numbers on the upright axis, which ends with one of them. */
const TICKS = 6;
const COLOURS = [
  'var(--l1)',
  'var(--wal)',
  'var(--mem)',
  'var(--bloom)',
  'var(--l0)',
  'var(--meta)',
  'var(--fresh)',
];
/** Stairs differ in colour, dash and points. */
const DASHES = ['', '9 4', '2 4', '12 4 2 4', '5 2'];
const SYMBOLS = ['circle', 'square', 'diamond2', 'triangle2', 'star'] as const;
const SIGNS = ['●', '■', '◆', '▲', '★'];
/** Between two stairs with the same value [px]: neither hides the other. */
const ASIDE = 3;
/** Points of stairs that are drawn. */
const POINTS_MAX = 60;
/** About as wide as a letter of the legend [px]. */
const LETTER = 7.4;
/** Letters of the name of a row. */
const NAME_MAX = 30;
const WORDS = { fill: 'currentColor', stroke: 'var(--panel)', strokeWidth: 4 } as const;

/** A chart; its figures are in a table beside it. */
export function Drawing({ picture, name, now, onPick }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const { width } = useSize(host, FIRST_SIZE, SIZE_MIN);
  const saved = useRef<SVGSVGElement | null>(null);
  const cursor = useRef<(x: number) => void>(() => undefined);
  const pick = useEffectEvent((x: number) => onPick?.(x));
  useEffect(() => {
    const { svg, placeOf, top, bottom } = draw(picture, width);
    // The figure has a name and the table has the values, so a screen reader needs no names of single strokes.
    for (const part of svg.querySelectorAll('[aria-label]')) part.removeAttribute('aria-label');
    svg.addEventListener('click', () => {
      const near: ChartMark | null = svg.value;
      if (typeof near?.x === 'number') pick(near.x);
    });
    host.current?.replaceChildren(svg);
    saved.current = svg;
    const line = document.createElementNS(svg.namespaceURI ?? '', 'path');
    // Below the words under the pointer.
    svg.insertBefore(line, svg.lastElementChild);
    line.setAttribute('class', 'cursor');
    cursor.current = (x) => line.setAttribute('d', `M${placeOf(x)} ${top}V${bottom}`);
  }, [picture, width]);
  const place = now?.x;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new picture has a new line
  useEffect(() => {
    if (place !== undefined) cursor.current(place);
  }, [place, picture, width]);
  return (
    <figure className="drawing">
      <figcaption className="in-row">
        {picture.title}
        {now && <span className="now">{now.text}</span>}
        <span className="tools rigid">
          <SavePicture picture={saved} name={name} />
        </span>
      </figcaption>
      <div
        ref={host}
        className={onPick ? 'drawing-host picks' : 'drawing-host'}
        role="img"
        aria-label={now ? `${picture.title}: ${now.text}` : spoken(picture)}
      />
    </figure>
  );
}

function spoken({ title, series, marks }: ChartPicture): string {
  const names = series.filter((name) => name !== '').join(', ');
  return marks.length > 0
    ? `${title}: ${names}. The table below has its figures.`
    : `${title}: nothing to draw.`;
}

/** The picture; where a number of its axis from left to right stands in it, and where marks begin and end [px]. */
function draw(picture: ChartPicture, width: number) {
  const { kind, series, y, height = HEIGHT } = picture;
  const top =
    picture.height === undefined || (series.length > 1 && kind !== 'spans') ? LEGEND_H : TOP[kind];
  const shared: Plot.PlotOptions = {
    width,
    height: height + top,
    marginTop: top,
    marginLeft: 72,
    marginRight: 24,
    marginBottom: picture.height === undefined ? 56 : kind === 'rows' ? 0 : 28,
    style: { fontSize: '13px', fontFamily: 'var(--sans)', background: 'none', overflow: 'visible' },
    color: { domain: series, range: coloursOf(picture) },
    y: { label: y.label === '' ? null : y.label, grid: true, ...scaleOf(picture) },
  };
  const marks = [...names(picture, width, top), ...STROKES[kind](picture, width)];
  // Only with a legend of its own a plot is a figure; without, it is the picture itself.
  const svg = Plot.plot({ ...shared, ...axis(picture), marks }) as SVGSVGElement & Plot.Plot;
  return {
    svg,
    placeOf: (x: number): number => svg.scale('x')?.apply(x) ?? 0,
    top,
    bottom: height + top - Number(shared.marginBottom),
  };
}

function coloursOf({ colours = COLOURS, series }: ChartPicture): string[] {
  return series.map((_, index) => colours[index % colours.length] ?? 'currentColor');
}

function scaleOf({ y, marks }: ChartPicture): Plot.ScaleOptions {
  if (y.ticks) return placed(y);
  if (y.isLogarithmic) return logarithmic(marks.map(({ value }) => value));
  return { nice: TICKS, ticks: TICKS, zero: true };
}

/** A scale from its first tick to its last one. */
function placed({ ticks = [], textOf = String }: ChartPicture['x']) {
  const texts = ticks.map(textOf);
  // No text twice.
  const shown = ticks.filter((_, index) => texts.indexOf(texts[index] ?? '') === index);
  const domain = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  return { domain, ticks: shown, tickFormat: textOf };
}

function axis({ kind, x, marks, series }: ChartPicture): Plot.PlotOptions {
  const label = x.label === '' ? null : x.label;
  const domain = [...new Set(marks.map(({ x }) => x))];
  const words = { label, domain, tickFormat: x.textOf ?? inLines };
  const long = Math.max(...domain.map((place) => words.tickFormat(place as never).length), 0);
  const marginLeft = Math.max(72, Math.min(long, NAME_MAX) * LETTER + 24);
  switch (kind) {
    case 'rows': {
      const most = { axis: null, domain: [0, x.ticks?.at(-1) ?? 1] };
      const marginRight = 24 + LETTER * Math.max(...marks.map(({ text }) => text.length));
      return { x: most, y: { ...words, grid: false, tickSize: 0 }, marginLeft, marginRight };
    }
    case 'spans':
      return {
        x: { label, ...placed(x) },
        y: { label: null, domain: series, tickSize: 0 },
        marginRight: 48,
      };
    case 'areas':
    case 'stairs':
      return { x: { label, ...placed(x) }, marginRight: 48 };
    case 'bars':
      return { fx: { ...words, padding: 0.2 }, x: { axis: null, domain: series } };
  }
  if (x.ticks) return { x: { ...words, ticks: x.ticks, type: 'band' } };
  if (!x.isOfNumbers) return { x: { ...words, type: kind === 'stacked' ? 'band' : 'point' } };
  if (!x.isLogarithmic) return { x: { label, nice: true, ticks: 6 } };
  return { x: { label, ...logarithmic(marks.map(({ x }) => Number(x))) } };
}

/** A place of an axis that is words, in as many lines as keep it narrow. */
function inLines(place: string | number): string {
  return String(place).replace(/(-|, )/g, '$1\n');
}

type Strokes = (picture: ChartPicture, width: number) => Plot.Markish[];

const STROKES: Readonly<Record<ChartPicture['kind'], Strokes>> = {
  lines,
  stairs,
  areas,
  bars,
  stacked,
  rows,
  spans,
};

function stacked({ marks, series, x }: ChartPicture): Plot.Markish[] {
  const order = [...series];
  return [
    Plot.barY(marks, {
      x: 'x',
      y: 'value',
      fill: 'series',
      order,
      title: titleOf(x),
    }),
    Plot.ruleY([0]),
  ];
}

function rows({ marks, series }: ChartPicture): Plot.Markish[] {
  const bar = {
    y: 'x',
    x: 'value',
    z: 'series',
    order: [...series],
    title: 'text',
    insetTop: 4,
    insetBottom: 4,
  };
  const missing = marks.filter(({ isMissing }) => isMissing);
  const there = marks.filter(({ isMissing }) => !isMissing);
  const [dotted, plain] = [
    'var(--alert)',
    { fill: 'none', strokeWidth: 2, strokeDasharray: '2 3' },
  ];
  const words = (of: readonly ChartMark[], fill: string) =>
    Plot.text(
      of,
      Plot.groupY(
        { x: 'sum', text: 'first' },
        { y: 'x', x: 'value', text: 'text', textAnchor: 'start', dx: 8, fill },
      ),
    );
  return [
    Plot.barX(there, { ...bar, fill: 'series' }),
    Plot.barX(missing, { ...bar, ...plain, stroke: dotted }),
    words(there, 'currentColor'),
    words(missing, dotted),
  ];
}

function spans({ marks }: ChartPicture): Plot.Markish[] {
  const span = { x1: 'x', x2: 'value', y: 'series', title: 'text' };
  return [Plot.barX(marks, { ...span, fill: 'var(--l1)', stroke: 'var(--l2)', strokeWidth: 1.5 })];
}

/** Under the pointer, the words of the nearest mark. */
function tip({ marks, x }: ChartPicture): Plot.Markish {
  const title = titleOf(x);
  return Plot.tip(marks, Plot.pointer({ x: 'x', y: 'value', title, fill: 'var(--panel)' }));
}

function lines(picture: ChartPicture): Plot.Markish[] {
  const { marks } = picture;
  const channels = { x: 'x', y: 'value', stroke: 'series' } as const;
  return [
    Plot.lineY(marks, { ...channels, strokeWidth: 2.5 }),
    Plot.dot(marks, { x: 'x', y: 'value', fill: 'series', r: 3.5 }),
    tip(picture),
  ];
}

function stairs(picture: ChartPicture): Plot.Markish[] {
  const { marks, series, x, references = [] } = picture;
  const end = x.ticks?.at(-1) ?? 0;
  const colours = coloursOf(picture);
  return [
    ...series.flatMap((name, index) => {
      const own = marks.filter((mark) => mark.series === name);
      const held = [...own, ...own.slice(-1).map((last) => ({ ...last, x: end }))];
      const look = index % DASHES.length;
      const colour = colours[index] ?? 'currentColor';
      const dy = ((series.length - 1) / 2 - index) * ASIDE;
      const at = { x: 'x', y: 'value', dy } as const;
      const line = { ...at, curve: 'step-after', stroke: colour, strokeWidth: 2.4 } as const;
      const dots = own.length > POINTS_MAX ? [] : own;
      return [
        ...(series.length === 1
          ? [Plot.areaY(held, { ...at, curve: 'step-after', fill: colour, fillOpacity: 0.16 })]
          : []),
        Plot.lineY(held, { ...line, strokeDasharray: DASHES[look] ?? '' }),
        Plot.dot(dots, { ...at, fill: colour, r: 3.5, symbol: SYMBOLS[look] }),
      ];
    }),
    Plot.ruleY(references, { y: 'value', stroke: 'var(--alert)', strokeDasharray: '8 5' }),
    Plot.text(references, {
      ...{ y: 'value', text: 'text', ...WORDS },
      ...({ frameAnchor: 'left', textAnchor: 'start', dx: 6, dy: -9 } as const),
    }),
    tip(picture),
  ];
}

function areas({ marks, series, x }: ChartPicture): Plot.Markish[] {
  const end = x.ticks?.at(-1) ?? 0;
  const held = [...marks, ...marks.slice(-series.length).map((last) => ({ ...last, x: end }))];
  const order = [...series];
  const at = { x: 'x', y: 'value', z: 'series', order } as const;
  const title = titleOf(x);
  return [
    Plot.areaY(held, { ...at, fill: 'series', curve: 'step-after' }),
    Plot.tip(marks, Plot.pointer(Plot.stackY({ ...at, title, fill: 'var(--panel)' }))),
  ];
}

function bars({ marks, series, x, y }: ChartPicture, width: number): Plot.Markish[] {
  const least = Math.min(...marks.map(({ value }) => value));
  const base = y.isLogarithmic ? 10 ** Math.floor(Math.log10(least)) : 0;
  const groups = new Set(marks.map(({ x }) => x)).size;
  const room = (width - 96) / Math.max(groups * series.length, 1);
  const place = { fx: 'x', x: 'series' };
  return [
    Plot.barY(marks, {
      ...place,
      y1: base,
      y2: 'value',
      fill: 'series',
      title: titleOf(x),
    }),
    ...(room > 34
      ? [Plot.text(marks, { ...place, y: 'value', text: 'text', dy: -8, fill: 'currentColor' })]
      : []),
    Plot.ruleY([base]),
  ];
}

/** A scale from round number to round number around `values`: 1, 2, 5, 10, 20 … */
function logarithmic(values: readonly number[]): Plot.ScaleOptions & { ticks: number[] } {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const first = Math.floor(Math.log10(least));
  const count = Math.ceil(Math.log10(most)) - first + 1;
  const decades = Array.from({ length: Math.max(count, 1) }, (_, at) => first + at);
  const steps = count > 4 ? [1] : [1, 2, 5];
  const numbers = decades.flatMap((power) => steps.map((step) => step * 10 ** power));
  // From the last number not above `least` to the first one not below `most`.
  const from = numbers.findLastIndex((number) => number <= least);
  const to = numbers.findIndex((number) => number >= most);
  const ticks = numbers.slice(Math.max(from, 0), to < 0 ? undefined : to + 1);
  return { type: 'log', domain: [ticks[0] ?? 1, ticks.at(-1) ?? 10], ticks };
}

/** Names series, place and value of a mark. */
function titleOf({ textOf = String }: ChartAxis) {
  return ({ x, series, text }: ChartMark) =>
    `${series}\n${typeof x === 'number' ? textOf(x) : x}: ${text}`;
}

/** The names of the series in their colours, as part of the picture: it may be saved. */
function names(picture: ChartPicture, width: number, height: number): Plot.Markish[] {
  const { series, kind, y } = picture;
  const colours = coloursOf(picture);
  if (series.length < 2 || kind === 'spans') return [];
  let left = 0;
  // The label of the axis stands above.
  let top = (y.label === '' ? 6 : 26) - height;
  return series.flatMap((name, index) => {
    const room = name.length * LETTER + 28;
    if (left > 0 && left + room > width - 96) {
      left = 0;
      top -= 17;
    }
    const at = { facet: 'super', frameAnchor: 'top-left', dx: left, dy: top } as const;
    left += room;
    const sign = kind === 'stairs' ? SIGNS[index % SIGNS.length] : '■';
    return [
      Plot.text([sign], {
        ...at,
        fill: colours[index] ?? 'currentColor',
        textAnchor: 'start',
      }),
      Plot.text([name], { ...at, dx: at.dx + 16, fill: 'currentColor', textAnchor: 'start' }),
    ];
  });
}
