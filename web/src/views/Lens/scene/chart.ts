import { count, size } from '../../../model/words';
import {
  type ChartAxis,
  type ChartMark,
  type ChartPicture,
  niceTop,
  tickValues,
} from '../../Drawing/scene';
import type { Axis, Picture } from './answers';
import { duration, moment, percent } from './words';

/** Room for stairs, for columns, for a row, and for a lane of spans, with the axis [px]. */
const HEIGHTS = { stairs: 162, columns: 130, row: 26, lane: 30, axis: 28 };
/** More bars than these stand upright, side by side, and only the first and the last have a name. */
const NAMED_MAX = 24;
const NO_AXIS: ChartAxis = { label: '' };

/** What a picture of a report draws, as charts; none for a picture without values. */
export function chartsOf(picture: Picture, missing: ReadonlySet<string>): ChartPicture[] {
  return [...stairsOf(picture), ...barsOf(picture, missing), ...spansOf(picture)];
}

/** Curves that hold each value until the next. */
function stairsOf({ title, series, references, x, y }: Picture): ChartPicture[] {
  const marks = series.flatMap(({ label, data }) =>
    'steps' in data
      ? fromZero(data.steps, x).map(([at, value]) => markOf(label, at, value, y))
      : [],
  );
  if (marks.length === 0) return [];
  const [first, end] = ends(marks.map((mark) => Number(mark.x)));
  const from = x.unit === '' ? Math.min(0, first) : first;
  const to = Math.max(end, from + 1);
  const values = marks.map(({ value }) => value);
  const most = ends(values)[1];
  // A reference far above all values would flatten them.
  const near = references.filter(({ value }) => value <= Math.max(most * 2.2, 5));
  const top = niceTop(Math.max(most, ...near.map(({ value }) => value), 1), y.unit);
  const names = series.map(({ label }) => label);
  const upright = { label: '', ticks: tickValues(top, values), textOf: inWords(y) };
  const chart = { title, kind: 'stairs', marks, series: names, y: upright } as const;
  const lines = near.map(({ label, value }) => ({ value, text: `${label} ${value}` }));
  return [{ ...chart, x: timeAxis(from, to, x), references: lines, height: HEIGHTS.stairs }];
}

function markOf(series: string, x: number, value: number, y: Axis): ChartMark {
  return { series, x, value, text: valueText(value, y) };
}

/** Both ends of the axis from left to right, and its middle. */
function timeAxis(from: number, to: number, axis: Axis): ChartAxis {
  const ticks = [from, Math.round((from + to) / 2), to];
  return { label: '', ticks, textOf: (at) => placeText(at, axis, to - from) };
}

/** Before its first change a count over steps is zero. */
function fromZero(steps: readonly [number, number][], { label }: Axis): [number, number][] {
  const first = steps[0]?.[0] ?? 0;
  return label === 'step' && first > 0 ? [[0, 0], ...steps] : [...steps];
}

function ends(values: readonly number[]): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return [low, high];
}

/** A value of the upright axis. */
function valueText(value: number, { label, unit }: Axis): string {
  if (unit === 'bytes') return size(Math.round(value));
  if (label === 'share' || label.startsWith('share ')) return percent(value);
  return Number.isInteger(value) ? count(value) : value.toFixed(2);
}

const inWords = (axis: Axis) => (value: number) => valueText(value, axis);

/** A day [µs]. */
const DAY = 86_400_000_000;

/** A place on the axis from left to right, which spans `span`. */
function placeText(at: number, { label, unit }: Axis, span: number): string {
  // A time of day means little on an axis of several days.
  const [first, end] = span > DAY ? [0, 16] : [11, 23];
  if (unit.includes('since 1970')) return moment(at).slice(first, end);
  return label === 'step' ? `step ${count(Math.round(at))}` : count(Math.round(at));
}

