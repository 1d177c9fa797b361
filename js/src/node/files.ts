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

class NodeFile {
  readonly #descriptor: number;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  read(buffer: Uint8Array, at: number): number {
    return readSync(this.#descriptor, buffer, 0, buffer.length, at);
  }

  write(bytes: Uint8Array, at: number): number {
    return writeSync(this.#descriptor, bytes, 0, bytes.length, at);
  }

  sync(): void {
    fdatasyncSync(this.#descriptor);
  }

  truncate(bytes: number): void {
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
    return new NodeFile(openSync(join(this.#directory, name), 'wx+'));
  }

  open(name: string): NodeFile {
    // Tables never change; the engine writes to the other files of a database.
    const flags = name.endsWith('.sst') ? 'r' : 'r+';
    return new NodeFile(openSync(join(this.#directory, name), flags));
  }

  remove(name: string): void {
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
