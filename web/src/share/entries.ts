/** Dropped and chosen files, before any of their bytes is read. */

import { DEPTH_MAX, LISTED_MAX } from './limits';

/** A file, and its name with directories. */
export interface Listed {
  readonly path: string;
  readonly file: File;
}

/** Files that were chosen. */
export function listChosen(chosen: Iterable<File>): Listed[] {
  return Array.from(chosen, (file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/**
 * Dropped files and directories, directory by directory. Call it inside the event handler: the browser clears the event's
 * data afterwards.
 */
export function listDropped(transfer: DataTransfer): Promise<Listed[]> {
  const items = [...transfer.items].filter(({ kind }) => kind === 'file');
  const entries = items.map((item) => item.webkitGetAsEntry?.() ?? null);
  return walkDropped(entries, [...transfer.files]);
}

async function walkDropped(
  entries: readonly (FileSystemEntry | null)[],
  files: readonly File[],
): Promise<Listed[]> {
  if (entries.length === 0 || entries.some((entry) => entry === null)) {
    return files.map((file) => ({ path: file.name, file }));
  }
  const listed: Listed[] = [];
  const waiting = entries.map((entry) => ({ entry: entry as FileSystemEntry, path: '', depth: 0 }));
  for (let next = waiting.shift(); next && listed.length < LISTED_MAX; next = waiting.shift()) {
    const { entry, path, depth } = next;
    const name = `${path}${entry.name}`;
    if (entry.isFile) {
      const file = await fileOf(entry as FileSystemFileEntry);
      if (file) listed.push({ path: name, file });
    } else if (entry.isDirectory && depth < DEPTH_MAX) {
      const inner = await listOf(entry as FileSystemDirectoryEntry);
      waiting.push(...inner.map((entry) => ({ entry, path: `${name}/`, depth: depth + 1 })));
    }
  }
  return listed;
}

function fileOf(entry: FileSystemFileEntry): Promise<File | null> {
  return new Promise((resolve) => entry.file(resolve, () => resolve(null)));
}

/** All entries of a directory, which come in portions. */
async function listOf(directory: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = directory.createReader();
  const all: FileSystemEntry[] = [];
  while (all.length < LISTED_MAX) {
    const some = await new Promise<FileSystemEntry[]>((resolve) =>
      reader.readEntries(resolve, () => resolve([])),
    );
    if (some.length === 0) break;
    all.push(...some);
  }
  return all.sort((left, right) => (left.name < right.name ? -1 : 1));
}
