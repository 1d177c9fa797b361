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
  /** Stairs hold each value until the next one; rows are bars from left to right, beside their names. */
  kind: 'lines' | 'stairs' | 'bars' | 'stacked' | 'rows' | 'spans';
  marks: readonly ChartMark[];
  series: readonly string[];
  x: ChartAxis;
  y: ChartAxis;
  /** Lines across the whole picture. */
  references?: readonly { value: number; text: string }[];
  /** Without the names of the series [px]. */
  height?: number;
}
