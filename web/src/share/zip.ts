/** Zip archives, in and out. Part of the worker from the start: saving one's data must not depend on a server. */

import { type UnzipFileInfo, unzipSync, zipSync } from 'fflate';
import { Refused } from '../engine/wasm';
import { BYTES_MAX, FILES_MAX } from '../model/engine.generated';
import { messageOf } from '../model/failures';
import { isArchive } from './archive';
import type { ForeignFile } from './foreign';
import { ZIP_RATIO_MAX } from './limits';

/** Names of what operating systems add to archives on their own. */
const CLUTTER = /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$|\._)/;

/** The files, with those of each archive in its place. An archive in an archive stays one. */
export function unpacked(files: readonly ForeignFile[]): readonly ForeignFile[] {
  const budget = { files: 0, bytes: 0 };
  return files.flatMap((file) => (isArchive(file) ? contentOf(file, budget) : [file]));
}

function contentOf(
  { name, bytes }: ForeignFile,
  budget: { files: number; bytes: number },
): ForeignFile[] {
  const place = name.replace(/\.zip$/i, '');
  const most = Math.min(BYTES_MAX, bytes.length * ZIP_RATIO_MAX + 65_536);
  const filter = (info: UnzipFileInfo) => {
    if (info.name.endsWith('/') || CLUTTER.test(info.name)) return false;
    budget.files += 1;
    budget.bytes += info.originalSize;
    // What the archive says of itself decides before anything is unpacked; it gets no more room than that.
    if (budget.files > FILES_MAX) throw tooMuch(`${FILES_MAX} files`);
    if (!(budget.bytes <= most)) throw tooMuch(`${Math.floor(most / 1048576)} MiB for its size`);
    return true;
  };
  let content: Record<string, Uint8Array<ArrayBuffer>>;
  try {
    content = unzipSync(bytes, { filter }) as Record<string, Uint8Array<ArrayBuffer>>;
  } catch (error) {
    if (error instanceof Refused) throw error;
    const message = `The archive cannot be unpacked: ${messageOf(error)}.`;
    throw new Refused({ kind: 'corruption', message });
  }
  const names = Object.keys(content);
  // Most archives hold one directory: then its name is enough.
  const first = names[0]?.split('/')[0] ?? '';
  const isOne = names.length > 0 && names.every((known) => known.startsWith(`${first}/`));
  return Object.entries(content).map(([inner, held]) => ({
    name: isOne ? inner : `${place}/${inner}`,
    bytes: held,
  }));
}

function tooMuch(limit: string): Refused {
  const message = `The archive holds more than ${limit}; none of its files was opened.`;
  return new Refused({ kind: 'tooLarge', message });
}

/** The files as one archive. Tables are compressed already, so little is to be gained by trying hard. */
export function packed(files: readonly ForeignFile[]): Uint8Array<ArrayBuffer> {
  const content = Object.fromEntries(files.map(({ name, bytes }) => [name, bytes]));
  try {
    return zipSync(content, { level: 1, mtime: new Date(1980, 0, 1) }) as Uint8Array<ArrayBuffer>;
  } catch (error) {
    const message = `The archive cannot be made: ${messageOf(error)}.`;
    throw new Refused({ kind: 'io', message });
  }
}
