// The worker's side of the lens: opens one directory and answers questions, one after the other.

import { BYTES_MAX } from '../model/engine.generated';
import { messageOf } from '../model/failures';
import { counted, size } from '../model/words';
import type { ForeignFile } from '../share/foreign';
import { openWithout, problemsOf, refuseNone, theirs } from './opening';
import type * as wasm from './pkg/levelscope_lens.js';
import type {
  FromWorker,
  LensFailure,
  LensFailureKind,
  LensReply,
  LensRequest,
  ToWorker,
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
  send(message: FromWorker): void;
  /** The bytes of a part of a file, at once. */
  readSlice(slice: Blob): ArrayBuffer;
  /** Lets messages out. */
  breathe(): Promise<void>;
  /** A clock [ms]. */
  now(): number;
}

type Of<Type extends LensRequest['type']> = Extract<LensRequest, { type: Type }>;

/** A failure that is sent as it is. */
class Refused extends Error {
  readonly kind: LensFailureKind;

  constructor(kind: LensFailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Between two messages about the bytes that were read [ms]. */
const PROGRESS_MS = 100;

export class LensHost {
  #directory: wasm.OpenDirectory | null = null;
  #listing: Listing | null = null;
  #folder = '';
  /** The request that gets the count of bytes read; `null`: the one at work reports other progress. */
  #progressId: number | null = null;
  #progressAt = 0;
  #files = 0;
  #bytes = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(private readonly around: HostSurroundings) {}

  /** Takes a request; its reply is sent when those before have theirs. */
  receive(message: ToWorker): void {
    this.#last = this.#last.then(() => this.#serve(message));
  }

  async #serve({ id, request }: ToWorker): Promise<void> {
    let reply: LensReply;
    const asked = request.type === 'ask' ? request.query.ask : null;
    const hasProgress =
      ['open', 'run'].includes(request.type) || (asked !== null && asked !== 'check');
    this.#progressId = hasProgress ? id : null;
    // The overview is the end of opening.
    if (asked !== 'overview') this.#bytes = 0;
    try {
      reply = await this.#reply(id, request);
    } catch (error) {
      reply = { type: 'failed', failure: failureOf(error) };
    }
    this.around.send({ id, reply });
  }

  async #reply(id: number, request: LensRequest): Promise<LensReply> {
    switch (request.type) {
      case 'open':
        return this.#open(request);
      case 'ask':
        return this.#ask(id, request);
      case 'csv':
        return answerOf(this.#opened().csv(JSON.stringify(request.query)));
      case 'run': {
        const { line, family, step } = request;
        const text = this.#opened().run(line, family, step ?? undefined);
        return { type: 'answer', text, saved: this.#saved() };
      }
      case 'files':
        return { type: 'whole', files: this.#whole() };
      case 'complete':
        return answerOf(this.#opened().complete(request.line, request.at));
      case 'export':
        return this.#export(id, request);
    }
  }

  async #open({ source, folder }: Of<'open'>): Promise<LensReply> {
    const wasm = await this.#load();
    const listing = readers(source, this.around.readSlice, (bytes) => this.#countRead(bytes));
    this.#files = listing.files.length;
    this.#countRead(0);
    if (source.kind === 'zip') refuseNone(listing, source.name);
    // A folder may be one of a database by a file that was left out; opening it reports the reason.
    const named = wasm.foldersOf([...listing.files, ...listing.leftOut].map(({ path }) => path));
    const folders = folder === null && named.length > 1 ? theirs(wasm, listing, named) : named;
    if (folder === null && folders.length > 1) return { type: 'folders', folders };
    const opened = folder ?? folders[0] ?? '';
    const { directory, leftOut } = openWithout(wasm, listing, opened, source.kind === 'zip');
    this.#directory = directory;
    this.#listing = listing;
    this.#folder = opened;
    return { type: 'opened', folder: opened, leftOut: problemsOf(leftOut, opened) };
  }

  /** Counts bytes read, and sends the count now and then: a worker can send messages during its work. */
  #countRead(bytes: number): void {
    this.#bytes += bytes;
    const now = this.around.now();
    if (this.#progressId === null || (bytes > 0 && now - this.#progressAt < PROGRESS_MS)) return;
    this.#progressAt = now;
    const progress = { done: this.#bytes, total: null, files: this.#files };
    this.around.send({ id: this.#progressId, progress });
  }

  async #load(): Promise<LensWasm> {
    try {
      return await this.around.load();
    } catch (error) {
      const message = `The part of the page that reads directories did not come: ${messageOf(error)}.`;
      throw new Refused('unserved', message);
    }
  }

  async #ask(id: number, { query }: Of<'ask'>): Promise<LensReply> {
    const directory = this.#opened();
    let outcome = directory.ask(JSON.stringify(query));
    for (;;) {
      const text = outcome.takeAnswer();
      const progress = { done: outcome.done, total: outcome.total ?? null };
      outcome.free();
      if (text !== undefined) return answerOf(text);
      const news = directory.checkNews();
      const more = news === undefined ? {} : { news: JSON.parse(news) };
      this.around.send({ id, progress: { ...progress, ...more } });
      await this.around.breathe();
      outcome = directory.advance();
    }
  }

  async #export(id: number, request: Of<'export'>): Promise<LensReply> {
    const { family, lossy, skipDamage, form } = request;
    const directory = this.#opened();
    directory.beginExport(family, lossy, skipDamage, form === 'log');
    const parts: Blob[] = [];
    const next = () => {
      try {
        return directory.export();
      } catch (error) {
        throw directory.isRefused() ? new Refused('lossy', messageOf(error)) : error;
      }
    };
    for (let part = next(); part; part = next()) {
      // The browser may keep the content of a blob on the disk. Memory of a module is never shared here.
      parts.push(new Blob([part as Uint8Array<ArrayBuffer>]));
      this.around.send({ id, progress: { done: directory.exported(), total: null } });
      await this.around.breathe();
    }
    return { type: 'table', table: new Blob(parts), losses: directory.losses() };
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

  /** All files of the open folder, without those in folders of it. */
  #whole(): ForeignFile[] {
    const inFolder = ({ path }: { path: string }) =>
      path.startsWith(this.#folder) && !path.slice(this.#folder.length).includes('/');
    const files = (this.#listing?.files ?? []).filter(inFolder);
    const all = files.reduce((sum, { bytes }) => sum + bytes, 0);
    if (all > BYTES_MAX) {
      const limit = `a branch is in memory, so at most ${size(BYTES_MAX)} are opened`;
      const message = `${counted(files.length, 'file')} have ${size(all)}: ${limit}.`;
      throw new Refused('too_large', message);
    }
    return files.map((file) => {
      const bytes = new Uint8Array(file.bytes);
      const read = file.read(0, bytes);
      return { name: file.path.slice(this.#folder.length), bytes: bytes.slice(0, read) };
    });
  }

  #opened(): wasm.OpenDirectory {
    if (this.#directory === null) throw new Refused('invalid', 'No directory is open.');
    return this.#directory;
  }
}

const answerOf = (text: string): LensReply => ({ type: 'answer', text });

const KINDS: ReadonlySet<string> = new Set<LensFailureKind>([
  'damaged',
  'not_read',
  'missing',
  'io',
  'invalid',
  'lossy',
  'too_large',
  'stopped',
  'unserved',
]);

function failureOf(error: unknown): LensFailure {
  const message = messageOf(error);
  if (error instanceof Error && 'kind' in error && KINDS.has(String(error.kind))) {
    return { kind: error.kind as LensFailureKind, message };
  }
  // The module ends without unwinding: a trap, or its memory is full.
  return { kind: 'panic', message: `The reader of the directory failed: ${message}.` };
}
