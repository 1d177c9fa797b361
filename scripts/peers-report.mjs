// The text of docs/PERFORMANCE.md, from the figures of one or more runs.

import { boundRows } from './peers-bounds.mjs';
import { shownRatio } from './ratio-chart.mjs';
import { count, table } from './sections.mjs';

/** Most rounds of a run. */
export const ROUNDS_MAX = 5;

/** Below this ratio Levelscope counts as slower: a smaller difference is noise. */
const SLOWER = 0.95;
/** From this many cores in use by others on, the machine does not count as quiet. */
const DISTURBED_CORES = 0.1;
/** Above this a ratio is not stable; as in bench/src/ratio.rs. */
const SWING_MAX = 0.05;

const thousands = (perSecond) => {
  const value = perSecond / 1000;
  return value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en-US');
};
const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

const shownSwing = (swing) => (swing === null ? '–' : `${Math.round(swing * 100)} %`);

const ofWorkload = (run, workload) => run.medians.filter((median) => median.workload === workload);

const MAPPED = 'levelscope-mapped';
const isMapped = ({ engines }) => engines.some(({ name }) => name === MAPPED);
const ownTitle = (run) => (isMapped(run) ? 'Mapped' : 'Levelscope');

function speeds(run) {
  const head = ['thousand operations a second', ...run.engines.map(({ title }) => title)];
  head.push(`${ownTitle(run)} ÷ the best other`, 'in processor time of all threads', 'swing');
  const rows = run.ratios.map(({ workload, speed, processor, swing }) => {
    const medians = ofWorkload(run, workload);
    const best = Math.max(...medians.map(({ perSecond }) => perSecond));
    const cells = run.engines.map(({ name }) => {
      const median = medians.find(({ engine }) => engine === name);
      if (median === undefined) return '–';
      const shown = thousands(median.perSecond);
      return median.perSecond === best ? `**${shown}**` : shown;
    });
    return [workload, ...cells, shownRatio(speed), shownRatio(processor), shownSwing(swing)];
  });
  return table(head, rows);
}

function tails(run) {
  const timed = run.ratios.filter(
    ({ workload }) => ofWorkload(run, workload)[0].percentiles !== null,
  );
  const head = ['microseconds: p50 / p99 / p99.9', ...run.engines.map(({ title }) => title)];
  const rows = timed.map(({ workload }) => {
    const cells = run.engines.map(({ name }) => {
      const median = ofWorkload(run, workload).find(({ engine }) => engine === name);
      return median?.percentiles?.map((micros) => micros.toFixed(1)).join(' / ') ?? '–';
    });
    return [workload, ...cells];
  });
  return table(head, rows);
}

function costs(run) {
  const head = [
    '',
    'engine',
    'written ÷ given',
    'disk ÷ data',
    'disk MB',
    'peak memory MB',
    'settled k/s',
  ];
  const rows = run.medians
    .filter(({ writeAmplification }) => writeAmplification > 0)
    .map((median) => [
      median.workload,
      median.engine,
      median.writeAmplification.toFixed(2),
      median.diskPerData.toFixed(2),
      megabytes(median.diskBytes),
      megabytes(median.peakBytes),
      thousands(median.perSecondSettled),
    ]);
  return table(head, rows);
}

function slowerThanOthers(run) {
  const worse = ({ speed, processor }) => Math.min(speed, processor);
  const slower = run.ratios
    .filter((ratio) => worse(ratio) < SLOWER)
    .sort((one, other) => worse(one) - worse(other));
  if (slower.length === 0)
    return 'In no workload does it need more than 5 % more time than the fastest other engine.';
  const titles = new Map(run.engines.map(({ name, title }) => [name, title]));
  const items = slower.map(({ workload, fastest, speed, processor }) => {
    const wall = `${shownRatio(speed)} of the speed of ${titles.get(fastest)}`;
    return `- ${workload}: ${wall}, ${shownRatio(processor)} in processor time`;
  });
  return ['It needs more time than the best other engine in', '', ...items].join('\n');
}

