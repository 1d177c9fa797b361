// What programs that measure write into documents: each replaces its own section, between two marks, and leaves the others alone.
// A run has `engines` (name, title) and `medians` (workload, engine, perSecond and more).

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { path, say } from './lib.mjs';

/** `document` with `text` as the section of `writer`, at its end where it has none yet. */
export function withSection(document, writer, text) {
  const [begin, end] = [`<!-- written by ${writer} -->`, `<!-- end of ${writer} -->`];
  const section = `${begin}\n${text.trim()}\n${end}`;
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from < 0 || to < from) return `${document.trimEnd()}\n\n${section}\n`;
  return document.slice(0, from) + section + document.slice(to + end.length);
}

/** Replaces the section of `writer` in a file. */
export function writeSection(name, writer, text) {
  const document = existsSync(path(name)) ? readFileSync(path(name), 'utf8') : '';
  writeFileSync(path(name), withSection(document, writer, text));
  say(`${name} is written.`);
}

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

export const rate = (perSecond) =>
  perSecond < 1e6 ? `${figure(perSecond / 1e3)} k` : `${figure(perSecond / 1e6)} M`;

/** The median of those values that there are. */
export function median(values) {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** What a run found for a workload on an engine. */
export const found = ({ medians }, workload, engine) =>
  medians.find((each) => each.workload === workload && each.engine === engine);

/** How many times as fast Levelscope is as another engine. */
export const timesAsFast = (run, workload, engine) =>
  found(run, workload, 'levelscope')?.perSecond / found(run, workload, engine)?.perSecond;

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
