// Runs a call of the engine to its end in slices, with messages handled in between.

import type { Failure, PlayChange, Wanted, Work } from '../model/engine.generated';
import { EngineError } from '../model/failures';
import type { ForeignFile } from '../share/foreign';
import { packed } from '../share/zip';
import { type Files, open } from './files';
import type { Reporter } from './reporter';
import { Slices } from './slices';
import type { Surroundings, WasmEngine } from './wasm';
import type { Outcome } from './wire';

/** [ms] Between two progress messages. */
const PROGRESS_PAUSE = 100;

/** [ms] Between two checks whether a waiting command was cancelled. */
const LOOK_PAUSE = 50;

/** [ms] Of work that is settled together: the longer, the more files are deleted before they reach the medium. */
const SETTLE_PAUSE = 50;

/** The host's state for a run, read at every slice. */
interface Station {
  readonly around: Surroundings;
  readonly reporter: Reporter;
  /** `null`: the database is in memory. */
  files(): Files | null;
  /** Fetches what a command waits for, and hands it to the engine. */
  lend(wanted: Wanted): Promise<void>;
  /** Whether the command was cancelled. */
  isCancelled(): boolean;
  /** Whether another tab has taken the database. */
  isLost(): boolean;
  /** The command has changed Play. */
  changePlay(change: PlayChange): void;
}

/** Where the lines and the progress of a run go; `null`: to no request. */
interface Outlets {
  output: number | null;
  progress: number | null;
}

export class Driver {
  readonly #slices: Slices;
  #engine: WasmEngine | null = null;
  /** Why the run was refused. */
  #failure: Failure | null = null;

  constructor(private readonly station: Station) {
    this.#slices = new Slices(() => station.around.now());
  }

  async run(engine: WasmEngine, { output, progress: id }: Outlets): Promise<Outcome> {
    const { around, reporter, files } = this.station;
    let progressAt = around.now() + PROGRESS_PAUSE;
    this.#engine = engine;
    this.#failure = null;
    let sendAt = 0;
    for (;;) {
      if (this.station.isCancelled()) engine.cancel();
      const progress = this.#slices.advance(engine);
      if (isQuiet(progress) && around.now() < sendAt) {
        if (progress.state === 'blocked') await open(files(), progress.file).catch(this.#refuse);
        await this.#breathe(engine);
        continue;
      }
      const isSettled = await this.#settle();
      sendAt = around.now() + SETTLE_PAUSE;
      // Unsettled results are not sent: an `ok` would acknowledge them.
      if (isSettled) this.#sendResults(engine, progress, output);
      if (progress.state === 'idle' || progress.state === 'done') {
        reporter.news(engine);
        reporter.events(engine, true);
        reporter.settings(engine);
        const { answers, error } = progress.state === 'done' ? progress : NOTHING;
        return this.#failure === null ? { answers, error } : { answers: [], error: this.#failure };
      }
      if (progress.state === 'blocked') {
        await open(files(), progress.file).catch(this.#refuse);
      } else {
        if (id !== null && around.now() >= progressAt) {
          progressAt = around.now() + PROGRESS_PAUSE;
          const { done, total, label } = progress;
          around.send({ type: 'progress', id, done, total, label });
        }
        // News are about another branch then: its events follow them.
        reporter.news(engine);
      }
      if (progress.wants !== null) await this.#lend(progress.wants);
      await this.#pause(engine, progress);
    }
  }

  /** Stops the run; anything but a refusal is a bug. */
  readonly #refuse = (error: unknown): void => {
    if (!(error instanceof EngineError)) throw error;
    this.#failure = { kind: error.kind, message: error.message, hint: null };
    this.#engine?.cancel();
  };

  /** Sends output, saved files, and requests to the page: to pick files, to change Play. */
  #sendResults(engine: WasmEngine, { lines, save, pick, play }: Work, output: number | null): void {
    const { around } = this.station;
    if (output !== null && lines.length > 0) around.send({ type: 'output', id: output, lines });
    try {
      if (save !== null) this.#save(engine, save);
    } catch (error) {
      this.#refuse(error);
    }
    if (pick) around.send({ type: 'pick' });
    if (play !== null) this.station.changePlay(play);
  }

  /** Sends the files of `export`: one as it is, several as an archive. */
  #save(engine: WasmEngine, name: string): void {
    const files: ForeignFile[] = [];
    for (let file = engine.takeExported(); file; file = engine.takeExported()) {
      files.push({ name: file.name, bytes: Uint8Array.from(file.bytes) });
      file.free();
    }
    const [only] = files;
    const isOne = files.length === 1 && only !== undefined && !name.endsWith('.zip');
    const bytes = isOne ? only.bytes : packed(files.reverse());
    this.station.around.send({ type: 'exported', name, bytes });
  }

  /** Whether the files could be settled; it fails once, and every later write with it. */
  async #settle(): Promise<boolean> {
    try {
      await this.station.files()?.settle();
      return true;
    } catch (error) {
      this.#refuse(error);
      return false;
    }
  }

  /** Waits until the fetch is over, or the command is cancelled. */
  async #lend(wanted: Wanted): Promise<void> {
    let waits = true;
    const lent = this.station
      .lend(wanted)
      .catch(this.#refuse)
      .finally(() => {
        waits = false;
      });
    while (waits && !this.station.isCancelled() && !this.station.isLost()) {
      await Promise.race([lent, new Promise((resolve) => setTimeout(resolve, LOOK_PAUSE))]);
    }
  }

  /** Between two slices: events go out, cold files are closed, messages come in. */
  async #pause(engine: WasmEngine, progress: Work): Promise<void> {
    this.station.reporter.events(engine, progress.state === 'more' && progress.turns);
    // A blocked call may need more open tables at once than the limit: it gets them.
    if (progress.state !== 'blocked') this.station.files()?.closeCold();
    await this.#breathe(engine);
  }

  async #breathe(engine: WasmEngine): Promise<void> {
    await this.station.around.breathe();
    if (this.station.isLost()) engine.cancel();
  }
}

/** Whether work goes on after a slice without output. */
const isQuiet = ({ lines, save, pick, wants, play, ...state }: Work) =>
  (state.state === 'blocked' || (state.state === 'more' && !state.turns)) &&
  lines.length === 0 &&
  save === null &&
  !pick &&
  wants === null &&
  play === null;

const NOTHING: Outcome = { answers: [], error: null };
