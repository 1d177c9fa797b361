// The section of docs/PERFORMANCE.md that `npm run bench -- peers` writes, from the summaries of its runs, and the picture of the first.

import { drawRatios } from '../scripts/bench-chart.mjs';
import {
  byEngine,
  count,
  figure,
  found,
  measurementsOf,
  mediansOf,
  sizeOf,
  speeds,
  summaryOf,
  table,
  tenths,
  workloadsOf,
  writeSection,
} from '../scripts/bench-document.mjs';
import { boundsOf } from './bounds.mjs';

/** From this many cores in use by others on, the machine does not count as quiet. */
const DISTURBED_CORES = 0.1;
/** Levelscope, the form that counts first: with mapped tables, where that was measured. */
export const OWN = ['levelscope-mapped', 'levelscope'];

/** Levelscope ÷ the best other engine, in speed and in processor time; above 1 it is better. */
function ratioOf(medians, workload) {
  const all = medians.filter((each) => each.workload === workload);
  const own = OWN.map((name) => all.find(({ engine }) => engine === name)).find(Boolean);
  const others = all.filter(({ engine }) => !OWN.includes(engine));
  if (own === undefined || others.length === 0) return undefined;
  return {
    speed: own.perSecond / Math.max(...others.map(({ perSecond }) => perSecond)),
    processor: Math.min(...others.map(({ processMicros }) => processMicros)) / own.processMicros,
  };
}

/** By workload: the ratios, and their `swing`, by how much leaving out one of several rounds changes either of them at most. */
export function ratiosOf(rows) {
  const of = (some) => {
    const medians = mediansOf(some);
    const names = [...new Set(some.map(({ workload }) => workload))];
    return new Map(names.map((name) => [name, ratioOf(medians, name)]).filter(([, each]) => each));
  };
  const change = (one, other) => Math.max(one / other, other / one) - 1;
  const all = of(rows);
  for (const left of new Set(rows.map(({ round }) => round))) {
    const without = of(rows.filter(({ round }) => round !== left));
    const ran = new Set(rows.filter(({ round }) => round === left).map(({ workload }) => workload));
    for (const [workload, ratio] of all) {
      const other = without.get(workload);
      if (!ran.has(workload) || other === undefined) continue;
      const changes = ['speed', 'processor'].map((part) => change(ratio[part], other[part]));
      ratio.swing = Math.max(ratio.swing ?? 0, ...changes);
    }
  }
  return all;
}

const isMapped = ({ engines }) => engines.some(({ name }) => name === 'levelscope-mapped');

/** The growth of the processor time of an operation from the smallest run to the largest with values of the same size. */
function growthOf(runs) {
  const alike = runs
    .filter(({ settings }) => settings.valueBytes === runs[0].settings.valueBytes)
    .sort((one, other) => one.settings.entries - other.settings.entries);
  const [small, large] = [alike[0], alike.at(-1)];
  if (small === large) return undefined;
  const factorOf = (workload, name) => {
    const [before, after] = [small, large].map((run) => found(run, workload, name)?.processMicros);
    return before > 0 && after > 0 ? after / before : undefined;
  };
  const factors = workloadsOf(large).map((workload) => [
    workload,
    Object.fromEntries(large.engines.map(({ name }) => [name, factorOf(workload, name)])),
  ]);
  return {
    from: small.settings.entries,
    to: large.settings.entries,
    factors: Object.fromEntries(factors),
  };
}

/** The runs with medians, ratios and multiples of bounds in the place of rounds; the largest has the `growth` of costs. */
export function summarize(runs) {
  const usual = runs.filter((run) => !isMapped(run));
  const growth = usual.length > 0 ? growthOf(usual) : undefined;
  return runs.map((run) => {
    if (run.ratios !== undefined) return run;
    const summary = summaryOf(run);
    const isLargest = growth !== undefined && run.settings.entries === growth.to;
    return {
      ...summary,
      rows: summary.rows.map(figuresOf),
      rounds: Math.max(...run.rows.map(({ round }) => round)),
      ratios: Object.fromEntries(ratiosOf(run.rows)),
      timesBound: isMapped(run) ? {} : boundsOf(run),
      ...(isLargest ? { growth } : {}),
    };
  });
}

/** The fields of a row in a summary. */
const FIGURES =
  'workload engine perSecond processMicros percentiles writeAmplification diskPerData peakBytes perSecondSettled'.split(
    ' ',
  );
const figuresOf = (row) =>
  Object.fromEntries(
    FIGURES.map((name) => [name, row[name]]).filter(([, each]) => each !== undefined),
  );

