// The files of a directory, opened at once: what js/wasm/src/files.rs asks of a host.

import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { LevelscopeError } from '../engine/error';
import { codeOf } from './flock';

/** Errors of a directory above that is another user's, or on a medium that cannot be synced. */
const NOT_OURS = new Set(['EACCES', 'EPERM', 'EROFS', 'EINVAL']);

/** Makes the name of `path` in its directory durable. On Windows a directory cannot be opened. */
function syncName(path: string): void {
  if (process.platform === 'win32') return;
  try {
    const descriptor = openSync(dirname(path), 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (!NOT_OURS.has(String(codeOf(error)))) throw error;
  }
}

class NodeFile {
  constructor(
    private readonly descriptor: number,
    private readonly host: NodeHost,
  ) {}

  read(buffer: Uint8Array, at: number): number {
    return readSync(this.descriptor, buffer, 0, buffer.length, at);
  }

  write(bytes: Uint8Array, at: number): number {
    this.host.check?.();
    const count = writeSync(this.descriptor, bytes, 0, bytes.length, at);
    // A write that passes this was in the file before another program took the database and read it.
    this.host.check?.();
    return count;
  }

  sync(): void {
    fdatasyncSync(this.descriptor);
    this.host.check?.();
  }

  truncate(bytes: number): void {
    this.host.check?.();
    ftruncateSync(this.descriptor, bytes);
  }

  size(): number {
    return fstatSync(this.descriptor).size;
  }

  /** Does not throw, because the engine cannot go on after that. The descriptor is gone in any case. */
  close(): void {
    try {
      closeSync(this.descriptor);
    } catch (error) {
      this.host.unclosed ??= { error };
    }
  }
}

/** The error of making or listing `directory`; a file in its path is an error for the program. */
export function inPlaceOf(directory: string, error: unknown): unknown {
  if (!['EEXIST', 'ENOTDIR'].includes(String(codeOf(error)))) return error;
  let file = directory;
  while (!existsSync(file) && dirname(file) !== file) file = dirname(file);
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory() !== false) return error;
  const message = `${file} is a file: name a directory`;
  return new LevelscopeError({ kind: 'io', message });
}

/** Opens the files of one directory. */
export class NodeHost {
  readonly #directory: string;
  #descriptor: number | undefined;
  /** Called before each change of the directory, and around each write: throws if another program has taken the database. */
  check: (() => void) | undefined;
  /** Whether nothing can be written here. */
  isReadOnly = false;
  /** The first failure of closing a file, which network file systems and quotas may report that late. */
  unclosed: { readonly error: unknown } | undefined;

  constructor(directory: string) {
    this.#directory = directory;
  }

  list(): string[] {
    try {
      return readdirSync(this.#directory);
    } catch (error) {
      throw inPlaceOf(this.#directory, error);
    }
  }

  /** Makes the directory and the missing ones above it, each with its name synced in the one above. */
  make(): void {
    try {
      const directory = resolve(this.#directory);
      // Without a database, the process that made it may have been killed before it synced the name.
      if (existsSync(directory) && !existsSync(join(directory, 'CURRENT'))) syncName(directory);
      const missing: string[] = [];
      for (let at = directory; !existsSync(at); at = dirname(at)) missing.push(at);
      for (const name of missing.reverse()) {
        mkdirSync(name, { recursive: true });
        syncName(name);
      }
      mkdirSync(directory, { recursive: true });
    } catch (error) {
      throw inPlaceOf(this.#directory, error);
    }
  }

  create(name: string): NodeFile {
    this.check?.();
    return new NodeFile(openSync(join(this.#directory, name), 'wx+'), this);
  }

  open(name: string): NodeFile {
    // Tables never change; the engine writes to the other files of a database.
    const flags = this.isReadOnly || name.endsWith('.sst') ? 'r' : 'r+';
    return new NodeFile(openSync(join(this.#directory, name), flags), this);
  }

  remove(name: string): void {
    this.check?.();
    unlinkSync(join(this.#directory, name));
  }

  syncDirectory(): void {
    // On Windows a directory cannot be opened, and needs no sync.
    if (process.platform === 'win32') return;
    this.#descriptor ??= openSync(this.#directory, 'r');
    fsyncSync(this.#descriptor);
  }

  /** Throws if a file could not be closed well. */
  close(): void {
    const [descriptor, unclosed] = [this.#descriptor, this.unclosed];
    this.#descriptor = undefined;
    this.unclosed = undefined;
    if (descriptor !== undefined) closeSync(descriptor);
    if (unclosed !== undefined) throw unclosed.error;
  }
}
