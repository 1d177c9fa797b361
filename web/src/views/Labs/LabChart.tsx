import * as Plot from '@observablehq/plot';
import { useEffect, useRef } from 'react';
import { SavePicture } from '../shared/SavePicture';
import { useSize } from '../shared/useSize';
import type { LabMark, LabPicture } from './scene';

const FIRST_SIZE = { width: 560, height: 1 };
const SIZE_MIN = { width: 240, height: 0 };
const HEIGHT = 300;
/** Room above the picture for the names of its series, and for a number above the highest bar [px]. */
const LEGEND_H = 56;
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
/** About as wide as a letter of the legend [px]. */
const LETTER = 7.4;

/** One chart of a report; its figures are in the table below it. */
export function LabChart({ picture, name }: { picture: LabPicture; name: string }) {
  const host = useRef<HTMLDivElement>(null);
  const { width } = useSize(host, FIRST_SIZE, SIZE_MIN);
  const saved = useRef<SVGSVGElement | null>(null);
  useEffect(() => {
    const svg = draw(picture, width);
    // The figure has a name and the table has the values, so a screen reader needs no names of single strokes.
    for (const part of svg.querySelectorAll('[aria-label]')) part.removeAttribute('aria-label');
    host.current?.replaceChildren(svg);
    saved.current = svg;
  }, [picture, width]);
  return (
    <figure className="lab-chart">
      <figcaption className="in-row">
        {picture.title}
        <span className="tools">
          <SavePicture picture={saved} name={name} />
        </span>
      </figcaption>
      <div ref={host} className="lab-chart-host" role="img" aria-label={spoken(picture)} />
    </figure>
  );
}

function spoken({ title, series, marks }: LabPicture): string {
  const last = marks.at(-1);
  const names = series.join(', ');
  return last
    ? `${title}: ${names}. The table below has its figures.`
    : `${title}: nothing to draw.`;
}

function draw(picture: LabPicture, width: number): SVGSVGElement {
  const { series, yLogarithmic, yLabel } = picture;
  const shared: Plot.PlotOptions = {
    width,
    height: HEIGHT + LEGEND_H,
    marginTop: LEGEND_H,
    marginLeft: 72,
    marginRight: 24,
    marginBottom: 56,
    style: { fontSize: '13px', fontFamily: 'var(--sans)', background: 'none', overflow: 'visible' },
    color: { domain: series, range: COLOURS.slice(0, Math.max(series.length, 1)) },
    y: {
      label: yLabel === '' ? null : yLabel,
      grid: true,
      ...(yLogarithmic
        ? logarithmic(picture.marks.map(({ value }) => value))
        : { nice: TICKS, ticks: TICKS, zero: true }),
    },
  };
  const marks = [...names(series, width), ...strokes(picture, width)];
  const plot = Plot.plot({ ...shared, ...axis(picture), marks });
  // With a legend of its own a plot is a figure; without, it is the picture itself.
  if (plot instanceof SVGSVGElement) return plot;
  return plot.querySelector('svg') ?? document.createElementNS('http://www.w3.org/2000/svg', 'svg');
}

function axis({
  kind,
  xLabel,
  xCounts,
  xLogarithmic,
  marks,
  series,
}: LabPicture): Plot.PlotOptions {
  const domain = [...new Set(marks.map(({ x }) => x))];
  const words = { label: xLabel, domain, tickFormat: inLines };
  if (kind === 'bars') return { fx: { ...words, padding: 0.2 }, x: { axis: null, domain: series } };
  if (!xCounts) return { x: { ...words, type: kind === 'stacked' ? 'band' : 'point' } };
  if (!xLogarithmic) return { x: { label: xLabel, nice: true, ticks: 6 } };
  return { x: { label: xLabel, ...logarithmic(marks.map(({ x }) => Number(x))) } };
}

/** A place of an axis that is words, in as many lines as keep it narrow. */
function inLines(place: string | number): string {
  return String(place).replace(/(-|, )/g, '$1\n');
}

