// The processor time that an operation needs at least: system calls, checksums and Snappy, each measured alone.

import { found } from '../scripts/bench-document.mjs';

const SEEK_ENTRIES = 11;

const fill = (part) => part.log + part.merges;
const get = (part) => part.missed * part.block;
const seek = (part) => part.missed * part.block * (1 + (SEEK_ENTRIES - 1) / part.entriesPerBlock);
const scan = (part) => part.block / part.entriesPerBlock;
/** By workload, from the times of its parts [µs]. */
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

/** The times of the parts on this machine, for the tables that `median` wrote [µs]. */
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

/** By workload: how many times its bound Levelscope takes in `run`. */
export function boundsOf(run) {
  const times = Object.entries(BOUNDS).map(([workload, boundOf]) => {
    const own = found(run, workload, 'levelscope');
    const bound = own && boundOf(partsOf(run, own));
    return [workload, bound > 0 ? own.processMicros / bound : undefined];
  });
  return Object.fromEntries(times.filter(([, each]) => each !== undefined));
}
