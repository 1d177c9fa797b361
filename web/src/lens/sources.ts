// Dropped and chosen files as directories that the lens can open.

import type { Listed } from '../share/entries';
import { DEPTH_MAX, LISTED_MAX } from '../share/limits';
import type { Source } from './protocol';

const ZIP_NAME = /\.zip$/i;

/** The files as a directory, or the archive that is the only one; the module decides whether it can open them. */
export async function chosenSource(listed: readonly Listed[]): Promise<Source> {
  const [only] = listed;
  if (only !== undefined && listed.length === 1) {
    if (await isArchiveNamed(only)) return zipSource(only.file);
  }
  return filesSource(listed);
}

/** A broken archive may not begin as one; to get the reason, it is opened as the type in its name. */
const isArchiveNamed = async ({ path, file }: Listed) => ZIP_NAME.test(path) || isZip(file);

const zipSource = (archive: File): Source => ({ kind: 'zip', name: archive.name, archive });

function filesSource(listed: readonly Listed[]): Source {
  const first = listed[0]?.path ?? '';
  const at = first.indexOf('/');
  const alone = listed.length === 1 ? first : 'the files';
  const name = at > 0 ? first.slice(0, at) : alone;
  return { kind: 'files', name, files: listed.map(({ path, file }) => ({ path, file })) };
}

/** How zip archives begin; one without files has the second beginning. */
const SIGNATURES = ['PK\x03\x04', 'PK\x05\x06'];

async function isZip(file: File): Promise<boolean> {
  try {
    return SIGNATURES.includes(await file.slice(0, 4).text());
  } catch {
    return false;
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

/** The files of a directory; `onListed` gets their number so far and returns whether to go on. */
export async function pickedSource(
  root: FileSystemDirectoryHandle,
  onListed: (files: number) => boolean,
): Promise<Source> {
  return { kind: 'files', name: root.name, files: await filesBelow(root, onListed) };
}

/** Files opened at a time: each takes a while. */
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
