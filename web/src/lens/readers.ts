// Files that are read by ranges, at once: slices of files, or parts of a zip archive.

import { Inflate } from 'fflate';
import { crc32 } from '../model/crc32';
import { entriesOf, findCentral, TAIL_BYTES, type ZipEntry } from './central';
import { LensError } from './failure';
import { nameText } from './names';
import type { Source } from './protocol';
import {
  compare,
  type LeftOut,
  LOCAL_BYTES,
  refused,
  STORED,
  UNPACKED_MAX,
  VITAL,
} from './refusals';

/** A file of a directory. */
export interface ReadFile {
  readonly path: string;
  readonly bytes: number;
  /** Fills `buffer` from `at` on; returns how many bytes there were. */
  read(at: number, buffer: Uint8Array): number;
}

/** The files of a source, and those of an archive that cannot be read. */
export interface Listing {
  readonly files: readonly ReadFile[];
  readonly leftOut: readonly LeftOut[];
}

/** The bytes of a part of a file, at once. */
type ReadSlice = (slice: Blob) => ArrayBuffer;

/** Files that the module reads once, from their beginning to their end, and keeps. */
const READ_ONCE = /(^|\/)(\d+(-\d+)?\.(log|wal)|MANIFEST-\d+)$/;
/** Stored files up to this size are compared with their checksum when they are first read. */
const COMPARED_MAX = 1 << 20;
/** How much of an archive is read at once. */
const PART_BYTES = 1 << 20;
/** How much of it is unpacked at once: deflate makes about a thousand times as many bytes of them. */
const CHUNK_BYTES = 8 << 10;
const LOCAL = 0x04034b50;

type Zip = Extract<Source, { kind: 'zip' }>;

/** The files of a source; `onRead` gets the number of bytes read of files, or unpacked. */
export function readers(
  source: Source,
  readSlice: ReadSlice,
  onRead: (bytes: number) => void = () => {},
): Listing {
  if (source.kind === 'zip') return archived(source, readSlice, onRead);
  const files = source.files.map(({ path, file }) => ({
    path,
    bytes: file.size,
    read(at: number, buffer: Uint8Array) {
      const bytes = readInto(file, at, buffer, readSlice);
      onRead(bytes);
      return bytes;
    },
  }));
  return { files, leftOut: [] };
}

function readInto(file: Blob, at: number, buffer: Uint8Array, readSlice: ReadSlice): number {
  const bytes = new Uint8Array(readSlice(file.slice(at, at + buffer.length)));
  buffer.set(bytes);
  return bytes.length;
}

function archived(
  { name, archive }: Zip,
  readSlice: ReadSlice,
  onRead: (bytes: number) => void,
): Listing {
  const part = (start: number, bytes: number) =>
    new Uint8Array(readSlice(archive.slice(start, start + bytes)));
  const tail = part(Math.max(archive.size - TAIL_BYTES, 0), TAIL_BYTES);
  const central = findCentral(tail, archive.size);
  const unpacked = new Unpacked(part, archive.size, onRead);
  const entries = entriesOf(part(central.offset, central.bytes));
  compare(name, entries);
  const leftOut = refused(entries);
  const out = new Set(leftOut.map(({ path }) => path));
  const sound = entries.filter((entry) => !out.has(entry.name));
  const locked = entries.filter(({ isEncrypted }) => isEncrypted);
  if (locked.some((entry) => VITAL.test(entry.name)) || (locked[0] && sound.length === 0)) {
    const wayOut = 'Unpack it with its password, and open the directory.';
    throw new LensError('not_read', `The archive ${nameText(name)} is encrypted. ${wayOut}`);
  }
  const files = sound.map((entry) => ({
    path: entry.name,
    bytes: entry.bytes,
    read(at: number, buffer: Uint8Array) {
      if (entry.method !== STORED)
        return copy(unpacked.file(entry, at + buffer.length), at, buffer);
      const start = unpacked.stored(entry);
      const end = Math.min(start + at + buffer.length, start + entry.bytes);
      const bytes = readInto(archive.slice(0, end), start + at, buffer, readSlice);
      onRead(bytes);
      return bytes;
    },
  }));
  return { files, leftOut };
}

function copy(from: Uint8Array, at: number, buffer: Uint8Array): number {
  const part = from.subarray(at, at + buffer.length);
  buffer.set(part);
  return part.length;
}

