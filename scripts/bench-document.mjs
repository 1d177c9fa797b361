// Shared by all measurements: medians, tables, and sections of documents, each between two marks.
// A run has `engines` (name, title, and the name of the one that it stands `beside`) and `rows` (workload, engine, round, and figures).
// A summary is a run with one row of medians for each workload and engine; docs/measurements has the summaries of each subject.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { path, printLine } from './lib.mjs';

/** The type of options that have several words. */
export const list = (text) => text.split(',');

/** `names` from another one on in each round. */
export function turns(names, round) {
  const shift = round % names.length;
  return [...names.slice(shift), ...names.slice(0, shift)];
}

/** The machine, as it is before a measurement. */
export const machine = () => ({
  processor: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memory: totalmem(),
  system: `${type()} ${release()}`,
  load: loadavg()[0],
});

/** `document` with `text` as the section of `subject`, at its end where it has none yet. */
export function withSection(document, subject, text) {
  const [begin, end] = ['written by', 'end of'].map(
    (is) => `<!-- ${is} scripts/bench.mjs ${subject} -->`,
  );
  const section = `${begin}\n${text.trim()}\n${end}`;
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from < 0 || to < from) return `${document.trimEnd()}\n\n${section}\n`;
  return document.slice(0, from) + section + document.slice(to + end.length);
}

/** Replaces the section of `subject` in a file. */
export function writeSection(name, subject, text) {
  const document = existsSync(path(name)) ? readFileSync(path(name), 'utf8') : '';
  writeFileSync(path(name), withSection(document, subject, text.replaceAll(/\n{3,}/g, '\n\n')));
  printLine(`${name} is written.`);
}

/** The file with the summaries of `subject`. */
export const measurementsOf = (subject) => `docs/measurements/${subject}.json`;

/** Keeps `runs` as the summaries of `subject`, a line for each row. */
export function keepMeasurements(subject, runs) {
  const text = runs.map(({ rows, ...run }) => {
    const lines = rows.map((row) => JSON.stringify(row)).join(',\n');
    return `{"run":${JSON.stringify(run)},\n"rows":[\n${lines}\n]}`;
  });
  mkdirSync(path('docs/measurements'), { recursive: true });
  writeFileSync(path(measurementsOf(subject)), `[\n${text.join(',\n')}\n]\n`);
  printLine(`${measurementsOf(subject)} is written.`);
}

/** The runs in a file: measured ones, or summaries. */
export const runsIn = (file) =>
  JSON.parse(readFileSync(file, 'utf8')).map(({ run, rows, ...rest }) => ({
    ...rest,
    ...run,
    rows,
  }));

/** The day of a measurement. */
export const today = () => new Date().toISOString().slice(0, 10);

/** A table; all columns but the first are `numbers`. */
export const table = (head, rows, numbers = true) =>
  [head, head.map((_, index) => (index > 0 && numbers ? '--:' : '---')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

/** A number with commas. */
export const count = (number) => number.toLocaleString('en-US');

/** A number with three digits that count; there may be none. */
export function figure(number) {
  if (!Number.isFinite(number)) return '–';
  if (number >= 1000) return count(Math.round(number));
  return number.toFixed(number < 9.995 ? 2 : number < 99.95 ? 1 : 0);
}

/** A number with one decimal below 100, and none above. */
export const tenths = (number) => {
  if (!Number.isFinite(number)) return '–';
  return number < 99.95 ? number.toFixed(1) : count(Math.round(number));
};

/** A number with two decimals below 10, and none above. */
export const coarse = (number) => {
  if (!Number.isFinite(number)) return '–';
  return number < 9.995 ? number.toFixed(2) : count(Math.round(number));
};

export const rate = (perSecond) =>
  perSecond < 1e6 ? `${figure(perSecond / 1e3)} k` : `${figure(perSecond / 1e6)} M`;

export const sizeOf = ({ settings: { entries, valueBytes } }) =>
  `${count(entries)} entries, values of ${count(valueBytes)} bytes`;

/** The median of those values that there are. */
export function median(values) {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** One row for each workload on each engine: of each figure, also in lists, the median. */
export function mediansOf(rows) {
  const groups = new Map();
  for (const row of rows) {
    const name = JSON.stringify([row.workload, row.engine]);
    groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  const middle = (values) => {
    const [first] = values;
    if (Array.isArray(first)) return first.map((_, at) => middle(values.map((each) => each[at])));
    return typeof first === 'number' ? median(values) : first;
  };
  return [...groups.values()].map((group) =>
    Object.fromEntries(
      Object.keys(group[0]).map((field) => [field, middle(group.map((row) => row[field]))]),
    ),
  );
}

/** Medians are summed up once for each run. */
const summed = new WeakMap();

/** The row of a workload on an engine in a run. */
export function found(run, workload, engine) {
  if (!summed.has(run)) summed.set(run, mediansOf(run.rows));
  return summed.get(run).find((each) => each.workload === workload && each.engine === engine);
}

/** The workloads of which `is` holds, in the order of the rows. */
export const workloadsOf = ({ rows }, is = ({ perSecond }) => perSecond !== undefined) => [
  ...new Set(rows.filter(is).map(({ workload }) => workload)),
];

/** The engines beside which ours stand. */
export const othersOf = ({ engines }) => engines.filter(({ beside }) => beside !== undefined);

/** The speed of ours ÷ that of `other`; a summary has the measured ratio. */
export const timesAsFast = (run, workload, { name, beside }) =>
  run.timesAsFast?.[workload]?.[name] ??
  found(run, workload, beside)?.perSecond / found(run, workload, name)?.perSecond;

/** A run with medians in the place of its rows, and with the ratios to all others. */
export function summaryOf(run) {
  if (run.timesAsFast !== undefined) return run;
  const ratios = (workload) =>
    Object.fromEntries(othersOf(run).map((each) => [each.name, timesAsFast(run, workload, each)]));
  const names = workloadsOf(run);
  return {
    ...run,
    rows: mediansOf(run.rows).map(({ round, ...row }) => row),
    timesAsFast: Object.fromEntries(names.map((name) => [name, ratios(name)])),
  };
}

/** A table of `workloads` by engines: `value` of each median, as `show` has it; the `best` is bold. `more` has columns by their heads. */
export function byEngine(run, corner, { workloads, value, show, best, more = {} }) {
  const rows = workloads.map((workload) => {
    const values = run.engines.map(({ name }) => {
      const each = found(run, workload, name);
      return each && (value(each) ?? undefined);
    });
    const top = best?.(...values.filter((each) => each !== undefined));
    const cells = values.map((each) => {
      if (each === undefined) return '–';
      return each === top ? `**${show(each)}**` : show(each);
    });
    return [workload, ...cells, ...Object.values(more).map((column) => column(workload))];
  });
  return table([corner, ...run.engines.map(({ title }) => title), ...Object.keys(more)], rows);
}

/** The table of speeds, or of `figures` of that kind; without `more` columns it has the ratio to each other engine. */
export function speeds(run, { more, ratio = figure, ...figures } = {}) {
  const titleOf = (wanted) => run.engines.find(({ name }) => name === wanted)?.title ?? wanted;
  const ratios = othersOf(run).map((other) => [
    `${titleOf(other.beside)} ÷ ${other.title}`,
    (workload) => ratio(timesAsFast(run, workload, other)),
  ]);
  return byEngine(run, figures.corner ?? 'operations a second', {
    workloads: workloadsOf(run),
    value: ({ perSecond }) => perSecond,
    show: rate,
    best: Math.max,
    ...figures,
    more: more ?? Object.fromEntries(ratios),
  });
}
