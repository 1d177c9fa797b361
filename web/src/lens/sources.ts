// Files that people give to the page, as directories that the lens can open.

import { isArchive } from '../share/archive';
import type { Listed } from '../share/entries';
import { DEPTH_MAX, LISTED_MAX } from '../share/limits';
import { entriesOf, findCentral, TAIL_BYTES } from './central';
import { looksForeign } from './looks';
import type { Source } from './protocol';

/**
 * The directory among files that were dropped or chosen; `null`: they are opened one by one. `isShown`: a directory is on
 * show, or is to be chosen, so that an archive that cannot be read is one, too.
 */
export async function foreignSource(
  listed: readonly Listed[],
  isShown = false,
): Promise<Source | null> {
  const [only] = listed;
  if (only !== undefined && listed.length === 1) {
    const names = await namesIn(only.file);
    if (isShown && !names?.length && (await isArchiveNamed(only))) return zipSource(only.file);
    return names !== null && looksForeign(names, true) ? zipSource(only.file) : null;
  }
  return looksForeign(listed.map(({ path }) => path)) ? filesSource(listed) : null;
}

const ZIP_NAME = /\.zip$/i;

/** What a person has chosen to be opened as a directory, whatever it looks like. */
export async function chosenSource(listed: readonly Listed[]): Promise<Source> {
  const [only] = listed;
  if (only !== undefined && listed.length === 1) {
    if (await isArchiveNamed(only)) return zipSource(only.file);
  }
  return filesSource(listed);
}

/** A broken archive may not begin as one; to be told why, it has to be opened as what its name says. */
const isArchiveNamed = async ({ path, file }: Listed) => ZIP_NAME.test(path) || isZip(file);

const zipSource = (archive: File): Source => ({ kind: 'zip', name: archive.name, archive });

function filesSource(listed: readonly Listed[]): Source {
  const first = listed[0]?.path ?? '';
  const at = first.indexOf('/');
  const alone = listed.length === 1 ? first : 'the files';
  const name = at > 0 ? first.slice(0, at) : alone;
  return { kind: 'files', name, files: listed.map(({ path, file }) => ({ path, file })) };
}

const bytesOf = async (slice: Blob) => new Uint8Array(await slice.arrayBuffer());

async function isZip(file: File): Promise<boolean> {
  try {
    return isArchive({ bytes: await bytesOf(file.slice(0, 4)) });
  } catch {
    return false;
  }
}

/** The names in an archive; `null`: it is none, or it cannot be read. */
async function namesIn(file: File): Promise<string[] | null> {
  if (!(await isZip(file))) return null;
  try {
    const tail = await bytesOf(file.slice(Math.max(file.size - TAIL_BYTES, 0)));
    const { offset, bytes } = findCentral(tail, file.size);
    return entriesOf(await bytesOf(file.slice(offset, offset + bytes))).map(({ name }) => name);
  } catch {
    return null;
  }
}

/** The part of the browser that lets a person pick a directory without reading it. */
interface DirectoryPicker {
  showDirectoryPicker?(options: { mode: 'read' }): Promise<FileSystemDirectoryHandle>;
}

/** Whether {@link pickDirectory} works here; elsewhere an input of type `file` takes its place. */
export function canPickDirectory(): boolean {
  return typeof (window as DirectoryPicker).showDirectoryPicker === 'function';
}

/** Lets a person pick a directory; `null`: none was picked. */
export async function pickDirectory(): Promise<FileSystemDirectoryHandle | null> {
  try {
    return (await (window as DirectoryPicker).showDirectoryPicker?.({ mode: 'read' })) ?? null;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null;
    throw error;
  }
}

/** The files of a directory; `onListed` is told how many there are so far, and says whether to go on. */
export async function pickedSource(
  root: FileSystemDirectoryHandle,
  onListed: (files: number) => boolean,
): Promise<Source> {
  return { kind: 'files', name: root.name, files: await filesBelow(root, onListed) };
}

/** Files are opened so many at a time: each takes a while to come. */
const AT_ONCE = 64;

/** The files of a directory and of its folders. */
async function filesBelow(root: FileSystemDirectoryHandle, onListed: (files: number) => boolean) {
  const found: { path: string; handle: FileSystemFileHandle }[] = [];
  const waiting = [{ folder: root, path: '', depth: 0 }];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    for await (const handle of next.folder.values()) {
      const path = `${next.path}${handle.name}`;
      const depth = next.depth + 1;
      if (handle.kind === 'file') found.push({ path, handle });
      else if (depth < DEPTH_MAX) waiting.push({ folder: handle, path: `${path}/`, depth });
      if (found.length >= LISTED_MAX) break;
      if (found.length % AT_ONCE === 0 && !onListed(found.length)) return [];
    }
  }
  const files: { path: string; file: File }[] = [];
  for (let at = 0; at < found.length; at += AT_ONCE) {
    if (!onListed(found.length)) return [];
    const some = found.slice(at, at + AT_ONCE).map(async ({ path, handle }) => {
      // A file that another program has deleted meanwhile is left out.
      const file = await handle.getFile().catch(() => null);
      if (file !== null) files.push({ path, file });
    });
    await Promise.all(some);
  }
  return files;
}