/** How the processor time of an operation grows from the smallest run to the largest with values of the same size. */
function growth(runs) {
  const { valueBytes } = runs[0].settings;
  const alike = runs
    .filter(({ settings }) => settings.valueBytes === valueBytes)
    .sort((one, other) => one.settings.entries - other.settings.entries);
  const [small, large] = [alike[0], alike.at(-1)];
  if (small === large) return '';
  const cost = (run, workload, engine) =>
    ofWorkload(run, workload).find((median) => median.engine === engine)?.processMicros;
  const workloads = large.ratios.map(({ workload }) => workload);
  const rows = workloads.map((workload) => {
    const times = large.engines.map(({ name }) => {
      const [before, after] = [cost(small, workload, name), cost(large, workload, name)];
      return before > 0 && after > 0 ? after / before : undefined;
    });
    const least = Math.min(...times.filter((factor) => factor !== undefined));
    const cells = times.map((factor) => {
      if (factor === undefined) return '–';
      return factor === least ? `**${factor.toFixed(2)}**` : factor.toFixed(2);
    });
    return [workload, ...cells];
  });
  const head = [
    `${count(small.settings.entries)} → ${count(large.settings.entries)} entries`,
    ...large.engines.map(({ title }) => title),
  ];
  return `## How costs grow

Processor time of one operation, background work included, in the largest run ÷ in the smallest, values of ${valueBytes} bytes.

${table(head, rows)}
`;
}

/** How many rounds there were: not all workloads need the same number. */
function roundsOf(run) {
  const most = new Map();
  for (const { workload, round } of run.rows)
    most.set(workload, Math.max(round, most.get(workload) ?? 0));
  const [least, greatest] = [Math.min(...most.values()), Math.max(...most.values())];
  const shown = least === greatest ? greatest : `${least} to ${greatest}`;
  return `${shown} round${greatest === 1 ? '' : 's'}`;
}

/** Names the workloads whose rounds did not agree within 5 %. */
function unstable({ ratios }) {
  const names = ratios.filter(({ swing }) => swing > SWING_MAX).map(({ workload }) => workload);
  return names.length === 0
    ? ''
    : ` The rounds did not come to agree within 5 % for ${names.join(', ')}.`;
}

const sizeOf = ({ settings }) =>
  `${count(settings.entries)} entries, values of ${count(settings.valueBytes)} bytes`;

function section(run) {
  return `## ${sizeOf(run)}

Medians of ${roundsOf(run)}; the fastest is bold.${unstable(run)}

${speeds(run)}

${slowerThanOthers(run)}

${tails(run)}

${costs(run)}
${boundsOf(run)}`;
}

/** The runs in which tables were mapped, too. */
function mappedSection(runs) {
  if (runs.length === 0) return '';
  const parts = runs.map(
    (run) => `${sizeOf(run)}; medians of ${roundsOf(run)}.${unstable(run)}\n\n${speeds(run)}\n`,
  );
  return `## Tables in mapped memory

The engine reads each block with a system call, as RocksDB, fjall and SurrealKV do, so that a disk that cannot read gives an error. LevelDB maps its tables
into memory: its reads are copies, and a failing disk ends the program. The crate \`levelscope-mapped\` does the same for Levelscope
([decision 65](decisions/0065-mapped-tables.md)); the ratios are those of this form.

${parts.join('\n')}
`;
}

/** The table of bounds; nothing for a run in which no workload has one. */
function boundsOf(run) {
  const rows = boundRows(run);
  if (rows.length === 0) return '';
  const head = [
    'workload',
    'what cannot be avoided',
    'bound µs',
    'Levelscope µs',
    'times the bound',
  ];
  const sync = `A record written into reserved space and synced takes ${run.bounds.sync.toFixed(0)} µs on this disk (median), the bound of fillsync.`;
  return `
Processor time of an operation beside what this machine takes for the work that cannot be avoided: system calls, checksums and Snappy,
measured alone in the same run. Comparing keys, moving them, filters and indexes are the rest. ${sync}

${table(head, rows)}
`;
}

