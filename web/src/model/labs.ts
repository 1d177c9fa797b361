import { wordsOfField } from './commandWords';
import type {
  LabCell,
  LabColumn,
  LabFigure,
  LabInfo,
  LabReport,
  LabTable,
} from './engine.generated';
import { count } from './words';

/*
 * Labs: forms and reports. The engine runs them and returns every result in words; this module
 * checks input and arranges results in rows.
 */

/** The input of a lab's form: numbers by the name of their parameter, and words. */
type LabInput = ReturnType<typeof labInput>;

/** The form with its default values, or with the values of `report`. */
export function labInput(lab: LabInfo, report: LabReport | null) {
  const used = new Map(report?.settings.map(({ name, value }) => [name, value]));
  const numbers = lab.parameters.map(
    ({ name, default: usual }) => [name, String(used.get(name) ?? usual)] as const,
  );
  return { numbers: Object.fromEntries(numbers), words: report?.words ?? lab.usualWords };
}

/** The range that a typed number violates; `null` when the number is right. */
export function labProblem(lab: LabInfo, name: string, text: string): string | null {
  const parameter = lab.parameters.find((known) => known.name === name);
  if (!parameter) return null;
  const { min, max } = parameter;
  const number = Number(text);
  const fits = /^\d+$/.test(text.trim()) && number >= min && number <= max;
  return fits ? null : `${count(min)} to ${count(max)}`;
}

/** The command that runs `lab` with this input; default values are left out. */
export function labCommand(lab: LabInfo, input: LabInput): string {
  const flags = lab.parameters.flatMap(({ name, default: usual }) => {
    const text = (input.numbers[name] ?? '').trim();
    return text === '' || Number(text) === usual ? [] : [`--${name} ${wordsOfField(text)}`];
  });
  const words = wordsOfField(input.words);
  return ['lab', lab.id, words === lab.usualWords ? '' : words, ...flags]
    .filter((word) => word !== '')
    .join(' ');
}

/** A figure with the digits that mean something. */
export function figure(value: number, digits: number): string {
  const text = Math.abs(value).toFixed(digits);
  const [whole = '0', fraction] = text.split('.');
  const sign = value < 0 && Number(text) !== 0 ? '−' : '';
  const grouped = count(Number(whole));
  return fraction === undefined ? `${sign}${grouped}` : `${sign}${grouped}.${fraction}`;
}

/** A figure with its unit: one of them is singular, symbols such as µs stay as they are. */
export function measured(found: Pick<LabFigure, 'ours' | 'digits' | 'unit'>): string {
  const { unit } = found;
  const number = figure(found.ours, found.digits);
  const one = number === '1' && unit.length > 2 && unit.endsWith('s');
  return `${number} ${one ? unit.slice(0, -1) : unit}`.trim();
}

/** As the beginning of a heading. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A cell as people read it. */
export function cellText(cell: LabCell, column: LabColumn | undefined): string {
  if (cell === null) return '–';
  return typeof cell === 'number' ? figure(cell, column?.digits ?? 0) : cell;
}

/** The heading of a column. */
export function columnText(column: LabColumn): string {
  return column.unit === '' ? column.name : `${column.name} [${column.unit}]`;
}

/** The tables of a report for other programs: comma-separated, RFC 4180. */
export function labCsv(tables: readonly LabTable[]): string {
  const lines = tables.flatMap((table, index) => [
    ...(index > 0 ? [''] : []),
    ...(tables.length > 1 ? [csvField(table.title)] : []),
    table.columns.map((column) => csvField(columnText(column))).join(','),
    ...table.rows.map((row) => row.map((cell) => csvField(String(cell ?? ''))).join(',')),
  ]);
  return `${lines.join('\r\n')}\r\n`;
}

/** Text as a cell of comma-separated values. */
export function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
