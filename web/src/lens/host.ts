// The worker's side of the lens: opens one directory and answers questions, one after the other.

import { BYTES_MAX } from '../model/engine.generated';
import { messageOf } from '../model/failures';
import { counted, size } from '../model/words';
import type { ForeignFile } from '../share/foreign';
import { failureOf, LensError, type LensFailure } from './failure';
import type { Query } from './lens.generated';
import { openWithout, problemsOf, refuseNone, theirs } from './opening';
import type * as wasm from './pkg/levelscope_lens.js';
import type {
  Cursor,
  ExportForm,
  ExportPolicy,
  MadeTable,
  Opened,
  Progress,
  ReportQuery,
  Source,
} from './protocol';
import { type Listing, readers } from './readers';

/** Reads the files that the module asks for. */
export interface WasmHost {
  read(file: number, at: number, buffer: Uint8Array): number;
}

/** The part of the module that is used here; wasm/lens documents it. */
export type LensWasm = Pick<typeof wasm, 'OpenDirectory' | 'foldersOf'>;

/** The services that the host needs. */
export interface HostSurroundings {
  /** Fetches the module; rejects when it does not come. */
  load(): Promise<LensWasm>;
  send(message: LensMessage): void;
  /** The bytes of a part of a file, at once. */
  readSlice(slice: Blob): ArrayBuffer;
  /** Lets messages out. */
  breathe(): Promise<void>;
  /** A clock [ms]. */
  now(): number;
}

/** The methods that the page calls: all but the one that takes the calls. */
export type CallName = Exclude<keyof LensHost, 'receive'>;

/** A call of the page. */
export interface Call<Name extends CallName = CallName> {
  readonly id: number;
  readonly name: Name;
  readonly args: Readonly<Parameters<LensHost[Name]>>;
}

export type Answer<Name extends CallName> = Awaited<ReturnType<LensHost[Name]>>;

/** About a call: its end, or progress before it. */
export type LensMessage = { readonly id: number } & (
  | { readonly answer: unknown }
  | { readonly failure: LensFailure }
  | { readonly progress: Progress }
);

/** Between two messages about the bytes that were read [ms]. */
const PROGRESS_MS = 100;

export class LensHost {
  #directory: wasm.OpenDirectory | null = null;
  #listing: Listing | null = null;
  #folder = '';
  /** The call at work. */
  #id = 0;
  /** Whether its progress is the count of bytes read. */
  #counts = false;
  #countedAt = 0;
  #files = 0;
  #bytes = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(private readonly around: HostSurroundings) {}

  /** Takes a call; its answer is sent when those before have theirs. */
  receive(call: Call): void {
    this.#last = this.#last.then(() => this.#serve(call));
  }

