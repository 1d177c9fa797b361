// The worker's host with the real engine, as tests in Node use it: wasm on a disk that behaves like the
// browser's, or in memory.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EngineHost } from '../engine/host';
import { LESSON_TEXTS } from '../engine/lessonTexts';
import { DATABASE, Home } from '../engine/opfs';
import { IN_MEMORY, type Labs, type Place, type Wasm } from '../engine/wasm';
import { messageIn, offerOf, parcelOf, type WireMessage } from '../engine/wire';
import type { Message, Request } from '../model/engine.generated';
import type { ForeignFile } from '../share/foreign';
import { resultOf } from './answers';

// With a DOM, `URL` is that of the DOM: only the text of an address is the same everywhere.
const fileAt = (place: string) => join(dirname(fileURLToPath(import.meta.url)), place);
const wasmFile = fileAt('../engine/pkg/levelscope_wasm_bg.wasm');
const glueFile = '../engine/pkg/levelscope_wasm.js';
const labsFile = fileAt('../engine/pkg/levelscope_labs_bg.wasm');
const labsGlueFile = '../engine/pkg/levelscope_labs.js';
let wasm: Wasm;
let loads = 0;

/**
 * Loads the built module anew, as each worker does: test files share modules, and a database that one leaves open is none of the
 * next. A module that is not built is a failure, never a skip.
 */
export async function loadWasm(): Promise<Wasm> {
  if (!existsSync(wasmFile)) throw new Error('The engine is not built: npm run build:wasm');
  loads += 1;
  const glue = await import(/* @vite-ignore */ `${glueFile}?load=${loads}`);
  glue.initSync({ module: readFileSync(wasmFile) });
  wasm = glue as Wasm;
  return wasm;
}

/** As the worker loads the module of experiments. */
export async function loadLabs(): Promise<Labs> {
  const glue = await import(/* @vite-ignore */ labsGlueFile);
  glue.initSync({ module: readFileSync(labsFile) });
  return glue;
}

/** A folder of a browser's files: exclusive handles, a quota, real names. */
export class FakeDisk {
  readonly files = new Map<string, Uint8Array>();
  readonly open_ = new Map<string, FakeHandle>();
  quota = Number.POSITIVE_INFINITY;
  #beside: FakeDisk | null = null;

  /** Where the engine's host finds it. */
  async place(): Promise<Place> {
    const folder = this as unknown as FileSystemDirectoryHandle;
    return { ...IN_MEMORY, home: await Home.find(Promise.resolve(folder)) };
  }

  async *keys() {
    yield* this.files.keys();
  }

  async getDirectoryHandle(name: string, { create }: { create: boolean }): Promise<FakeDisk> {
    if (name === DATABASE) return this;
    if (!create && !this.beside.files.has('history')) {
      throw new DOMException(name, 'NotFoundError');
    }
    return this.beside;
  }

  async getFileHandle(name: string) {
    if (!this.files.has(name)) this.files.set(name, new Uint8Array());
    return { createSyncAccessHandle: async () => this.open(name) };
  }

  open(name: string): FakeHandle {
    if (this.open_.has(name)) throw new DOMException(name, 'NoModificationAllowedError');
    const handle = new FakeHandle(this, name);
    this.open_.set(name, handle);
    return handle;
  }

  /** The folder beside it, with the history of the session. */
  get beside(): FakeDisk {
    this.#beside ??= new FakeDisk();
    return this.#beside;
  }

  async removeEntry(name: string): Promise<void> {
    if (this.open_.has(name)) throw new DOMException(name, 'NoModificationAllowedError');
    if (!this.files.delete(name)) throw new DOMException(name, 'NotFoundError');
  }

  get bytes(): number {
    return [...this.files.values()].reduce((sum, file) => sum + file.length, 0);
  }

  /** The files that a new tab finds after this one was killed. */
  survivor(): FakeDisk {
    const disk = new FakeDisk();
    for (const [name, bytes] of this.files) disk.files.set(name, bytes.slice());
    if (this.#beside) disk.#beside = this.#beside.survivor();
    return disk;
  }
}

export class FakeHandle {
  readonly #disk: FakeDisk;
  readonly #name: string;

  constructor(disk: FakeDisk, name: string) {
    this.#disk = disk;
    this.#name = name;
  }

  get #bytes(): Uint8Array {
    return this.#disk.files.get(this.#name) ?? new Uint8Array();
  }

