/** One mark of a chart: a bar, a point of a line, or a span. */
export interface ChartMark {
  x: string | number;
  series: string;
  /** Of a span: its end. */
  value: number;
  /** The value in words. */
  text: string;
  /** It stands for something that is not there: its outline is drawn. */
  isMissing?: boolean;
}

export interface ChartAxis {
  label: string;
  /** Whether the places of the axis from left to right are numbers; otherwise they are words. */
  isOfNumbers?: boolean;
  isLogarithmic?: boolean;
  /** The marked places, from one end to the other. */
  ticks?: readonly number[];
  /** A place in words. */
  textOf?(place: number): string;
}

/** A chart, ready to be drawn. */
export interface ChartPicture {
  title: string;
  /** Stairs and areas hold each value until the next one, and areas lie on each other; rows are bars from left to right, beside their names. */
  kind: 'lines' | 'stairs' | 'areas' | 'bars' | 'stacked' | 'rows' | 'spans';
  marks: readonly ChartMark[];
  series: readonly string[];
  /** Of each series, where a series has one of its own. */
  colours?: readonly string[];
  x: ChartAxis;
  y: ChartAxis;
  /** Lines across the whole picture. */
  references?: readonly { value: number; text: string }[];
  /** Without the names of the series [px]. */
  height?: number;
}

/** Values of an upright axis; whole numbers have whole ones, each once. */
export function tickValues(top: number, values: readonly number[]): number[] {
  const isWhole = values.every(Number.isInteger);
  if (isWhole && top < 4) return Array.from({ length: Math.floor(top) + 1 }, (_, value) => value);
  return [0, isWhole ? Math.round(top / 2) : top / 2, top];
}

/** The next round number that is not below `value`: of bytes, a power of two times 1 to 8. */
export function niceTop(value: number, unit: string): number {
  const base = unit === 'bytes' ? 1024 : 10;
  const power = base ** Math.floor(Math.log(Math.max(value, 1)) / Math.log(base));
  const factors =
    unit === 'bytes' ? [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024] : [1, 2, 4, 6, 8, 10];
  return factors.map((factor) => factor * power).find((top) => top >= value) ?? value;
}