/** Bars; series of the same bars are stacked, others stand apart. */
function barsOf({ title, series, y }: Picture, missing: ReadonlySet<string>): ChartPicture[] {
  const all = series.flatMap(({ label, data }) =>
    'bars' in data && data.bars.length > 0 ? [{ label, bars: data.bars }] : [],
  );
  const namesOf = (bars: readonly [string, number][]) => JSON.stringify(bars.map(([name]) => name));
  const isStacked =
    all.length > 1 &&
    y.unit === 'bytes' &&
    new Set(all.map(({ bars }) => namesOf(bars))).size === 1;
  const groups = isStacked ? [all] : all.map((one) => [one]);
  const axisOf = (label: string): Axis =>
    // One picture can have series of two kinds, such as runs and a share: each has its own scale.
    all.length > 1 && label.startsWith('share') ? { label, unit: '' } : y;
  const placed = groups.map((parts) => {
    const label = parts[0]?.label ?? '';
    const axis = axisOf(label);
    const names = (parts[0]?.bars ?? []).map(([name]) => name);
    const whole = names.map((_, row) => sum(parts.map(({ bars }) => bars[row]?.[1] ?? 0)));
    const most = Math.max(...whole, axis.label.startsWith('share') ? 1 : 0) || 1;
    return { label, axis, names, parts, most };
  });
  return placed.map(({ label, axis, names, parts, most: own }, index) => {
    // Bars of one kind have one scale, in whichever group they stand.
    const alike = placed.filter((one) => one.axis.label === axis.label);
    const most = Math.max(own, ...alike.map((one) => one.most));
    const textOf = (row: number) => names[row] ?? '';
    const marks = parts.flatMap((part) =>
      part.bars.map(([name, value], x): ChartMark => {
        const isMissing = missing.has(name);
        const text = `${isMissing ? '▲ missing: ' : ''}${wordsOf(parts, x, axis)}`;
        return { series: part.label, x, value, text, isMissing };
      }),
    );
    const chart = {
      title: placed.length < 2 ? title : index === 0 ? `${title}: ${label}` : label,
      marks,
      series: parts.map((part) => part.label),
    };
    if (names.length <= NAMED_MAX) {
      const height = names.length * HEIGHTS.row;
      return {
        ...chart,
        kind: 'rows',
        x: { label: '', ticks: [most], textOf },
        y: NO_AXIS,
        height,
      };
    }
    const upright = { label: '', ticks: [0, most], textOf: inWords(axis) };
    const ends = { label: '', ticks: [0, names.length - 1], textOf };
    return { ...chart, kind: 'stacked', x: ends, y: upright, height: HEIGHTS.columns };
  });
}

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

/** The values of a bar, those of several parts with their names. */
function wordsOf(
  parts: readonly { label: string; bars: readonly [string, number][] }[],
  row: number,
  axis: Axis,
): string {
  const values = parts.map(({ label, bars }) => ({ label, value: bars[row]?.[1] ?? 0 }));
  return values
    .filter(({ value }, part) => part === 0 || value > 0)
    .map(({ label, value }) => `${valueText(value, axis)}${parts.length > 1 ? ` ${label}` : ''}`)
    .join(', ');
}

/** Lanes of spans over one axis of time. */
function spansOf({ title, series, x }: Picture): ChartPicture[] {
  const marks = series.flatMap(({ label, data }) =>
    ('spans' in data ? data.spans : []).map(({ start, end, label: what }): ChartMark => {
      const text = `${what}, ${duration(Math.max(Math.round(end - start), 0))}`;
      return { series: label, x: start, value: end, text };
    }),
  );
  if (marks.length === 0) return [];
  const from = ends(marks.map((mark) => Number(mark.x)))[0];
  const to = Math.max(ends(marks.map(({ value }) => value))[1], from + 1);
  const names = [...new Set(marks.map((mark) => mark.series))];
  const height = names.length * HEIGHTS.lane + HEIGHTS.axis;
  const axis = timeAxis(from, to, x);
  return [{ title, kind: 'spans', marks, series: names, x: axis, y: NO_AXIS, height }];
}