/** How much other programs disturbed the runs. */
function disturbance(runs) {
  const cores = Math.max(...runs.map(({ machine }) => machine.disturbance));
  const share = `other programs and other machines on the same processor used ${cores.toFixed(2)} of ${runs[0].machine.cores} cores on average`;
  if (cores < DISTURBED_CORES) return `The machine was quiet: while it measured, ${share}.`;
  return `**The machine was not quiet**: while it measured, ${share} in the worst run. Wall times are then mostly noise, and
processor times larger than they need be; run it again on a quiet machine.`;
}

/** The whole report. */
export function report(runs) {
  const usual = runs.filter((run) => !isMapped(run));
  const [{ machine, settings, engines, medians }] = usual;
  const purposes = new Map(medians.map(({ workload, purpose }) => [workload, purpose]));
  const mib = (bytes) => `${bytes / 2 ** 20} MiB`;
  const memory = Math.round(machine.memory / 2 ** 30);
  const cache = mib(settings.cacheBytes);
  return `# Performance

Written by \`npm run bench:peers\`, which builds the other engines and measures all of them in one run; no figure here is typed.

![How many times as fast Levelscope is as each other engine, for each workload](images/peers.svg)

Machine: ${machine.processor}, ${machine.cores} cores, ${memory} GiB of memory, ${machine.system}. Figures of engines that took turns on
one machine can be compared with each other, not with those of another machine. Processor time is that of all threads until background
work has come to rest, so that no work is hidden; neighbours on the machine disturb it less than wall time. Swing is by how much leaving
out one of the rounds changes either ratio at most; rounds are repeated until it is below 5 %, or until there are ${ROUNDS_MAX},
of 1,000,000 entries 3, of more 1.
${disturbance(runs)}

The same for all: keys of 16 bytes, values of which half can be compressed, memtables of ${mib(settings.writeBufferBytes)}, block cache
${cache}, Bloom filters of ${settings.bloomBits} bits a key, ${settings.threads} background threads where one can choose, every write in
the log, no sync but in fillsync. Everything else is each engine's default.

${table(
  ['engine', 'version', 'differs'],
  engines.map(({ title, version, differs }) => [title, version, differs]),
  false,
)}

${usual.map(section).join('\n')}
${mappedSection(runs.filter(isMapped))}${growth(usual)}
## How it is measured

- Each engine runs each group of workloads in a process of its own, so that memory and caches are its own; within a group the engines
  take turns, and the order changes from round to round.
- After every fill the memtable is written out and the process must have used no processor time and written nothing for 200 ms:
  only then are reads measured, so that all engines are equally settled. "/compacted" repeats them after everything was merged into
  the deepest level.
- "settled" speed counts the time until then as well. Bytes written are those given to write calls by the whole process until then;
  disk is what the files occupy then; peak memory is the largest resident size of the process, mapped files included.
- Reads cause compactions, in Levelscope above all seeks, in LevelDB above all lookups. So seeks and lookups each begin with the database as
  the fill left it (seeks with a copy of it), and the first pass of each, seekcold and readcold, is measured. The processor time of reads includes that
  of the compactions that they cause; their speed does not include what is still merged after the last read. readcached, readwhilewriting and the
  reads after compact come after as many lookups that are not measured, readcached also after a scan. ([Decision 69](decisions/0069-reads-are-measured-from-the-fill-on.md))
- Files are in the system's page cache throughout, also in readcold and seekcold: only the engine and its own cache are cold there.
- Reads check that every value is there and has its length. LevelDB's C interface, used here, copies a value once more than its C++ one.
- One clock reading for each operation is included, except in whole scans.

| workload | what it does |
| --- | --- |
${[...purposes].map(([workload, purpose]) => `| ${workload} | ${purpose} |`).join('\n')}

\`npm run bench:peers -- --engines levelscope,leveldb --workloads fillrandom,readrandom --entries 100000 --rounds 3\` measures a part
and leaves this file alone; \`bench/\` is the program, its own cargo workspace.
`;
}
