import type { LabChart, LabReport } from '../../model/engine.generated';
import { capital, cellText, columnText } from '../../model/labs';
import type { ChartPicture } from '../Drawing/scene';

/** The data that `chart` takes from the tables of its report; `null` when there is no such table. */
export function labPicture(report: LabReport, chart: LabChart): ChartPicture | null {
  const table = report.tables[chart.table];
  const xColumn = table?.columns[chart.x];
  if (!table || !xColumn) return null;
  const columns = chart.series.flatMap((index) => {
    const column = table.columns[index];
    return column ? [{ index, column }] : [];
  });
  const isLine = chart.kind === 'lines';
  const xCounts = isLine && table.rows.every((row) => typeof row[chart.x] === 'number');
  const marks = table.rows.flatMap((row) => {
    const cell = row[chart.x] ?? null;
    const x = xCounts && typeof cell === 'number' ? cell : cellText(cell, xColumn);
    return columns.flatMap(({ index, column }) => {
      const value = row[index];
      if (typeof value !== 'number' || (chart.yLogarithmic && value <= 0)) return [];
      return [{ x, series: column.name, value, text: cellText(value, column) }];
    });
  });
  const [only] = columns;
  const unit = only?.column.unit ?? '';
  return {
    title: capital(chart.title),
    kind: chart.kind,
    marks,
    series: columns.map(({ column }) => column.name),
    x: {
      label: columnText(xColumn),
      isOfNumbers: xCounts,
      isLogarithmic: chart.xLogarithmic && xCounts,
    },
    y: {
      label: columns.length === 1 && only ? columnText(only.column) : unit,
      isLogarithmic: chart.yLogarithmic,
    },
  };
}
