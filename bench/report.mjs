// The section of docs/PERFORMANCE.md that `npm run bench -- peers` writes, from the figures of its runs, and the picture of the first.

import { drawRatios } from '../scripts/bench-chart.mjs';
import {
  byEngine,
  count,
  figure,
  found,
  mediansOf,
  rate,
  sizeOf,
  speeds,
  table,
  workloadsOf,
  writeSection,
} from '../scripts/bench-document.mjs';

/** From this many cores in use by others on, the machine does not count as quiet. */
const DISTURBED_CORES = 0.1;
const SEEK_ENTRIES = 11;
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

const fill = (part) => part.log + part.merges;
const get = (part) => part.missed * part.block;
const seek = (part) => part.missed * part.block * (1 + (SEEK_ENTRIES - 1) / part.entriesPerBlock);
const scan = (part) => part.block / part.entriesPerBlock;
/** The processor time that an operation of each workload needs at least [µs], from the times of its parts. */
const BOUNDS = {
  fillseq: (part) => part.log + part.table(1),
  fillbatch: (part) => part.logChecksum + part.table(1),
  fillrandom: fill,
  overwrite: fill,
  readrandom: get,
  'readrandom/compacted': get,
  seekrandom: seek,
  'seekrandom/compacted': seek,
  readseq: scan,
  readreverse: scan,
};

/** What the parts take on this machine, each measured alone, for the tables that `median` wrote [µs]. */
function partsOf({ bounds, settings }, median) {
  const entryBytes = 16 + settings.valueBytes;
  const { entriesPerBlock, checksum, compress, decompress, read } = bounds;
  const block = read + checksum + decompress;
  const tableOf = (times) => (times * (compress + checksum)) / entriesPerBlock;
  // The log takes an entry and a little more; everything else that was written are tables.
  const logShare = (entryBytes + 24) / entryBytes;
  const times = Math.max((median.writeAmplification - logShare) / bounds.compressed, 1);
  return {
    log: bounds.logWrite + bounds.logChecksum,
    logChecksum: bounds.logChecksum,
    table: tableOf,
    merges: tableOf(times) + ((times - 1) * block) / entriesPerBlock,
    missed: Math.max(1 - settings.cacheBytes / (settings.entries * entryBytes), 0),
    block,
    entriesPerBlock,
  };
}

const isMapped = ({ engines }) => engines.some(({ name }) => name === 'levelscope-mapped');

/** How many times its bound Levelscope takes; nothing where there is no bound. */
function timesBound(run, workload) {
  const own = found(run, workload, 'levelscope');
  const bound = own && BOUNDS[workload]?.(partsOf(run, own));
  return bound > 0 ? figure(own.processMicros / bound) : '–';
}

/** The speeds of a run beside the best other engine, and beside the bounds where it has them. */
export function show(run) {
  const ratios = ratiosOf(run.rows);
  const own = isMapped(run) ? 'mapped' : 'Levelscope';
  const swing = (name) => {
    const share = ratios.get(name)?.swing;
    return share === undefined ? '–' : `${Math.round(share * 100)} %`;
  };
  const table = speeds(run, {
    [`${own} ÷ the best other`]: (name) => figure(ratios.get(name)?.speed),
    'in processor time': (name) => figure(ratios.get(name)?.processor),
    swing,
    ...(isMapped(run) ? {} : { 'times the bound': (name) => timesBound(run, name) }),
  });
  const rounds = Math.max(...run.rows.map(({ round }) => round));
  return `### ${sizeOf(run)}\n\nRounds: at most ${rounds}.\n\n${table}`;
}

/** Latencies, and what fills cost, of one run. */
function latenciesAndCosts(run) {
  const latencies = byEngine(run, 'p50 / p99 / p99.9 [µs]', {
    workloads: workloadsOf(run, ({ percentiles }) => percentiles),
    value: ({ percentiles }) => percentiles,
    show: (three) => three.map(figure).join(' / '),
  });
  const costs = byEngine(run, 'written ÷ given / disk ÷ data / peak memory [MB] / settled speed', {
    workloads: workloadsOf(run, ({ writeAmplification }) => writeAmplification > 0),
    value: ({ writeAmplification, diskPerData, peakBytes, perSecondSettled }) => [
      ...[writeAmplification, diskPerData, peakBytes / 1e6].map(figure),
      rate(perSecondSettled),
    ],
    show: (four) => four.join(' / '),
  });
  return `## Latencies\n\n${sizeOf(run)}.\n\n${latencies}\n\n## Bytes\n\n${sizeOf(run)}.\n\n${costs}`;
}

