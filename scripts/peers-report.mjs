// The text of docs/PERFORMANCE.md, from the figures of one or more runs.

import { shownRatio } from './peers-chart.mjs';

/** Below this ratio Levelscope counts as slower: a smaller difference is noise. */
const SLOWER = 0.95;

const thousands = (perSecond) => {
  const value = perSecond / 1000;
  return value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en-US');
};
const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
const count = (number) => number.toLocaleString('en-US');

const table = (head, rows, numbers = true) =>
  [head, head.map((_, index) => (index > 0 && numbers ? '--:' : '---')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

const ofWorkload = (run, workload) => run.medians.filter((median) => median.workload === workload);

function speeds(run) {
  const head = ['thousand operations a second', ...run.engines.map(({ title }) => title)];
  head.push('Levelscope ÷ the best other', 'in processor time');
  const rows = run.ratios.map(({ workload, speed, processor }) => {
    const medians = ofWorkload(run, workload);
    const best = Math.max(...medians.map(({ perSecond }) => perSecond));
    const cells = run.engines.map(({ name }) => {
      const median = medians.find(({ engine }) => engine === name);
      if (median === undefined) return '–';
      const shown = thousands(median.perSecond);
      return median.perSecond === best ? `**${shown}**` : shown;
    });
    return [workload, ...cells, shownRatio(speed), shownRatio(processor)];
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
  const slower = run.ratios
    .filter(({ speed }) => speed < SLOWER)
    .sort((one, other) => one.speed - other.speed);
  if (slower.length === 0)
    return 'In no workload is it more than 5 % slower than the fastest other engine.';
  const titles = new Map(run.engines.map(({ name, title }) => [name, title]));
  const items = slower.map(({ workload, fastest, speed }) => {
    return `- ${workload}: ${shownRatio(speed)} of the speed of ${titles.get(fastest)}`;
  });
  return ['It is slower than the fastest other engine in', '', ...items].join('\n');
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

const rounds = (run) => Math.max(...run.rows.map(({ round }) => round));

function section(run) {
  const { settings } = run;
  return `## ${count(settings.entries)} entries, values of ${count(settings.valueBytes)} bytes

Medians of ${rounds(run)} round${rounds(run) === 1 ? '' : 's'}; the fastest is bold.

${speeds(run)}

${slowerThanOthers(run)}

${tails(run)}

${costs(run)}
`;
}

/** A warning when other programs wanted the machine while it measured. */
function disturbed({ load = 0, cores }) {
  if (load < cores / 4) return '';
  return `
**The machine was busy with other work** (load average ${load.toFixed(1)} on ${cores} cores when it began): wall times, and so all but the
last column of the first tables, are mostly noise. Run it again on a quiet machine.
`;
}

/** The whole report. */
export function report(runs) {
  const [{ machine, settings, engines, medians }] = runs;
  const purposes = new Map(medians.map(({ workload, purpose }) => [workload, purpose]));
  const mib = (bytes) => `${bytes / 2 ** 20} MiB`;
  const memory = Math.round(machine.memory / 2 ** 30);
  const cache = mib(settings.cacheBytes);
  return `# Performance

Written by \`npm run bench:peers\`, which builds the other engines and measures all of them in one run; no figure here is typed.

![How many times as fast Levelscope is as each other engine, for each workload](images/peers.svg)

Machine: ${machine.processor}, ${machine.cores} cores, ${memory} GiB of memory, ${machine.system}. Figures of engines that took turns on
one machine can be compared with each other, not with those of another machine. The last column compares the processor time of the
thread that makes the calls, which neighbours on the machine disturb less than wall time.
${disturbed(machine)}
The same for all: keys of 16 bytes, values of which half can be compressed, memtables of ${mib(settings.writeBufferBytes)}, block cache
${cache}, Bloom filters of ${settings.bloomBits} bits a key, ${settings.threads} background threads where one can choose, every write in
the log, no sync but in fillsync. Everything else is each engine's default.

${table(
  ['engine', 'version', 'differs'],
  engines.map(({ title, version, differs }) => [title, version, differs]),
  false,
)}

${runs.map(section).join('\n')}
${growth(runs)}
## How it is measured

- Each engine runs each group of workloads in a process of its own, so that memory and caches are its own; within a group the engines
  take turns, and the order changes from round to round.
- After every fill the memtable is written out and the process must have used no processor time and written nothing for 200 ms:
  only then are reads measured, so that all engines are equally settled. "/compacted" repeats them after everything was merged into
  the deepest level.
- "settled" speed counts the time until then as well. Bytes written are those given to write calls by the whole process until then;
  disk is what the files occupy then; peak memory is the largest resident size of the process, mapped files included.
- Files are in the system's page cache throughout, also in readcold: only the engine and its own cache are cold there.
- Reads check that every value is there and has its length. LevelDB's C interface, used here, copies a value once more than its C++ one.
- One clock reading for each operation is included, except in whole scans.

| workload | what it does |
| --- | --- |
${[...purposes].map(([workload, purpose]) => `| ${workload} | ${purpose} |`).join('\n')}

\`npm run bench:peers -- --engines levelscope,leveldb --workloads fillrandom,readrandom --entries 100000 --rounds 3\` measures a part
and leaves this file alone; \`bench/\` is the program, its own cargo workspace.
`;
}
