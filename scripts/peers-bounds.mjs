// How near the processor time of each workload comes to the time that the machine takes for the work that cannot be avoided:
// a part of docs/PERFORMANCE.md.

/** Parts that an operation of each workload needs at least, in words, and their times from the `bounds` of a run [µs]. */
const BOUNDS = {
  fillseq: [
    'one write to the log and its checksum; its table written once',
    (part) => part.log + part.table(1),
  ],
  fillbatch: [
    'the checksum of the record; its table written once',
    (part) => part.logChecksum + part.table(1),
  ],
  fillrandom: [
    'one write to the log; tables written as often as they were, read once less',
    (part) => part.log + part.merges,
  ],
  overwrite: ['the same', (part) => part.log + part.merges],
  compact: ['every table read and written as often as it was', (part) => part.rewritten],
  readrandom: [
    'reading the block, checksum, decompression, unless cached',
    (part) => part.missed * part.block,
  ],
  'readrandom/compacted': ['the same', (part) => part.missed * part.block],
  seekrandom: [
    'the same for the blocks that hold eleven entries',
    (part) => part.missed * part.block * part.seekBlocks,
  ],
  'seekrandom/compacted': ['the same', (part) => part.missed * part.block * part.seekBlocks],
  readseq: [
    "its share of a block's reading, checksum and decompression",
    (part) => part.block / part.entriesPerBlock,
  ],
  readreverse: ['the same', (part) => part.block / part.entriesPerBlock],
};
const SEEK_ENTRIES = 11;

function partsOf({ bounds, settings }, median) {
  const entryBytes = 16 + settings.valueBytes;
  const { entriesPerBlock, checksum, compress, decompress, read } = bounds;
  const block = read + checksum + decompress;
  const table = (times) => (times * (compress + checksum)) / entriesPerBlock;
  // The log takes an entry and a little more; everything else that was written are tables.
  const logShare = median.workload === 'compact' ? 0 : (entryBytes + 24) / entryBytes;
  const written =
    median.workload === 'compact'
      ? median.writtenBytes / median.operations / entryBytes
      : median.writeAmplification;
  const times = Math.max((written - logShare) / bounds.compressed, 1);
  return {
    log: bounds.logWrite + bounds.logChecksum,
    logChecksum: bounds.logChecksum,
    table,
    merges: table(times) + ((times - 1) * block) / entriesPerBlock,
    rewritten: table(times) + (times * block) / entriesPerBlock,
    missed: Math.max(1 - settings.cacheBytes / (settings.entries * entryBytes), 0),
    block,
    seekBlocks: 1 + (SEEK_ENTRIES - 1) / entriesPerBlock,
    entriesPerBlock,
  };
}

/** A row for each workload that has a bound: [workload, the work, bound, ours, ours ÷ bound]. */
export function boundRows(run) {
  return Object.entries(BOUNDS).flatMap(([workload, [work, bound]]) => {
    const own = run.medians.find((m) => m.workload === workload && m.engine === 'levelscope');
    if (own === undefined) return [];
    const micros = bound(partsOf(run, own));
    if (!(micros > 0)) return [];
    return [
      [
        workload,
        work,
        micros.toFixed(2),
        own.processMicros.toFixed(2),
        (own.processMicros / micros).toFixed(1),
      ],
    ];
  });
}
