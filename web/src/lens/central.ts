// The central directory of a zip archive, read without unpacking any file.

import { LensError } from './failure';

/** A file in an archive. */
export interface ZipEntry {
  readonly name: string;
  /** 0: stored as it is; 8: deflated. */
  readonly method: number;
  readonly crc32: number;
  /** Its bytes in the archive. */
  readonly packed: number;
  /** Its unpacked bytes, as the archive records them. */
  readonly bytes: number;
  /** Where its header begins in the archive. */
  readonly header: number;
  readonly isEncrypted: boolean;
}

/** The part at the end of an archive that holds the records of its list: the longest comment, and those of zip64. */
export const TAIL_BYTES = 0xffff + 22 + 20 + 56;

/** Files of one archive, and bytes of the list of them. */
export const ENTRIES_MAX = 100_000;
const CENTRAL_MAX = 64 << 20;

const END = 0x06054b50;
const END_BYTES = 22;
const LOCATOR = 0x07064b50;
const LOCATOR_BYTES = 20;
const END64 = 0x06064b50;
const END64_BYTES = 56;
const ENTRY = 0x02014b50;
const ENTRY_BYTES = 46;
const ZIP64_EXTRA = 1;
const LARGE = 0xffffffff;

/** Names of what operating systems add to archives on their own. */
const CLUTTER = /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$|\._[^/]*$)/;

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

/** Finds where the list is; `tail`: the last {@link TAIL_BYTES} of an archive of `length` bytes, or all of it. */
export function findCentral(tail: Uint8Array, length: number) {
  const view = viewOf(tail);
  let at = tail.length - END_BYTES;
  while (at >= 0 && !(view.getUint32(at, true) === END && endsThere(view, at))) at -= 1;
  if (at < 0) {
    const why = 'it has no end, so it was cut off or is no zip archive';
    throw new LensError('damaged', `The archive cannot be read: ${why}.`);
  }
  const place = { offset: view.getUint32(at + 16, true), bytes: view.getUint32(at + 12, true) };
  const large = large64(view, at);
  const central = large ?? place;
  const { offset, bytes } = central;
  if (bytes > CENTRAL_MAX) throw new LensError('too_large', 'The archive has too many files.');
  if (offset + bytes > length) {
    throw new LensError('damaged', 'The list of files in the archive lies after its end.');
  }
  return central;
}

/** A comment may hold the signature, too: the record that counts ends with the archive. */
function endsThere(view: DataView, at: number): boolean {
  return at + END_BYTES + view.getUint16(at + 20, true) === view.byteLength;
}

/** The place of the list in an archive of more than 4 GiB or 65,535 files; `null`: it has no such record. */
function large64(view: DataView, end: number) {
  const locator = end - LOCATOR_BYTES;
  if (locator < 0 || view.getUint32(locator, true) !== LOCATOR) return null;
  // It stands directly before its locator in the archives of all known programs.
  const at = locator - END64_BYTES;
  if (at < 0 || view.getUint32(at, true) !== END64) {
    throw new LensError('damaged', 'The record of a large archive is not where it should be.');
  }
  return { bytes: number64(view, at + 40), offset: number64(view, at + 48) };
}

function number64(view: DataView, at: number): number {
  const number = view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;
  if (Number.isSafeInteger(number)) return number;
  throw new LensError('damaged', 'A number in the archive is larger than any file.');
}

/** The files in the list, without folders and without clutter of operating systems. */
export function entriesOf(central: Uint8Array): ZipEntry[] {
  const view = viewOf(central);
  const utf8 = new TextDecoder();
  const entries: ZipEntry[] = [];
  for (let at = 0; at < central.length; ) {
    if (at + ENTRY_BYTES > central.length || view.getUint32(at, true) !== ENTRY) {
      throw new LensError('damaged', `The list of files in the archive is damaged at ${at}.`);
    }
    const nameBytes = view.getUint16(at + 28, true);
    const extraBytes = view.getUint16(at + 30, true);
    const end = at + ENTRY_BYTES + nameBytes + extraBytes + view.getUint16(at + 32, true);
    if (end > central.length) {
      throw new LensError('damaged', `The list of files in the archive is cut off at ${at}.`);
    }
    const nameEnd = at + ENTRY_BYTES + nameBytes;
    const name = utf8.decode(central.subarray(at + ENTRY_BYTES, nameEnd)).replaceAll('\\', '/');
    const sizes = sizesOf(view, at, nameEnd, nameEnd + extraBytes);
    if (!name.endsWith('/') && !CLUTTER.test(name)) {
      const flags = view.getUint16(at + 8, true);
      const method = view.getUint16(at + 10, true);
      const crc32 = view.getUint32(at + 16, true);
      entries.push({ name, method, crc32, ...sizes, isEncrypted: (flags & 1) !== 0 });
      if (entries.length > ENTRIES_MAX) {
        throw new LensError('too_large', `The archive has more than ${ENTRIES_MAX} files.`);
      }
    }
    at = end;
  }
  return entries;
}

type Sizes = Pick<ZipEntry, 'packed' | 'bytes' | 'header'>;

/** The numbers of an entry; one that does not fit into 32 bits stands in an extra field. */
function sizesOf(view: DataView, at: number, extra: number, extraEnd: number): Sizes {
  const sizes = {
    bytes: view.getUint32(at + 24, true),
    packed: view.getUint32(at + 20, true),
    header: view.getUint32(at + 42, true),
  };
  for (let field = extra; field + 4 <= extraEnd; ) {
    const end = field + 4 + view.getUint16(field + 2, true);
    if (view.getUint16(field, true) === ZIP64_EXTRA) {
      let next = field + 4;
      for (const name of ['bytes', 'packed', 'header'] as const) {
        if (sizes[name] !== LARGE || next + 8 > Math.min(end, extraEnd)) continue;
        sizes[name] = number64(view, next);
        next += 8;
      }
    }
    field = end;
  }
  return sizes;
}