const otherBytes = () => new LensError('damaged', 'its bytes are not those that were packed');

/** The files of an archive that were unpacked last. */
class Unpacked {
  /** In the order of their last use. */
  readonly #kept = new Map<ZipEntry, Uint8Array>();
  #bytes = 0;
  /** Files read to their end and not expected to be read again: they are dropped first. */
  readonly #done = new Set<ZipEntry>();
  /** Stored files whose checksum matched. */
  readonly #sound = new Set<ZipEntry>();

  constructor(
    private readonly part: (start: number, bytes: number) => Uint8Array,
    private readonly archiveBytes: number,
    private readonly onUnpacked: (bytes: number) => void,
  ) {}

  /** Where the bytes of a file begin in the archive. */
  start(entry: ZipEntry): number {
    if (entry.header + LOCAL_BYTES + entry.packed > this.archiveBytes) {
      throw new LensError('damaged', 'the archive ends before it');
    }
    const header = this.part(entry.header, LOCAL_BYTES);
    const view = new DataView(header.buffer, header.byteOffset, header.length);
    if (header.length < LOCAL_BYTES || view.getUint32(0, true) !== LOCAL) {
      throw new LensError('damaged', `the archive has no file at ${entry.header}`);
    }
    const start = entry.header + LOCAL_BYTES + view.getUint16(26, true) + view.getUint16(28, true);
    if (start + entry.packed > this.archiveBytes) {
      throw new LensError('damaged', 'the archive ends before it');
    }
    return start;
  }

  /**
   * The offset of a stored file's bytes. A small file is compared with its checksum at its first read; a large one is not,
   * because that would read all of it, and tables, logs and manifests have checksums of their own.
   */
  stored(entry: ZipEntry): number {
    const start = this.start(entry);
    if (entry.bytes <= COMPARED_MAX && !this.#sound.has(entry)) {
      if (crc32(this.part(start, entry.bytes)) !== entry.crc32) throw otherBytes();
      this.#sound.add(entry);
    }
    return start;
  }

  /** The bytes of a file that is read up to `end`. */
  file(entry: ZipEntry, end: number): Uint8Array {
    if (end >= entry.bytes && READ_ONCE.test(entry.name)) this.#done.add(entry);
    const known = this.#kept.get(entry);
    this.#kept.delete(entry);
    const bytes = known ?? this.#unpack(entry);
    this.#kept.set(entry, bytes);
    return bytes;
  }

  #unpack(entry: ZipEntry): Uint8Array {
    // `refused` has accepted the size in the archive's list; the file gets no more room than that.
    for (const [oldest, { length }] of this.#kept) {
      const hasRoom = this.#bytes + entry.bytes <= UNPACKED_MAX;
      if (hasRoom && !this.#done.has(oldest)) continue;
      this.#kept.delete(oldest);
      this.#bytes -= length;
    }
    const bytes = this.#inflate(entry, this.start(entry));
    this.#bytes += bytes.length;
    return bytes;
  }

  #inflate(entry: ZipEntry, start: number): Uint8Array {
    const bytes = new Uint8Array(entry.bytes);
    let done = 0;
    const inflate = new Inflate((chunk) => {
      if (done + chunk.length > bytes.length) {
        throw new LensError('damaged', 'it has more bytes than the archive records');
      }
      bytes.set(chunk, done);
      done += chunk.length;
      this.onUnpacked(chunk.length);
    });
    try {
      for (const [chunk, isLast] of this.#chunks(start, entry.packed)) inflate.push(chunk, isLast);
    } catch (error) {
      if (error instanceof LensError) throw error;
      throw new LensError('damaged', 'it cannot be unpacked');
    }
    if (done !== bytes.length || crc32(bytes) !== entry.crc32) {
      throw otherBytes();
    }
    return bytes;
  }

  /** The bytes of an entry in small pieces, and whether each is the last one. */
  *#chunks(start: number, packed: number): Generator<[Uint8Array, boolean]> {
    for (let at = 0; at < packed; at += PART_BYTES) {
      const part = this.part(start + at, Math.min(PART_BYTES, packed - at));
      for (let from = 0; from < part.length; from += CHUNK_BYTES) {
        const chunk = part.subarray(from, from + CHUNK_BYTES);
        yield [chunk, at + from + chunk.length === packed];
      }
    }
  }
}