/** How the processor time of an operation grows from the smallest run to the largest with values of the same size. */
function growth(runs) {
  const alike = runs
    .filter(({ settings }) => settings.valueBytes === runs[0].settings.valueBytes)
    .sort((one, other) => one.settings.entries - other.settings.entries);
  const [small, large] = [alike[0], alike.at(-1)];
  if (small === large) return '';
  const factors = byEngine(large, `${count(small.settings.entries)} → ${sizeOf(large)}`, {
    workloads: workloadsOf(large),
    value: ({ workload, engine, processMicros }) => {
      const before = found(small, workload, engine)?.processMicros;
      return before > 0 && processMicros > 0 ? processMicros / before : undefined;
    },
    show: figure,
    best: Math.min,
  });
  return `## How costs grow\n\nProcessor time of one operation in the largest run ÷ in the smallest.\n\n${factors}`;
}

/** The section. */
export function report(runs) {
  const usual = runs.every(isMapped) ? runs : runs.filter((run) => !isMapped(run));
  const mapped = runs.filter((run) => !usual.includes(run));
  const { machine, settings, engines, workloads, bounds } = usual[0];
  const mib = (bytes) => `${bytes / 2 ** 20} MiB`;
  const disturbance = Math.max(...runs.map((run) => run.machine.disturbance));
  const versions = engines.map(({ title, version, differs }) => [title, version, differs]);
  const purposes = workloads.map(({ name, purpose }) => [name, purpose]);
  return `Written by \`npm run bench -- peers\`, which builds the other engines and measures all of them in one run.

![How many times as fast Levelscope is as each other engine, for each workload](images/peers.svg)

Machine: ${machine.processor}, ${machine.cores} cores, ${Math.round(machine.memory / 2 ** 30)} GiB of memory, ${machine.system}. ${disturbance < DISTURBED_CORES ? 'It was quiet' : '**It was not quiet**'}: other programs and other
machines on the same processor used ${disturbance.toFixed(2)} cores on average in the worst run. The same for all: keys of 16 bytes, values of which half can
be compressed, memtables of ${mib(settings.writeBufferBytes)}, block cache ${mib(settings.cacheBytes)}, Bloom filters of ${settings.bloomBits} bits a key, ${settings.threads} background threads where one
can choose, every write in the log, no sync but in fillsync. Everything else is each engine's default.

${table(['engine', 'version', 'differs'], versions, false)}

## Speed

Medians of the rounds; the fastest is bold. The bound is the processor time of what cannot be avoided (system calls, checksums, Snappy), measured alone
in the same run. A record written into reserved space and synced takes ${bounds.sync.toFixed(0)} µs, the bound of fillsync.

${usual.map(show).join('\n\n')}

${mapped.length === 0 ? '' : `## Tables in mapped memory\n\nThe same with the crate \`levelscope-mapped\` ([decision 65](decisions/0065-mapped-tables.md)).\n\n${mapped.map(show).join('\n\n')}`}

${latenciesAndCosts(usual[0])}

${growth(usual)}

## Workloads

${table(['workload', 'what it does'], purposes, false)}`;
}

/** Writes section and picture. */
export async function write(runs) {
  const [run] = runs;
  const ratios = ratiosOf(run.rows);
  await drawRatios('docs/images/peers.svg', {
    title: 'Operations a second, Levelscope ÷ the other engine',
    noteTitle: 'best other',
    ticks: [0.1, 0.2, 0.5, 1, 2, 5, 10],
    runs: [run],
    note: (workload) => `× ${figure(ratios.get(workload)?.speed)}`,
  });
  writeSection('docs/PERFORMANCE.md', 'peers', report(runs));
}
