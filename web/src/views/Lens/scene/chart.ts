import { count, size } from '../../../model/words';
import type { Axis, Picture, Span } from './answers';
import { moment, percent } from './words';

/** A curve over an axis of numbers. */
interface Curve {
  label: string;
  path: string;
  points: { x: number; y: number; at: number; value: number }[];
}

/** A chart of curves, placed [px]. */
export interface CurveScene {
  curves: Curve[];
  ticks: { y: number; text: string }[];
  xTicks: XTick[];
  references: { y: number; text: string }[];
  width: number;
  height: number;
  left: number;
  right: number;
  bottom: number;
}

const TOP = 22;
const LEFT = 74;
const RIGHT = 12;
const AXIS_H = 24;
const HEIGHT = 184;
/** Between two curves with the same value [px]: neither hides the other. */
const ASIDE = 3;
/** Points that can be pointed at. */
const POINTS_MAX = 200;

/** Places and values of a curve. */
type Steps = readonly (readonly [number, number])[];

/** Curves that hold each value until the next; `null` for a picture without any. */
export function curveScene(
  { series, references, x, y }: Picture,
  width: number,
): CurveScene | null {
  const curves = series.flatMap(({ label, data }) =>
    'steps' in data && data.steps.length > 0 ? [{ label, steps: fromZero(data.steps, x) }] : [],
  );
  if (curves.length === 0) return null;
  const xs = curves.flatMap(({ steps }) => steps.map(([at]) => at));
  const from = x.unit === '' ? Math.min(0, ...ends(xs)) : ends(xs)[0];
  const to = Math.max(ends(xs)[1], from + 1);
  const most = Math.max(...curves.flatMap(({ steps }) => ends(steps.map(([, value]) => value))));
  // A reference far above all values would flatten them.
  const near = references.filter(({ value }) => value <= Math.max(most * 2.2, 5));
  const top = niceTop(Math.max(most, ...near.map(({ value }) => value), 1), y.unit);
  const [right, bottom] = [width - RIGHT, HEIGHT - AXIS_H];
  const px = (at: number) => LEFT + ((at - from) / (to - from)) * (right - LEFT);
  const py = (value: number) => bottom - (value / top) * (bottom - TOP);
  return {
    curves: curves.map(({ label, steps }, index) => {
      const aside = (index - (curves.length - 1) / 2) * Math.min(ASIDE, 12 / curves.length);
      const placed = steps.map(([at, value]) => ({ x: px(at), y: py(value) - aside, at, value }));
      const every = Math.ceil(placed.length / POINTS_MAX);
      return {
        label,
        path: stairs(placed, right),
        points: placed.filter((_, n) => n % every === 0),
      };
    }),
    ticks: tickValues(top, curves).map((value) => ({ y: py(value), text: valueText(value, y) })),
    xTicks: placeTicks(from, to, x, px),
    references: near.map(({ label, value }) => ({ y: py(value), text: `${label} ${value}` })),
    width,
    height: HEIGHT,
    left: LEFT,
    right,
    bottom,
  };
}

/** Before its first change a count over steps is zero. */
function fromZero(steps: Steps, { label }: Axis): Steps {
  const first = steps[0]?.[0] ?? 0;
  return label === 'step' && first > 0 ? [[0, 0], ...steps] : steps;
}

/** Values of an upright axis; whole numbers have whole ones, each once. */
function tickValues(top: number, curves: readonly { steps: Steps }[]): number[] {
  const isWhole = curves.every(({ steps }) => steps.every(([, value]) => Number.isInteger(value)));
  if (isWhole && top < 4) return Array.from({ length: Math.floor(top) + 1 }, (_, value) => value);
  const middle = isWhole ? Math.round(top / 2) : top / 2;
  return [...new Set([0, middle, top])];
}

/** A place on the axis from left to right. */
interface XTick {
  x: number;
  text: string;
  anchor: 'start' | 'middle' | 'end';
}

/** Both ends of the axis from left to right, and its middle: whole numbers, none of them twice. */
function placeTicks(from: number, to: number, axis: Axis, px: (at: number) => number): XTick[] {
  const tick = (at: number, anchor: XTick['anchor']) => {
    return { x: px(at), text: placeText(at, axis, to - from), anchor };
  };
  const ticks = [tick(from, 'start'), tick(Math.round((from + to) / 2), 'middle'), tick(to, 'end')];
  const [first, , last] = ticks;
  return ticks.filter(
    (tick) =>
      tick === first || (tick.text !== first?.text && (tick === last || tick.text !== last?.text)),
  );
}

function ends(values: readonly number[]): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return [low, high];
}

function stairs(points: readonly { x: number; y: number }[], right: number): string {
  const path = points.map(({ x, y }, index) =>
    index === 0 ? `M${x.toFixed(1)} ${y.toFixed(1)}` : `H${x.toFixed(1)}V${y.toFixed(1)}`,
  );
  return `${path.join('')}H${right.toFixed(1)}`;
}

