import type { Message } from '../engine/protocol';
import type { Failure } from '../model/engine.generated';
import {
  commandBegins,
  commandEnds,
  FIRST_PAGE,
  opening,
  type Page,
  receive,
  SPEEDS,
  type StepGrain,
  select,
} from '../model/page';
import { counted } from '../model/words';
import type { LineStore } from '../terminal/history';
import { line, TerminalSession } from '../terminal/session';
import { FIRST_OPENING, saveOpening } from './opening';
import { framePace, type Schedule } from './pace';
import type { Engine, OpenRequest, Outcome } from './port';
import { createStore, type Store } from './store';
import { WELCOME } from './welcome';

/** Joins engine, terminal and page: whatever happens goes through here. */
export class Lab {
  readonly store: Store<Page> = createStore(FIRST_PAGE);
  readonly terminal: TerminalSession;

  private waiting: ((page: Page) => Page)[] = [];
  private scheduled = false;
  private readonly stop: () => void;

  constructor(
    readonly engine: Engine,
    private readonly lines: LineStore | null,
    private readonly schedule: Schedule = framePace(),
  ) {
    this.terminal = new TerminalSession(
      {
        run: (command) => this.run(command),
        complete: (text, cursor) => engine.complete(text, cursor),
        cancel: () => engine.cancel(),
      },
      lines,
    );
    this.terminal.print(WELCOME);
    this.stop = engine.on((message) => this.hear(message));
  }

  dispose(): void {
    this.stop();
  }

  /** Opens the database; answers and failures come as messages. */
  async open(request: OpenRequest): Promise<void> {
    this.store.update(opening);
    try {
      await this.engine.open(request);
    } catch (error) {
      if (kindOf(error) === 'invalidArgument' && Object.keys(request.settings).length > 0) {
        // Options of an earlier version of the page must not keep anybody out.
        return this.open({ ...request, ...FIRST_OPENING });
      }
      this.note('bad', `The database was not opened: ${messageOf(error)}`);
    }
  }

  /** Asks without a trace in the terminal. */
  readonly ask = async (command: string): Promise<Outcome> => {
    if (this.store.get().connection.state === 'open') {
      return this.engine.command(command, { quiet: true });
    }
    throw new Error('No database is open.');
  };

  /** A button types its command. */
  readonly type = (command: string): void => this.terminal.type(command);

  readonly select = (selection: string | null): void =>
    this.store.update((page) => select(page, selection));

  readonly setGrain = (grain: StepGrain): void => this.store.update((page) => ({ ...page, grain }));

  readonly setSpeed = (stepsPerSecond: number): void => {
    this.store.update((page) => ({ ...page, stepsPerSecond }));
    if (this.store.get().playing) this.type(playCommand(stepsPerSecond));
  };

  readonly togglePlay = (): void => {
    const { playing, stepsPerSecond } = this.store.get();
    this.type(playing ? 'pause' : playCommand(stepsPerSecond));
  };

  /** Ctrl-C, as a button. */
  readonly stopCommand = (): void => {
    this.terminal.interrupt();
  };

  private hear(message: Message): void {
    switch (message.type) {
      case 'output':
        this.terminal.print(message.lines);
        return;
      case 'lost':
        this.note('bad', 'Another tab has taken over this database; this page no longer follows.');
        break;
      case 'owned':
        this.note('bad', 'Another tab owns this database.');
        break;
      case 'failed':
        if (message.id === null || message.kind === 'panic') {
          this.note('bad', `The engine stopped: ${message.message}`);
        }
        break;
      default:
        break;
    }
    this.enqueue((page) => receive(page, message));
    if (message.type === 'options') saveOpening(this.lines, message);
  }

  /** Changes of the page wait for the next frame and are then made together, in order. */
  private enqueue(change: (page: Page) => Page): void {
    this.waiting.push(change);
    if (this.scheduled) return;
    this.scheduled = true;
    this.schedule(() => this.flush());
  }

  private flush(): void {
    this.scheduled = false;
    const changes = this.waiting;
    this.waiting = [];
    this.store.update((page) => changes.reduce((before, change) => change(before), page));
  }

  private async run(command: string): Promise<Failure | null> {
    const own = this.runOwn(command);
    if (own) return null;
    this.enqueue((page) => commandBegins(page, command));
    try {
      const { result, error } = await this.engine.command(command, { quiet: false });
      this.enqueue((page) => commandEnds(page, result));
      return error;
    } catch (error) {
      this.enqueue((page) => commandEnds(page, null));
      return { kind: 'engine', message: messageOf(error), hint: null };
    }
  }

  /** `play`, `pause` and `clear` are the page's own. */
  private runOwn(command: string): boolean {
    const words = command.trim().split(/\s+/);
    const [verb, speed] = words;
    if (verb === 'clear' && words.length === 1) {
      this.terminal.clear();
      return true;
    }
    if (verb === 'pause' && words.length === 1) {
      this.engine.pause();
      this.note('dim', 'Paused: background work waits for step and run.');
      return true;
    }
    if (verb !== 'play' || words.length > 2) return false;
    const known = SPEEDS.find(({ name }) => plainSpeed(name) === speed);
    if (speed !== undefined && !known) {
      const names = SPEEDS.map(({ name }) => plainSpeed(name)).join(', ');
      this.note('bad', `play takes one of these speeds: ${names}`);
      return true;
    }
    const { stepsPerSecond, grain } = this.store.get();
    const chosen = known?.stepsPerSecond ?? stepsPerSecond;
    this.store.update((page) => ({ ...page, stepsPerSecond: chosen }));
    this.engine.play(grain, chosen);
    const pace = chosen === 0 ? 'as fast as it can' : `${counted(chosen, 'step')} a second`;
    this.note('dim', `Playing: background work goes on by itself, ${pace}; pause stops it.`);
    return true;
  }

  private note(style: 'bad' | 'dim', text: string): void {
    this.terminal.print([line(text, style)]);
  }
}

function plainSpeed(name: string): string {
  return name === '½×' ? '0.5' : name.replace('×', '');
}

function playCommand(stepsPerSecond: number): string {
  const speed = SPEEDS.find((known) => known.stepsPerSecond === stepsPerSecond);
  return `play ${speed ? plainSpeed(speed.name) : '1'}`;
}

function kindOf(error: unknown): string {
  return error instanceof Error && 'kind' in error ? String(error.kind) : '';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
