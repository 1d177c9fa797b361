import type { Sample, StatsResult } from '../../model/engine.generated';
import type { Era } from '../../model/timelineMarks';
import { count, ratio, size } from '../../model/words';

/** The figure that a chart draws against the steps. */
type ChartKind = (typeof CHARTS)[number];

/** A figure at one step; clicking it goes there. */
interface ChartPoint {
  step: number;
  x: number;
  /** Upper edge of the topmost line [px]. */
  y: number;
  /** The figure in words, as in `stats`. */
  text: string;
}

/** A chart, placed. */
export type ChartScene = ReturnType<typeof chartScene>;

const CHART_H = 118;
const TOP = 26;
const BOTTOM = 8;
const RIGHT = 10;
/** Room for the labels of the gridlines [px]. */
export const CHART_LEFT = 60;
/** Least distance of points, so that each can be clicked; of closer ones the newest is drawn [px]. */
export const POINT_PITCH = 9;

type Figures = Omit<Sample, 'step'>;

interface Kind {
  title: string;
  /** The layers of the chart at one sample, from the bottom up. */
  values(sample: Figures): number[];
  /** The figure at one sample, in words. */
  text(sample: Figures): string;
}

function amplification(title: string, of: (sample: Figures) => number | null): Kind {
  return { title, values: (sample) => [of(sample) ?? 0], text: (sample) => ratio(of(sample)) };
}

const KINDS: Readonly<Record<ChartKind, Kind>> = {
  write: amplification('Write amplification', (sample) => sample.writeAmplification),
  read: amplification('Read amplification', (sample) => sample.readAmplification),
  space: amplification(
    'Space amplification (estimate)',
    (sample) => sample.spaceAmplificationEstimate,
  ),
  levels: {
    title: 'Bytes in each level',
    values: (sample) => sample.levelBytes,
    text({ levelBytes }) {
      const levels = levelBytes.map((bytes, level) => bytes > 0 && `L${level} ${size(bytes)}`);
      return levels.filter(Boolean).join(', ') || 'no tables';
    },
  },
  stalls: {
    title: 'Stalls and slowdowns so far',
    values: ({ stalls, slowdowns }) => [stalls, slowdowns],
    text: ({ stalls, slowdowns }) => `${count(stalls)} and ${count(slowdowns)}`,
  },
};

export const CHARTS = ['write', 'read', 'space', 'levels', 'stalls'] as const;

/** The figure of a chart at one sample, in words. */
export function figureText(kind: ChartKind, sample: Figures): string {
  return KINDS[kind].text(sample);
}

function nowText(kind: ChartKind, stats: StatsResult): string {
  if (kind === 'levels') return size(stats.tableBytes);
  return figureText(kind, { ...stats, levelBytes: [] });
}

/**
 * Draws `samples` of the steps `from` to `to` on `width` pixels; `stats` are those at `step`, which may have no sample, or
 * a word in place of them.
 */
export function chartScene(
  kind: ChartKind,
  samples: readonly Sample[],
  { from, to }: Era,
  step: number,
  width: number,
  stats: StatsResult | string,
) {
  const x = (at: number) =>
    CHART_LEFT + ((at - from) / Math.max(to - from, 1)) * (width - CHART_LEFT - RIGHT);
  const stacked = kind === 'levels';
  const layers = Math.max(...samples.map((sample) => KINDS[kind].values(sample).length), 1);
  const heights = samples.map((sample) => layered(KINDS[kind].values(sample), layers, stacked));
  const top = niceTop(Math.max(...heights.flat(), kind === 'levels' ? 1024 : 1));
  const bottom = CHART_H - BOTTOM;
  const y = (value: number) => bottom - (value / top) * (bottom - TOP);
  const at = samples.map((sample) => x(sample.step));
  return {
    kind,
    title: KINDS[kind].title,
    width,
    height: CHART_H,
    lines: Array.from({ length: layers }, (_, layer) => {
      const upper = heights.map((values) => y(values[layer] ?? 0));
      const lower = heights.map((values) => y(layer > 0 ? (values[layer - 1] ?? 0) : 0));
      return {
        name: layerName(kind, layer),
        line: stairs(at, upper),
        // Down to the next layer; empty for a plain line.
        area: stacked ? area(at, upper, lower) : '',
        // For its colour.
        level: stacked ? layer : null,
      };
    }),
    points: points(samples, at, heights, y, kind),
    ticks: [0, top / 2, top].map((value) => ({ y: y(value), text: tickText(kind, value) })),
    // Where the cursor stands [px], and the figure there.
    cursorX: x(Math.max(step, from)),
    now: typeof stats === 'string' ? stats : nowText(kind, stats),
  };
}

function layered(values: readonly number[], layers: number, stacked: boolean): number[] {
  const all = Array.from({ length: layers }, (_, layer) => values[layer] ?? 0);
  if (!stacked) return all;
  let sum = 0;
  return all.map((value) => {
    sum += value;
    return sum;
  });
}

function layerName(kind: ChartKind, layer: number): string {
  if (kind === 'levels') return `L${layer}`;
  return kind === 'stalls' ? (['stalls', 'slowdowns'][layer] ?? '') : KINDS[kind].title;
}

/** Stairs: a figure holds until the next one. */
function stairs(x: readonly number[], y: readonly number[]): string {
  return x
    .map((at, index) => {
      const height = (y[index] ?? 0).toFixed(1);
      return index === 0 ? `M${at.toFixed(1)} ${height}` : `H${at.toFixed(1)}V${height}`;
    })
    .join('');
}

function area(x: readonly number[], upper: readonly number[], lower: readonly number[]): string {
  if (x.length === 0) return '';
  const back: string[] = [];
  for (let index = x.length - 1; index >= 0; index -= 1) {
    // The way back mirrors the stairs: first down at the same place, then across.
    const height = (lower[index] ?? 0).toFixed(1);
    back.push(index === x.length - 1 ? `V${height}` : '');
    const before = lower[index - 1];
    if (before !== undefined) back.push(`H${(x[index] ?? 0).toFixed(1)}V${before.toFixed(1)}`);
  }
  return `${stairs(x, upper)}${back.join('')}H${(x[0] ?? 0).toFixed(1)}Z`;
}

function points(
  samples: readonly Sample[],
  x: readonly number[],
  heights: readonly number[][],
  y: (value: number) => number,
  kind: ChartKind,
): ChartPoint[] {
  const found: ChartPoint[] = [];
  let right = Infinity;
  for (let index = samples.length - 1; index >= 0; index -= 1) {
    const sample = samples[index];
    const at = x[index] ?? 0;
    if (sample === undefined || right - at < POINT_PITCH) continue;
    right = at;
    found.push({
      step: sample.step,
      x: at,
      y: y(Math.max(...(heights[index] ?? [0]))),
      text: figureText(kind, sample),
    });
  }
  return found.reverse();
}

/** The next 1, 2, 5, 10 … that is not below `value`. */
function niceTop(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return [1, 2, 5, 10].map((factor) => factor * unit).find((top) => top >= value) ?? 10 * unit;
}

function tickText(kind: ChartKind, value: number): string {
  if (kind === 'levels') return size(Math.round(value));
  return Number.isInteger(value) ? count(value) : value.toFixed(1);
}