/** The next round number that is not below `value`: of bytes, a power of two times 1 to 8. */
export function niceTop(value: number, unit: string): number {
  const base = unit === 'bytes' ? 1024 : 10;
  const power = base ** Math.floor(Math.log(Math.max(value, 1)) / Math.log(base));
  const factors =
    unit === 'bytes' ? [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024] : [1, 2, 4, 6, 8, 10];
  return factors.map((factor) => factor * power).find((top) => top >= value) ?? value;
}

/** A value of the upright axis. */
export function valueText(value: number, { label, unit }: Axis): string {
  if (unit === 'bytes') return size(Math.round(value));
  if (label === 'share' || label.startsWith('share ')) return percent(value);
  return Number.isInteger(value) ? count(value) : value.toFixed(2);
}

/** A day [µs]. */
const DAY = 86_400_000_000;

/** A place on the axis from left to right, which spans `span`. */
export function placeText(at: number, { label, unit }: Axis, span = 0): string {
  // A time of day means little on an axis of several days.
  const [first, end] = span > DAY ? [0, 16] : [11, 23];
  if (unit.includes('since 1970')) return moment(at).slice(first, end);
  return label === 'step' ? `step ${count(Math.round(at))}` : count(Math.round(at));
}

/** A bar, or one that several series share. */
export interface Bar {
  name: string;
  /** Name of the series and value of each part. */
  parts: { label: string; value: number }[];
}

/** Bars of a picture, in groups: series of the same bars are stacked, others stand apart. */
export interface BarGroup {
  title: string;
  bars: Bar[];
  most: number;
  /** The axis of the values. */
  axis: Axis;
  /** Names of the parts, when bars have several. */
  labels: string[];
}

/** Groups of bars; none for a picture without any. */
export function barGroups({ series, y }: Picture): BarGroup[] {
  const all = series.flatMap(({ label, data }) =>
    'bars' in data && data.bars.length > 0 ? [{ label, bars: data.bars }] : [],
  );
  const [first] = all;
  if (!first) return [];
  const names = JSON.stringify(first.bars.map(([name]) => name));
  const isStacked =
    all.length > 1 &&
    y.unit === 'bytes' &&
    all.every(({ bars }) => JSON.stringify(bars.map(([name]) => name)) === names);
  if (isStacked) {
    const bars = first.bars.map(([name], index) => ({
      name,
      parts: all.map(({ label, bars: own }) => ({ label, value: own[index]?.[1] ?? 0 })),
    }));
    const labels = all.map(({ label }) => label);
    return [groupOf('', bars, y, labels)];
  }
  const groups = all.map(({ label, bars }) => {
    // One picture can have series of two kinds, such as runs and a share: each has its own scale.
    const axis = all.length > 1 && label.startsWith('share') ? { label, unit: '' } : y;
    const own = bars.map(([name, value]) => ({ name, parts: [{ label, value }] }));
    return groupOf(all.length > 1 ? label : '', own, axis, []);
  });
  // Bars of one kind have one scale, in whichever group they stand.
  return groups.map((group) => {
    const alike = groups.filter(({ axis }) => axis.label === group.axis.label);
    return { ...group, most: Math.max(...alike.map(({ most }) => most)) };
  });
}

function groupOf(title: string, bars: Bar[], axis: Axis, labels: string[]): BarGroup {
  const whole = ({ parts }: Bar) => parts.reduce((sum, { value }) => sum + value, 0);
  const most = Math.max(...bars.map(whole), axis.label.startsWith('share') ? 1 : 0) || 1;
  return { title, bars, most, axis, labels };
}

/** Lanes of spans over one axis of time. */
export interface SpanScene {
  lanes: { label: string; spans: (Span & { x: number; w: number })[] }[];
  ticks: XTick[];
}

/** Spans, placed [parts of the width]; `null` for a picture without any. */
export function spanScene({ series, x }: Picture): SpanScene | null {
  const lanes = series.flatMap(({ label, data }) =>
    'spans' in data && data.spans.length > 0 ? [{ label, spans: data.spans }] : [],
  );
  if (lanes.length === 0) return null;
  const all = lanes.flatMap(({ spans }) => spans);
  const from = ends(all.map(({ start }) => start))[0];
  const to = Math.max(ends(all.map(({ end }) => end))[1], from + 1);
  const share = (at: number) => (at - from) / (to - from);
  return {
    lanes: lanes.map(({ label, spans }) => ({
      label,
      spans: spans.map((span) => ({
        ...span,
        x: share(span.start),
        w: share(span.end) - share(span.start),
      })),
    })),
    ticks: placeTicks(from, to, x, share),
  };
}
