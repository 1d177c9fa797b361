// Rejects files of an archive by its list, before anything is unpacked.

import { size } from '../model/words';
import { ZIP_RATIO_MAX } from '../share/limits';
import type { ZipEntry } from './central';
import { LensError, type LensFailureKind } from './failure';
import { nameText } from './names';

/** A file that cannot be read. */
export interface LeftOut {
  readonly path: string;
  readonly kind: LensFailureKind;
  /** As a clause. */
  readonly why: string;
}

/** Bytes of unpacked files that are kept; a file that is larger is not read from an archive. */
export const UNPACKED_MAX = 256 << 20;
/** Up to this size a file may have any compression ratio: logs of text and empty blocks compress well. */
const ANY_RATIO_MAX = 16 << 20;
/** All files together may inflate to {@link UNPACKED_MAX} plus so many times their bytes in the archive. */
const TOTAL_RATIO_MAX = 32;
export const STORED = 0;
const DEFLATED = 8;
export const LOCAL_BYTES = 30;

/** Names of files without which no database opens. */
export const VITAL = /(^|\/)(CURRENT|MANIFEST-\d+|marker\.manifest\..+)$/;

/** The files of an archive that are left out. */
export function refused(entries: readonly ZipEntry[]): LeftOut[] {
  const leftOut = entries.flatMap((entry) => refusal(entry) ?? []);
  const out = new Set(leftOut.map(({ path }) => path));
  return [...leftOut, ...beyond(entries.filter(({ name }) => !out.has(name)))];
}

/** Why a file is not read; `null`: it is read. */
function refusal({ name: path, isEncrypted, method, packed, bytes }: ZipEntry): LeftOut | null {
  if (isEncrypted) return { path, kind: 'not_read', why: 'it is encrypted in the archive' };
  if (method === STORED) return null;
  if (method !== DEFLATED) {
    return { path, kind: 'not_read', why: `the archive packs it by method ${method}` };
  }
  if (bytes > UNPACKED_MAX) {
    const most = `a file is unpacked here up to ${size(UNPACKED_MAX)}`;
    return { path, kind: 'too_large', why: `it has ${size(bytes)} when it is unpacked; ${most}` };
  }
  if (bytes <= Math.max(packed * ZIP_RATIO_MAX, ANY_RATIO_MAX)) return null;
  const times = `more than ${ZIP_RATIO_MAX} times as much`;
  const why = `it would inflate from ${size(packed)} to ${size(bytes)}, ${times}`;
  return { path, kind: 'too_large', why };
}

/** The files that exceed the room of all together: the most compressed ones first, those that a database needs last. */
function beyond(entries: readonly ZipEntry[]): LeftOut[] {
  const deflated = entries.filter(({ method }) => method !== STORED);
  const packed = deflated.reduce((sum, entry) => sum + entry.packed, 0);
  const all = deflated.reduce((sum, { bytes }) => sum + bytes, 0);
  const most = UNPACKED_MAX + TOTAL_RATIO_MAX * packed;
  if (all <= most) return [];
  const sizes = `from ${size(packed)} to ${size(all)}`;
  const why = `all files together would inflate ${sizes}; they are unpacked here up to ${size(most)}`;
  const rank = ({ name, bytes, packed: own }: ZipEntry) =>
    VITAL.test(name) ? 0 : bytes / Math.max(own, 1);
  let sum = 0;
  return deflated
    .sort((one, other) => rank(one) - rank(other))
    .flatMap(({ name: path, bytes }) => {
      if (sum + bytes > most) return { path, kind: 'too_large', why };
      sum += bytes;
      return [];
    });
}

/** Checks the list of an archive for contradictions. */
export function compare(archive: string, entries: readonly ZipEntry[]): void {
  const names = new Set<string>();
  for (const { name, method, packed, bytes, isEncrypted } of entries) {
    if (names.has(name)) {
      const which = 'which of them the database means is not known';
      const twice = `has two files with the name "${nameText(name)}": ${which}.`;
      throw new LensError('damaged', `The archive ${nameText(archive)} ${twice}`);
    }
    names.add(name);
    if (method !== STORED || isEncrypted || packed === bytes) continue;
    const stored = `lists the file "${nameText(name)}" as uncompressed, but with`;
    const sizes = `${size(bytes)} in ${size(packed)} of the archive`;
    throw new LensError('damaged', `The archive ${nameText(archive)} ${stored} ${sizes}.`);
  }
  compareRanges(archive, entries);
}

/** Refuses files with overlapping bytes, which let a small archive unpack to any size. */
function compareRanges(archive: string, entries: readonly ZipEntry[]): void {
  const byPlace = [...entries].sort((one, other) => one.header - other.header);
  byPlace.forEach((entry, index) => {
    const before = byPlace[index - 1];
    if (before === undefined || before.header + LOCAL_BYTES + before.packed <= entry.header) return;
    const two = `"${nameText(before.name)}" and "${nameText(entry.name)}"`;
    const harm = 'is damaged or was made to do harm';
    throw new LensError(
      'damaged',
      `The archive ${nameText(archive)} ${harm}: ${two} share bytes of it.`,
    );
  });
}
