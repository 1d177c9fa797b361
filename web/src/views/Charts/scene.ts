import type { Sample, StatsResult } from '../../model/engine.generated';
import type { Era } from '../../model/timelineMarks';
import { count, joined, ratio, size } from '../../model/words';
import { type ChartMark, type ChartPicture, niceTop, tickValues } from '../Drawing/scene';

/** The figure that a chart draws against the steps. */
export type ChartKind = (typeof CHARTS)[number];

export const CHARTS = ['write', 'read', 'space', 'levels', 'stalls'] as const;

type Figures = Omit<Sample, 'step'>;

interface Kind {
  title: string;
  /** The names of its series; with one series, it is the title. */
  names?: readonly string[];
  /** The figures at one sample, by series. */
  values(sample: Figures): readonly number[];
  /** The figure at one sample, in words. */
  text(sample: Figures): string;
}

/** Leaves a gap in the line. */
const NO_VALUE = Number.NaN;

const KINDS: Readonly<Record<ChartKind, Kind>> = {
  write: amplification('Write amplification (with log)', (sample) => sample.writeAmplification),
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
      return joined(levels) || 'no tables';
    },
  },
  stalls: {
    title: 'Stalls and slowdowns so far',
    names: ['stalls', 'slowdowns'],
    values: ({ stalls, slowdowns }) => [stalls, slowdowns],
    text: ({ stalls, slowdowns }) => `${count(stalls)} and ${count(slowdowns)}`,
  },
};

function amplification(title: string, of: (sample: Figures) => number | null): Kind {
  return {
    title,
    values: (sample) => [of(sample) ?? NO_VALUE],
    text: (sample) => ratio(of(sample)),
  };
}

/** The figure of a chart at one sample, in words. */
export function figureText(kind: ChartKind, sample: Figures): string {
  return KINDS[kind].text(sample);
}

/** The figure of a chart at the step on show, in words. */
export function nowText(kind: ChartKind, stats: StatsResult): string {
  if (kind === 'levels') return size(stats.tableBytes);
  return figureText(kind, { ...stats, levelBytes: [] });
}

/** `samples` of the steps `from` to `to` as a chart; the bytes of levels lie on each other. */
export function chartPicture(
  kind: ChartKind,
  samples: readonly Sample[],
  { from, to }: Era,
): ChartPicture {
  const { title, names: of = [title], values, text } = KINDS[kind];
  const isOfLevels = kind === 'levels';
  // Deep levels that were empty all the time have no name.
  const lengths = samples.map((sample) =>
    isOfLevels ? values(sample).findLastIndex((bytes) => bytes > 0) + 1 : values(sample).length,
  );
  const most = Math.max(...lengths, 1);
  const names = Array.from({ length: most }, (_, index) =>
    isOfLevels ? `L${index}` : (of[index] ?? ''),
  );
  const marks = samples.flatMap((sample) => {
    const all = values(sample);
    return names.map(
      (name, index): ChartMark => ({
        series: name,
        x: sample.step,
        value: all[index] ?? 0,
        text: text(sample),
      }),
    );
  });
  const heights = isOfLevels
    ? samples.map(({ levelBytes }) => levelBytes.reduce((sum, bytes) => sum + bytes, 0))
    : marks.map(({ value }) => value).filter(Number.isFinite);
  const top = niceTop(Math.max(...heights, 1), isOfLevels ? 'bytes' : '');
  return {
    title,
    kind: isOfLevels ? 'areas' : 'stairs',
    marks,
    series: names,
    ...(isOfLevels && { colours: names.map((_, level) => `var(--l${Math.min(level, 3)})`) }),
    x: { label: '', ticks: [from, Math.max(to, from + 1)], textOf: (at) => `step ${count(at)}` },
    y: {
      label: '',
      ticks: tickValues(top, heights),
      textOf: (value) => (isOfLevels ? size(Math.round(value)) : tickText(value)),
    },
    height: 106,
  };
}

function tickText(value: number): string {
  return Number.isInteger(value) ? count(value) : value.toFixed(1);
}
