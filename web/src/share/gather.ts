/**
 * Files that people give to the page: chosen, dropped, or from a directory. Read whole, within limits; what is
 * left out is told.
 */

import { BYTES_MAX, FILES_MAX, NAME_UNITS_MAX } from '../model/engine.generated';
import { counted, size } from '../model/words';
import type { ForeignFile } from './foreign';
import { DEPTH_MAX } from './limits';

export interface Gathered {
  files: ForeignFile[];
  /** What was left out, as sentences. */
  leftOut: string[];
}

/** Takes files until the limits are reached. */
class Basket {
  readonly files: ForeignFile[] = [];
  private bytes = 0;
  private tooMany = 0;
  private readonly tooLarge: string[] = [];
  private readonly unreadable: string[] = [];

  get isFull(): boolean {
    return this.files.length + this.tooMany >= 2 * FILES_MAX;
  }

  async take(path: string, file: File): Promise<void> {
    if (this.files.length >= FILES_MAX) {
      this.tooMany += 1;
      return;
    }
    if (this.bytes + file.size > BYTES_MAX) {
      this.tooLarge.push(file.name);
      return;
    }
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      this.bytes += bytes.length;
      this.files.push({ name: path.slice(-NAME_UNITS_MAX), bytes });
    } catch {
      // A file that was moved away, or a directory that was chosen as a file.
      this.unreadable.push(file.name);
    }
  }

  done(): Gathered {
    const leftOut: string[] = [];
    const [large] = this.tooLarge;
    if (large !== undefined) {
      const rest = this.tooLarge.length > 1 ? ` and ${this.tooLarge.length - 1} more` : '';
      const most = size(BYTES_MAX);
      leftOut.push(`Left out, because at most ${most} are opened at once: ${large}${rest}`);
    }
    if (this.tooMany > 0) {
      leftOut.push(`Left out: ${counted(this.tooMany, 'file')} after the first ${FILES_MAX}`);
    }
    const [unread] = this.unreadable;
    if (unread !== undefined) {
      const rest = this.unreadable.length > 1 ? ` and ${this.unreadable.length - 1} more` : '';
      leftOut.push(`Could not be read: ${unread}${rest}`);
    }
    return { files: this.files, leftOut };
  }
}

/** Files that were chosen. */
export async function gatherChosen(chosen: Iterable<File>): Promise<Gathered> {
  const basket = new Basket();
  for (const file of chosen) await basket.take(file.webkitRelativePath || file.name, file);
  return basket.done();
}

/** Files and directories that were dropped. Call it while the event is handled: what it holds ends with it. */
export function gatherDropped(transfer: DataTransfer): Promise<Gathered> {
  const items = [...transfer.items].filter(({ kind }) => kind === 'file');
  const entries = items.map((item) => item.webkitGetAsEntry?.() ?? null);
  const files = [...transfer.files];
  return walkDropped(entries, files);
}

async function walkDropped(
  entries: readonly (FileSystemEntry | null)[],
  files: readonly File[],
): Promise<Gathered> {
  const basket = new Basket();
  if (entries.length === 0 || entries.some((entry) => entry === null)) {
    for (const file of files) await basket.take(file.name, file);
    return basket.done();
  }
  const waiting = entries.map((entry) => ({ entry: entry as FileSystemEntry, path: '', depth: 0 }));
  for (let next = waiting.shift(); next && !basket.isFull; next = waiting.shift()) {
    const { entry, path, depth } = next;
    const name = `${path}${entry.name}`;
    if (entry.isFile) {
      const file = await fileOf(entry as FileSystemFileEntry);
      if (file) await basket.take(name, file);
    } else if (entry.isDirectory && depth < DEPTH_MAX) {
      const inner = await listOf(entry as FileSystemDirectoryEntry);
      waiting.push(...inner.map((entry) => ({ entry, path: `${name}/`, depth: depth + 1 })));
    }
  }
  return basket.done();
}

function fileOf(entry: FileSystemFileEntry): Promise<File | null> {
  return new Promise((resolve) => entry.file(resolve, () => resolve(null)));
}

/** All entries of a directory, which come in portions; no more than could be opened. */
async function listOf(directory: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = directory.createReader();
  const all: FileSystemEntry[] = [];
  while (all.length <= FILES_MAX) {
    const some = await new Promise<FileSystemEntry[]>((resolve) =>
      reader.readEntries(resolve, () => resolve([])),
    );
    if (some.length === 0) break;
    all.push(...some);
  }
  return all.sort((left, right) => (left.name < right.name ? -1 : 1));
}