const percent = (share) => (share === undefined ? '–' : `${Math.round(share * 100)} %`);
const thousand = (perSecond) => tenths(perSecond / 1000);

/** The speeds of a run beside the best other engine, and beside the bounds where it has them. */
export function show(measured) {
  const [run] = summarize([measured]);
  const own = isMapped(run) ? 'mapped' : 'Levelscope';
  const more = {
    [`${own} ÷ the best other`]: (name) => figure(run.ratios[name]?.speed),
    'in processor time': (name) => figure(run.ratios[name]?.processor),
    swing: (name) => percent(run.ratios[name]?.swing),
    ...(isMapped(run) ? {} : { 'times the bound': (name) => tenths(run.timesBound[name]) }),
  };
  const all = speeds(run, { corner: 'thousand operations a second', show: thousand, more });
  return `### ${sizeOf(run)}\n\n${all}`;
}

/** The workloads of `run` in which Levelscope is the fastest, and by how much. */
function answer(run) {
  const all = Object.entries(run.ratios).sort((one, other) => one[1].speed - other[1].speed);
  const first = all.filter(([, { speed }]) => speed >= 1).length;
  const [[least, slow], [most, fast]] = [all[0], all.at(-1)];
  return `With ${sizeOf(run)}, Levelscope is the fastest engine in ${first} of ${all.length} workloads: ${figure(slow.speed)} (${least}) to ${figure(fast.speed)}
times (${most}) as fast as the best of the others.`;
}

const isBelow = ({ speed, processor }) => Math.min(speed, processor) < 0.995;
/** Both ratios, bold where another engine is better. */
const both = (ratio) => {
  if (ratio === undefined) return '–';
  const text = `${figure(ratio.speed)} / ${figure(ratio.processor)}`;
  return isBelow(ratio) ? `**${text}**` : text;
};

/** The ratios of several runs, one column for each. */
function sizes(runs) {
  const names = [...new Set(runs.flatMap((run) => Object.keys(run.ratios)))];
  const rows = names.map((name) => [name, ...runs.map((run) => both(run.ratios[name]))]);
  const head = runs.map((run) =>
    sizeOf(run).replace(' entries, values of', ' ×').replace(' bytes', ''),
  );
  const all = runs.flatMap(({ ratios }) => Object.values(ratios));
  const below = all.filter(isBelow).length;
  return `Another engine is faster or takes less processor time in ${below} of ${all.length} cases, which are bold.\n\nLevelscope ÷ the best other engine; entries × bytes of a value.\n\n${table(['speed / processor time', ...head], rows)}`;
}

/** The gain of mapped tables, beside Levelscope without them and beside the best other engine. */
function mappedSection(runs) {
  if (runs.length === 0) return '';
  const gain = (run, name) =>
    found(run, name, 'levelscope-mapped')?.perSecond / found(run, name, 'levelscope')?.perSecond;
  const names = [...new Set(runs.flatMap((run) => workloadsOf(run)))];
  const cells = (name) => runs.flatMap((run) => [figure(gain(run, name)), both(run.ratios[name])]);
  const head = runs.flatMap((run) => [`${sizeOf(run)}: mapped ÷ not`, 'mapped ÷ the best other']);
  const gains = ['readrandom', 'seekrandom'].map((name) => figure(gain(runs[0], name)));
  return `## Tables in mapped memory

With the crate \`levelscope-mapped\`, a lookup is ${gains[0]} times and a seek ${gains[1]} times as fast; a disk that cannot be read ends the program
([decision 65](decisions/0065-mapped-tables.md)).

${table(
  ['workload', ...head],
  names.map((name) => [name, ...cells(name)]),
)}`;
}

/** Latencies, and what fills cost, of one run. */
function latenciesAndCosts(run) {
  const latencies = byEngine(run, 'p50 / p99.9 [µs]', {
    workloads: workloadsOf(run, ({ percentiles }) => percentiles),
    value: ({ percentiles }) => percentiles,
    show: ([half, , most]) => `${tenths(half)} / ${tenths(most)}`,
  });
  const costs = byEngine(run, 'written ÷ given / disk ÷ data / MB', {
    workloads: workloadsOf(run, ({ writeAmplification }) => writeAmplification > 0),
    value: ({ writeAmplification, diskPerData, peakBytes }) => [
      ...[writeAmplification, diskPerData].map(figure),
      Math.round(peakBytes / 1e6),
    ],
    show: (three) => three.join(' / '),
  });
  const random = run.engines.map(({ name }) => found(run, 'fillrandom', name)?.writeAmplification);
  const [own, ...others] = random.filter((each) => each > 0);
  const written =
    others.length > 0
      ? `A random fill writes ${figure(own)} bytes for each byte given, others ${figure(Math.min(...others))} to ${figure(Math.max(...others))}. `
      : '';
  const timed = workloadsOf(run, ({ percentiles }) => percentiles);
  const firstAt = (at) =>
    timed.filter((name) => {
      const all = run.engines.map((each) => found(run, name, each.name)?.percentiles?.[at]);
      return all[0] <= Math.min(...all.filter(Number.isFinite));
    }).length;
  return `## Latencies

Levelscope has the smallest median in ${firstAt(0)} of ${timed.length} workloads, and the smallest p99.9 in ${firstAt(2)} (ties count). ${sizeOf(run)}.

${latencies}

## Bytes and memory

${written}${sizeOf(run)}: bytes written ÷ bytes given, bytes on the disk ÷ data, peak memory.

${costs}`;
}

