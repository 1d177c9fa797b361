// A database on files that look like a browser's: each is opened asynchronously, and closed again as soon as it can be.

import { Database, type LevelscopeOptions } from '../src/database';
import { LocalEngine } from '../src/engine/local';
import type { Engine, EngineFiles } from '../src/engine/module';
import type { Place } from '../src/engine/place';
import { load } from '../src/node/load';

type Disk = Map<string, Uint8Array>;

/** As a FileSystemSyncAccessHandle, over bytes in memory. */
class Handle {
  readonly #disk: Disk;
  readonly #name: string;

  constructor(disk: Disk, name: string) {
    this.#disk = disk;
    this.#name = name;
    if (!disk.has(name)) disk.set(name, new Uint8Array());
  }

  get #bytes() {
    return this.#disk.get(this.#name) ?? new Uint8Array();
  }

  read(buffer: Uint8Array, { at }: { at: number }): number {
    const part = this.#bytes.subarray(at, at + buffer.length);
    buffer.set(part);
    return part.length;
  }

  write(bytes: Uint8Array, { at }: { at: number }): number {
    const end = at + bytes.length;
    if (end > this.#bytes.length) this.truncate(end);
    this.#bytes.set(bytes, at);
    return bytes.length;
  }

  truncate(length: number) {
    const bytes = new Uint8Array(length);
    bytes.set(this.#bytes.subarray(0, length));
    this.#disk.set(this.#name, bytes);
  }

  getSize() {
    return this.#bytes.length;
  }

  flush() {}

  close() {}
}

/** Every file has to be opened ahead, and tables are closed after each slice of work. */
class BlockingPlace implements Place {
  readonly #disk: Disk = new Map();
  #files: EngineFiles | undefined;
  /** Number of calls that had to wait for a file. */
  waits = 0;

  async open({ Files }: Engine): Promise<EngineFiles> {
    this.#files = Files.registered([...this.#disk.keys()], new Uint8Array(16).fill(7));
    return this.#files;
  }

  async ahead(name: string): Promise<void> {
    this.waits++;
    await new Promise((resolve) => setImmediate(resolve));
    if (!this.#files?.isWanted(name)) return;
    const handle: unknown = new Handle(this.#disk, name);
    this.#files.register(name, handle as FileSystemSyncAccessHandle);
  }

  async tidy(): Promise<void> {
    for (const name of this.#files?.takeRemoved() ?? []) this.#disk.delete(name);
    this.#files?.closeCold(0);
  }

  async close(): Promise<void> {
    for (const name of this.#files?.closeAll() ?? []) this.#disk.delete(name);
    this.#files?.free();
    this.#files = undefined;
  }
}

export class BlockingLevelscope<K = string, V = string> extends Database<K, V> {
  readonly place: BlockingPlace;

  constructor(options: LevelscopeOptions<K, V> = {}) {
    const place = new BlockingPlace();
    const backend = new LocalEngine({ place, load, inspect: false });
    super(backend, { getSync: false, permanence: true }, options);
    this.place = place;
  }
}