  read(buffer: Uint8Array, { at }: { at: number }): number {
    const part = this.#bytes.subarray(at, at + buffer.length);
    buffer.set(part);
    return part.length;
  }

  write(buffer: Uint8Array, { at }: { at: number }): number {
    const end = at + buffer.length;
    if (end > this.#bytes.length) {
      if (this.#disk.bytes + end - this.#bytes.length > this.#disk.quota) {
        throw new DOMException('No space available for this operation', 'QuotaExceededError');
      }
      this.truncate(end);
    }
    this.#bytes.set(buffer, at);
    return buffer.length;
  }

  flush(): void {}

  truncate(size: number): void {
    const bytes = new Uint8Array(size);
    bytes.set(this.#bytes.subarray(0, size));
    this.#disk.files.set(this.#name, bytes);
  }

  getSize(): number {
    return this.#bytes.length;
  }

  close(): void {
    if (this.#disk.open_.get(this.#name) === this) this.#disk.open_.delete(this.#name);
  }
}

export type Terminal = Extract<Message, { id: number | null }>;

export class Page {
  readonly heard: Message[] = [];
  /** The same messages as they travelled. */
  readonly sent: WireMessage[] = [];
  readonly host: EngineHost;
  onLoss: () => void = () => undefined;
  released = 0;
  loadLabs: () => Promise<Labs> = loadLabs;
  loadLessons = () => Promise.resolve(LESSON_TEXTS);
  /** [ms] */
  now = () => performance.now();
  #id = 0;
  #listeners = new Set<(message: Message) => void>();

  constructor(place: Place | FakeDisk | 'owned', engine: Wasm = wasm) {
    this.host = new EngineHost({
      version: 'test',
      load: async () => engine,
      loadLabs: () => this.loadLabs(),
      loadLessons: () => this.loadLessons(),
      // The page's messages pass a structured clone.
      send: (message) => {
        this.sent.push(message);
        const arrived = messageIn(structuredClone(message));
        this.heard.push(arrived);
        for (const listener of [...this.#listeners]) listener(arrived);
      },
      claim: async (_takeOver, onLoss) => {
        this.onLoss = onLoss;
        return place instanceof FakeDisk ? place.place() : place;
      },
      release: () => {
        this.released += 1;
      },
      breathe: () => new Promise((resolve) => setImmediate(resolve)),
      now: () => this.now(),
    });
  }

  post(request: Request, files: readonly ForeignFile[] = []): number {
    const id = ++this.#id;
    this.host.receive(structuredClone(parcelOf({ id, request }, files)));
    return id;
  }

  until<T extends Message>(test: (message: Message) => message is T): Promise<T> {
    return new Promise((resolve) => {
      const listener = (message: Message) => {
        if (!test(message)) return;
        this.#listeners.delete(listener);
        resolve(message);
      };
      this.#listeners.add(listener);
    });
  }

  /** The message that ends a request. */
  ask(request: Request, files: readonly ForeignFile[] = []): Promise<Terminal> {
    const end = this.until(
      (message): message is Terminal =>
        'id' in message &&
        message.id === this.#id &&
        message.type !== 'output' &&
        message.type !== 'progress',
    );
    this.post(request, files);
    return end;
  }

  async open(preset = 'classroom', settings: Record<string, string> = {}) {
    return this.ask({ type: 'open', preset, settings, storage: 'auto', takeOver: false });
  }

  importFiles(files: readonly ForeignFile[]) {
    return this.ask(offerOf(files), files);
  }

  async command(line: string) {
    const message = await this.ask({ type: 'command', line, at: null });
    if (message.type !== 'done') throw new Error(`${line}: ${JSON.stringify(message)}`);
    return { ...message, result: resultOf(message.answers) };
  }

  of<Type extends Message['type']>(type: Type): Extract<Message, { type: Type }>[] {
    return this.heard.filter(
      (message): message is Extract<Message, { type: Type }> => message.type === type,
    );
  }

  text(): string {
    const lines = this.of('output').flatMap((message) => message.lines);
    return lines.map(({ spans }) => spans.map(({ text }) => text).join('')).join('\n');
  }
}

export const onDisk = (disk: FakeDisk) => new Page(disk);
export const inMemory = () => new Page({ ...IN_MEMORY, why: 'A test has no files.' });
