// The files of a directory, opened at once: what js/wasm/src/files.rs asks of a host.

import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/** Throws if another program has taken the database; absent where none can. */
type Check = (() => void) | undefined;

class NodeFile {
  readonly #descriptor: number;
  readonly #check: Check;

  constructor(descriptor: number, check: Check) {
    this.#descriptor = descriptor;
    this.#check = check;
  }

  read(buffer: Uint8Array, at: number): number {
    return readSync(this.#descriptor, buffer, 0, buffer.length, at);
  }

  write(bytes: Uint8Array, at: number): number {
    this.#check?.();
    const count = writeSync(this.#descriptor, bytes, 0, bytes.length, at);
    // A write that passes this was in the file before another program took the database and read it.
    this.#check?.();
    return count;
  }

  sync(): void {
    fdatasyncSync(this.#descriptor);
    this.#check?.();
  }

  truncate(bytes: number): void {
    this.#check?.();
    ftruncateSync(this.#descriptor, bytes);
  }

  size(): number {
    return fstatSync(this.#descriptor).size;
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** Opens the files of one directory. */
export class NodeHost {
  readonly #directory: string;
  #descriptor: number | undefined;
  /** Called before each change of the directory, and around each write. */
  check: Check;

  constructor(directory: string) {
    this.#directory = directory;
  }

  list(): string[] {
    return readdirSync(this.#directory);
  }

  make(): void {
    mkdirSync(this.#directory, { recursive: true });
  }

  create(name: string): NodeFile {
    this.check?.();
    return new NodeFile(openSync(join(this.#directory, name), 'wx+'), this.check);
  }

  open(name: string): NodeFile {
    // Tables never change; the engine writes to the other files of a database.
    const flags = name.endsWith('.sst') ? 'r' : 'r+';
    return new NodeFile(openSync(join(this.#directory, name), flags), this.check);
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

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}