/** The table of `growth` in the run that has one. */
function growthSection(runs) {
  const large = runs.find((run) => run.growth);
  if (large === undefined) return '';
  const { from, to, factors } = large.growth;
  const own = Object.entries(factors).sort((a, b) => a[1].levelscope - b[1].levelscope);
  const [[least, low], [most, high]] = [own[0], own.at(-1)];
  const rows = Object.entries(factors).map(([workload, each]) => {
    const least = Math.min(...Object.values(each).filter(Boolean));
    const cell = ({ name }) => (each[name] === least ? `**${figure(least)}**` : figure(each[name]));
    return [workload, ...large.engines.map(cell)];
  });
  return `## How costs grow

From ${count(from)} to ${count(to)} entries, an operation takes ${figure(low.levelscope)} (${least}) to ${figure(high.levelscope)} times (${most}) the processor
time, background work included.

${table(['workload', ...large.engines.map(({ title }) => title)], rows)}`;
}

/** The section. */
export function report(runs) {
  const usual = runs.every(isMapped) ? runs : runs.filter((run) => !isMapped(run));
  const mapped = runs.filter((run) => !usual.includes(run));
  const [first, ...rest] = usual;
  const { machine, settings, engines, workloads, bounds } = first;
  const mib = (bytes) => `${bytes / 2 ** 20} MiB`;
  const disturbance = Math.max(...runs.map((run) => run.machine.disturbance));
  const quiet = disturbance < DISTURBED_CORES ? 'It was quiet' : '**It was not quiet**';
  const versions = engines.map(({ title, version, differs }) => [title, version, differs]);
  const purposes = workloads.map(({ name, purpose }) => [name, purpose]);
  return `## Beside other engines

${answer(first)}

![How many times as fast Levelscope is as each other engine, for each workload](images/peers.svg)

Measured on ${first.measured}: ${machine.processor}, ${machine.cores} cores, ${Math.round(machine.memory / 2 ** 30)} GiB of memory, ${machine.system}. ${quiet}: other programs and other
machines on the same processor used ${disturbance.toFixed(2)} cores on average. The same for all: keys of 16 bytes, values of which half can
be compressed, memtables of ${mib(settings.writeBufferBytes)}, block cache ${mib(settings.cacheBytes)}, Bloom filters of ${settings.bloomBits} bits a key, ${settings.threads} background threads where one
can choose, every write in the log, no sync but in fillsync. Everything else is each engine's default.

${table(['engine', 'version', 'differs'], versions, false)}

To repeat it: \`npm run bench -- peers\`. [${measurementsOf('peers').replace('docs/', '')}](${measurementsOf('peers').replace('docs/', '')}) has the medians of all runs.

The fastest is bold; ${first.rounds} rounds. Swing: by how much leaving out one round changes a ratio at most. The bound is the processor time of system calls, checksums and Snappy,
measured alone. A record written into reserved space and synced takes ${bounds.sync.toFixed(0)} µs, the bound of fillsync.

${show(first)}

${rest.length === 0 ? '' : `### Other sizes\n\n${sizes(rest)}`}

${mappedSection(mapped)}

${latenciesAndCosts(first)}

${growthSection(usual)}

## Workloads

${table(['workload', 'what it does'], purposes, false)}`;
}

/** Writes section and picture. */
export async function write(runs) {
  const [run] = runs;
  await drawRatios('docs/images/peers.svg', {
    title: 'Operations a second, Levelscope ÷ the other engine',
    noteTitle: 'best other',
    ticks: [0.1, 0.2, 0.5, 1, 2, 5, 10],
    runs: [run],
    note: (workload) => `× ${figure(run.ratios[workload]?.speed)}`,
  });
  writeSection('docs/PERFORMANCE.md', 'peers', report(runs));
}