  async #serve({ id, name, args }: Call): Promise<void> {
    this.#id = id;
    this.#counts = false;
    try {
      const answer: unknown = await Reflect.apply(this[name], this, args);
      this.around.send({ id, answer });
    } catch (error) {
      this.around.send({ id, failure: failureOf(error, trap) });
    }
  }

  /** Opens the database in `folder`; `null`: in the only folder that looks like one. */
  async open(source: Source, folder: string | null): Promise<Opened> {
    this.#count(0);
    const wasm = await this.#load();
    const listing = readers(source, this.around.readSlice, (bytes) => this.#countRead(bytes));
    this.#files = listing.files.length;
    this.#countRead(0);
    if (source.kind === 'zip') refuseNone(listing, source.name);
    // A folder may be one of a database by a file that was left out; opening it reports the reason.
    const named = wasm.foldersOf([...listing.files, ...listing.leftOut].map(({ path }) => path));
    const folders = folder === null && named.length > 1 ? theirs(wasm, listing, named) : named;
    if (folder === null && folders.length > 1) return { folders };
    const opened = folder ?? folders[0] ?? '';
    const { directory, leftOut } = openWithout(wasm, listing, opened, source.kind === 'zip');
    this.#directory = directory;
    this.#listing = listing;
    this.#folder = opened;
    return { folder: opened, leftOut: problemsOf(leftOut, opened) };
  }

  /** Answers a question as JSON, with progress in bytes. */
  async ask(query: Query): Promise<string> {
    // The overview is the end of opening; a check reports its own progress.
    if (query.ask !== 'check') this.#count(query.ask === 'overview' ? this.#bytes : 0);
    const directory = this.#opened();
    let outcome = directory.ask(JSON.stringify(query));
    for (;;) {
      const text = outcome.takeAnswer();
      const progress = { done: outcome.done, total: outcome.total ?? null };
      outcome.free();
      if (text !== undefined) return text;
      const news = directory.checkNews();
      const more = news === undefined ? {} : { news: JSON.parse(news) };
      this.around.send({ id: this.#id, progress: { ...progress, ...more } });
      await this.around.breathe();
      outcome = directory.advance();
    }
  }

  /** The table of a report as comma-separated values. */
  csv(query: ReportQuery): string {
    return this.#opened().csv(JSON.stringify(query));
  }

  /** Runs a line of the terminal about what the cursor names. `text`: a {@link Ran} as JSON, without what it has saved. */
  run(line: string, { family, step }: Cursor): { text: string; saved: readonly ForeignFile[] } {
    this.#count(0);
    const text = this.#opened().run(line, family, step ?? undefined);
    return { text, saved: this.#saved() };
  }

  /** Ways to go on at `at` [bytes] in a line: a list of `Completion` as JSON. */
  complete(line: string, at: number): string {
    return this.#opened().complete(line, at);
  }

  /** The live entries of a family, with progress in entries. */
  async exportTable(
    family: number,
    { lossy, skipDamage }: ExportPolicy,
    form: ExportForm,
  ): Promise<MadeTable> {
    const directory = this.#opened();
    directory.beginExport(family, lossy, skipDamage, form === 'log');
    const parts: Blob[] = [];
    const next = () => {
      try {
        return directory.export();
      } catch (error) {
        throw directory.isRefused() ? new LensError('lossy', messageOf(error)) : error;
      }
    };
    for (let part = next(); part; part = next()) {
      // The browser may keep the content of a blob on the disk. Memory of a module is never shared here.
      parts.push(new Blob([part as Uint8Array<ArrayBuffer>]));
      this.around.send({ id: this.#id, progress: { done: directory.exported(), total: null } });
      await this.around.breathe();
    }
    return { table: new Blob(parts), losses: directory.losses() };
  }

  /** All files of the open folder, without those in folders of it: of a database that becomes a branch. */
  files(): readonly ForeignFile[] {
    const inFolder = ({ path }: { path: string }) =>
      path.startsWith(this.#folder) && !path.slice(this.#folder.length).includes('/');
    const files = (this.#listing?.files ?? []).filter(inFolder);
    const all = files.reduce((sum, { bytes }) => sum + bytes, 0);
    if (all > BYTES_MAX) {
      const limit = `a branch is in memory, so at most ${size(BYTES_MAX)} are opened`;
      const message = `${counted(files.length, 'file')} have ${size(all)}: ${limit}.`;
      throw new LensError('too_large', message);
    }
    return files.map((file) => {
      const bytes = new Uint8Array(file.bytes);
      const read = file.read(0, bytes);
      return { name: file.path.slice(this.#folder.length), bytes: bytes.slice(0, read) };
    });
  }

  /** The count of bytes read, from `bytes` on, is the progress of the call at work. */
  #count(bytes: number): void {
    this.#counts = true;
    this.#bytes = bytes;
  }

  /** Counts bytes read, and sends the count now and then: a worker can send messages during its work. */
  #countRead(bytes: number): void {
    this.#bytes += bytes;
    const now = this.around.now();
    if (!this.#counts || (bytes > 0 && now - this.#countedAt < PROGRESS_MS)) return;
    this.#countedAt = now;
    const progress = { done: this.#bytes, total: null, files: this.#files };
    this.around.send({ id: this.#id, progress });
  }

  async #load(): Promise<LensWasm> {
    try {
      return await this.around.load();
    } catch (error) {
      const message = `The part of the page that reads directories did not come: ${messageOf(error)}.`;
      throw new LensError('unserved', message);
    }
  }

  /** The files that the last line has saved. */
  #saved(): ForeignFile[] {
    const files: ForeignFile[] = [];
    for (let file = this.#opened().takeSaved(); file; file = this.#opened().takeSaved()) {
      files.push({ name: file.name, bytes: Uint8Array.from(file.content) });
      file.free();
    }
    return files.reverse();
  }

  #opened(): wasm.OpenDirectory {
    if (this.#directory === null) throw new LensError('invalid', 'No directory is open.');
    return this.#directory;
  }
}

/** The module ends without unwinding: a trap, or its memory is full. */
const trap = (message: string): LensFailure => ({
  kind: 'panic',
  message: `The reader of the directory failed: ${message}.`,
});