function strokes(picture: LabPicture, width: number): Plot.Markish[] {
  switch (picture.kind) {
    case 'lines':
      return lines(picture);
    case 'bars':
      return bars(picture, width);
    case 'stacked':
      return stacked(picture);
  }
}

function stacked({ marks, series }: LabPicture): Plot.Markish[] {
  const order = [...series];
  return [
    Plot.barY(marks, { x: 'x', y: 'value', fill: 'series', order, title: markTitle }),
    Plot.ruleY([0]),
  ];
}

function lines({ marks }: LabPicture): Plot.Markish[] {
  const channels = { x: 'x', y: 'value', stroke: 'series' } as const;
  return [
    Plot.lineY(marks, { ...channels, strokeWidth: 2.5 }),
    Plot.dot(marks, { x: 'x', y: 'value', fill: 'series', r: 3.5 }),
    Plot.tip(marks, Plot.pointer({ x: 'x', y: 'value', title: markTitle, fill: 'var(--panel)' })),
  ];
}

function bars({ marks, series, yLogarithmic }: LabPicture, width: number): Plot.Markish[] {
  const least = Math.min(...marks.map(({ value }) => value));
  const base = yLogarithmic ? 10 ** Math.floor(Math.log10(least)) : 0;
  const groups = new Set(marks.map(({ x }) => x)).size;
  const room = (width - 96) / Math.max(groups * series.length, 1);
  return [
    Plot.barY(marks, {
      fx: 'x',
      x: 'series',
      y1: base,
      y2: 'value',
      fill: 'series',
      title: markTitle,
    }),
    ...(room > 34
      ? [
          Plot.text(marks, {
            fx: 'x',
            x: 'series',
            y: 'value',
            text: 'text',
            dy: -8,
            fill: 'currentColor',
          }),
        ]
      : []),
    Plot.ruleY([base]),
  ];
}

/** A scale from round number to round number. */
function logarithmic(values: readonly number[]): Plot.ScaleOptions & { ticks: number[] } {
  const ticks = roundNumbers(values);
  return { type: 'log', domain: [ticks[0] ?? 1, ticks.at(-1) ?? 10], ticks };
}

/** 1, 2, 5, 10, 20 … around `values`. */
function roundNumbers(values: readonly number[]): number[] {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const first = Math.floor(Math.log10(least));
  const count = Math.ceil(Math.log10(most)) - first + 1;
  const decades = Array.from({ length: Math.max(count, 1) }, (_, at) => first + at);
  const steps = count > 4 ? [1] : [1, 2, 5];
  const numbers = decades.flatMap((power) => steps.map((step) => step * 10 ** power));
  // From the last number not above `least` to the first one not below `most`.
  const from = numbers.findLastIndex((number) => number <= least);
  const to = numbers.findIndex((number) => number >= most);
  return numbers.slice(Math.max(from, 0), to < 0 ? undefined : to + 1);
}

function markTitle({ x, series, text }: LabMark): string {
  return `${series}\n${x}: ${text}`;
}

/** The names of the series in their colours, as part of the picture: it may be saved. */
function names(series: readonly string[], width: number): Plot.Markish[] {
  if (series.length < 2) return [];
  let left = 0;
  // The label of the axis stands above.
  let top = -LEGEND_H + 26;
  return series.flatMap((name, index) => {
    const room = name.length * LETTER + 28;
    if (left > 0 && left + room > width - 96) {
      left = 0;
      top -= 17;
    }
    const at = { facet: 'super', frameAnchor: 'top-left', dx: left, dy: top } as const;
    left += room;
    return [
      Plot.text(['■'], {
        ...at,
        fill: COLOURS[index % COLOURS.length] ?? 'currentColor',
        textAnchor: 'start',
      }),
      Plot.text([name], { ...at, dx: at.dx + 16, fill: 'currentColor', textAnchor: 'start' }),
    ];
  });
}
