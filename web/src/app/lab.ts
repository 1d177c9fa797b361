import type { WindowName } from '../model/address';
import { comparisonShown, withoutFull } from '../model/comparison';
import type { Failure, Grain, Message } from '../model/engine.generated';
import { kindOf, messageOf } from '../model/failures';
import type { LineStore } from '../model/kept';
import { type OwnCommand, playCommand, readOwn, stepCommand, workGrain } from '../model/ownVerbs';
import {
  bookmarksOf,
  experiment,
  FIRST_PAGE,
  historyOf,
  inspect,
  lookInside,
  onlyFlowed,
  opening,
  type PageState,
  placeOf,
  receive,
  select,
} from '../model/page';
import { answersOf, commandBegins, commandEnds } from '../model/running';
import { parseStep } from '../model/selection';
import { createStore, type Store } from '../model/store';
import { type Goal, type Manner, mannerOf } from '../model/travel';
import { counted } from '../model/words';
import { TerminalSession } from '../terminal/session';
import type { Ask } from '../views/shared/contexts';
import { saveFile } from '../views/shared/saveFile';
import { Bookmarks } from './bookmarks';
import { type Calm, calm } from './calm';
import { FileControls } from './fileControls';
import { LessonControls } from './lessonControls';
import { FIRST_OPENING, loadOpening, saveOpening } from './opening';
import { framePace, type Schedule } from './pace';
import type { EnginePort, Outcome, Question } from './port';
import { SharedControls } from './sharedControls';
import { StageControls } from './stageControls';
import { askedAt, TimeTravel } from './timeTravel';
import type { Links } from './viewHistory';
import { WELCOME } from './welcome';

/** The worker's failure kind for a command that would change the past. */
const PAST = 'past';

/** Least time between two updates of words and figures during work [ms]. */
const WORDS_PAUSE = 160;

type OpenRequest = Omit<Extract<Question, { type: 'open' }>, 'type'>;

/** Connects engine, terminal and page: every event and every command passes through it. */
export class Lab {
  readonly store: Store<PageState> = createStore(FIRST_PAGE);
  /** The same page with fewer updates while work goes on: for words and figures, which cannot be read that fast. */
  readonly calm: Calm<PageState> = calm(this.store, onlyFlowed, WORDS_PAUSE);
  readonly terminal: TerminalSession;
  readonly stage = new StageControls(this.store);
  readonly files = new FileControls(this);
  readonly lesson: LessonControls;
  readonly shared: SharedControls;

  private readonly time: TimeTravel;
  private readonly bookmarks: Bookmarks;
  private waiting: ((page: PageState) => PageState)[] = [];
  private scheduled = false;
  private readonly stop: () => void;

  constructor(
    readonly engine: EnginePort,
    private readonly lines: LineStore | null,
    private readonly schedule: Schedule = framePace(),
  ) {
    this.terminal = new TerminalSession(
      {
        run: (command) => this.run(command),
        complete: async (line, cursor) =>
          (await engine.ask({ type: 'complete', line, cursor })).items,
        cancel: () => engine.send({ type: 'cancel' }),
      },
      lines,
    );
    this.terminal.print(WELCOME);
    this.lesson = new LessonControls(this, lines);
    this.shared = new SharedControls(this);
    this.bookmarks = new Bookmarks(this.store, this.terminal, lines);
    this.time = new TimeTravel(engine, this.store, (text) => this.note('bad', text));
    this.stop = engine.on((message) => this.hear(message));
  }

  dispose(): void {
    this.time.dispose();
    this.calm.stop();
    this.bookmarks.stop();
    this.stop();
  }

  /** Opens the database; answers and failures come as messages. */
  async open(request: OpenRequest): Promise<void> {
    this.store.update(opening);
    try {
      await this.engine.ask({ type: 'open', ...request });
    } catch (error) {
      if (kindOf(error) === 'invalidArgument' && Object.keys(request.settings).length > 0) {
        // Options saved by an earlier version of the page must not prevent opening.
        return this.open({ ...request, ...FIRST_OPENING });
      }
      this.note('bad', `The database was not opened: ${messageOf(error)}`);
    }
  }

  /** Queries the engine at the step on show; the terminal does not show it. */
  readonly ask: Ask = async (query) => {
    const page = this.store.get();
    if (page.connection.state === 'open') return this.engine.query(query, askedAt(page));
    throw new Error('No database is open.');
  };

  /** Opens the file dialog; the page sets it. */
  pick: () => void = () => {};

  /** The command that a button has typed last. */
  pressed = '';

  /** A button types its command. */
  readonly type = (command: string): void => {
    this.pressed = command;
    this.terminal.type(command);
  };

  /** Selects an object, or goes to the step that a link of the terminal names. */
  readonly select = (selection: string | null): void => {
    const step = selection === null ? null : parseStep(selection);
    if (step !== null) this.go({ to: 'step', step }, 'jump');
    else this.store.update((page) => select(page, selection));
  };

  /** Shows a table or a block from inside; `null` shows the tree. */
  readonly lookInside = (id: string | null): void =>
    this.store.update((page) => lookInside(page, id));

  readonly inspect = (inspecting: boolean): void =>
    this.store.update((page) => inspect(page, inspecting));

  readonly experiment = (id: string | null): void =>
    this.store.update((page) => experiment(page, id));

  /** Shows the picture again. */
  readonly closeFull = (): void => this.store.update(withoutFull);

  /** Opens a window in front of the page, or closes it. */
  readonly openWindow = (window: WindowName | null): void =>
    this.store.update((page) => ({ ...page, window }));

  readonly setGrain = (grain: Grain): void => this.store.update((page) => ({ ...page, grain }));

  readonly setSpeed = (stepsPerSecond: number): void => {
    this.store.update((page) => ({ ...page, stepsPerSecond }));
    if (this.store.get().playing) this.type(playCommand(stepsPerSecond));
  };

  /** Moves the cursor through history. */
  readonly go = (goal: Goal, manner: Manner = mannerOf(goal)): void => this.time.go(goal, manner);

  /** Steps forward: in the past along history, now by doing background work. */
  readonly forward = (count = 1): void => {
    if (this.stage.walk(count)) return;
    const page = this.store.get();
    const { cursor, grain, busy, playing } = page;
    // A clicker pressed when no work is pending types nothing: the next step's place shows that.
    const waits = page.next !== null || historyOf(page).timeline.last === 0;
    if (cursor !== null) {
      this.go({ to: 'walk', grain, count });
    } else if (busy === null && !playing && waits) {
      this.type(stepCommand(grain, count));
    }
  };

  readonly back = (count = 1): void => {
    if (this.stage.walk(-count)) return;
    const { grain } = this.store.get();
    this.go({ to: 'walk', grain, count: -count });
  };

  /**
   * Pauses a running Play, or plays: in the past through history up to now, at the present by doing background work. After
   * a breakpoint has put the cursor a step or two into the past, Play goes on with the work.
   */
  readonly togglePlay = (): void => {
    if (comparisonShown(this.store.get())) {
      this.forward();
      return;
    }
    const { cursor, came, replaying, playing, stepsPerSecond } = this.store.get();
    const isStruck = cursor !== null && came.from === cursor.step;
    const playOn = () => this.type(playCommand(stepsPerSecond));
    if (playing && !replaying) this.type('pause');
    else if (cursor !== null || replaying) this.time.toggleReplay(isStruck ? playOn : null);
    else playOn();
  };

  readonly toggleBookmark = (): void => {
    const page = this.store.get();
    const { step } = placeOf(page);
    const isSet = bookmarksOf(page).some((known) => known.step === step);
    if (step >= 1) this.type(isSet ? 'bookmark --delete' : 'bookmark');
  };

  /** Answers the question about a command that would change the past. */
  readonly answer = (choice: 'fork' | 'now' | 'cancel'): void => {
    const { asking } = this.store.get();
    this.store.update((page) => ({ ...page, asking: null }));
    if (!asking || choice === 'cancel') return;
    if (choice === 'fork') this.type(`fork ${asking.step}`);
    else this.go({ to: 'now' }, 'jump');
    this.type(asking.command);
  };

  /** Ctrl-C, as a button. */
  readonly stopCommand = (): void => {
    // The page's own work, such as the commands of a link, is no line of the terminal.
    if (this.terminal.interrupt()) this.engine.send({ type: 'cancel' });
  };

  private hear(message: Message): void {
    switch (message.type) {
      case 'output':
        this.terminal.print(message.lines);
        return;
      case 'exported':
        saveFile(message.name, new Blob([message.bytes], { type: 'application/octet-stream' }));
        return;
      case 'pick':
        this.pick();
        return;
      case 'opened':
        this.bookmarks.begin(message.step);
        break;
      case 'lost':
        this.note('bad', 'Another tab has taken over this database; this page no longer follows.');
        break;
      case 'owned':
        this.note('bad', 'Another tab owns this database.');
        break;
      case 'failed':
        if (message.id === null || message.kind === 'panic')
          this.note('bad', `The engine stopped: ${message.message}`);
        break;
      default:
        break;
    }
    this.enqueue((page) => receive(page, message));
    this.lesson.hear(message);
    this.shared.hear(message);
    // The options of a lesson's database are not those of the visitor's own.
    if (message.type === 'options' && !this.lesson.isOn) saveOpening(this.lines, message);
  }

  /** Changes of the page wait for the next frame and are then made together, in order. */
  readonly enqueue = (change: (page: PageState) => PageState): void => {
    this.waiting.push(change);
    if (this.scheduled) return;
    this.scheduled = true;
    this.schedule(() => this.settle());
  };

  /** Shows that the page is at work until `outcome` is there. */
  readonly atWork = async (label: string, outcome: Promise<Outcome>): Promise<Outcome> => {
    this.enqueue((page) => commandBegins(page, label));
    try {
      return await outcome;
    } finally {
      this.enqueue((page) => commandEnds(page, []));
    }
  };

  /** Opens an empty database in memory in place of the visitor's own, or asks for that one again. */
  readonly reopen = (storage: 'auto' | 'memory'): Promise<void> => {
    const opening = storage === 'auto' ? loadOpening(this.lines) : FIRST_OPENING;
    return this.open({ ...opening, storage, takeOver: false });
  };

  /** Addresses that a person has opened: a lesson, or commands to be looked at. */
  readonly links: Links = {
    follow: (fragment) => this.lesson.follow(fragment) || void this.shared.follow(fragment),
    held: () => this.shared.fragment,
  };

  /** Makes the changes that wait for the next frame. */
  settle(): void {
    this.scheduled = false;
    const changes = this.waiting;
    if (changes.length === 0) return;
    this.waiting = [];
    this.store.update((page) => changes.reduce((before, change) => change(before), page));
  }

  private async run(command: string): Promise<Failure | null> {
    // The branch or step on show may just have changed, by a fork or a breakpoint.
    this.settle();
    const own = readOwn(command, this.store.get().grain);
    if (own) {
      this.runOwn(own, command);
      return null;
    }
    const at = askedAt(this.store.get());
    this.enqueue((page) => commandBegins(page, command));
    try {
      const { answers, error } = await this.engine.ask({ type: 'command', line: command, at });
      this.enqueue((page) => commandEnds(page, answers, error));
      this.shared.hearShare(command, answersOf(answers, 'share').at(-1), error);
      if (error?.kind !== PAST || at === null) return error;
      void this.askAbout(command, at);
      return null;
    } catch (error) {
      this.enqueue((page) => commandEnds(page, []));
      return { kind: 'engine', message: messageOf(error), hint: null };
    }
  }

  /** Opens the dialog about a command that would change the past. */
  private async askAbout(command: string, step: number): Promise<void> {
    this.note('dim', `Step ${step} is the past: nothing was changed.`);
    const from = await this.time.endOfCall(step);
    this.store.update((page) => ({ ...page, asking: { command, step, from } }));
  }

  private runOwn(own: OwnCommand, command: string): void {
    switch (own.verb) {
      case 'clear':
        this.terminal.clear();
        return;
      case 'pause':
        this.engine.send({ type: 'pause' });
        this.note('dim', 'Paused: background work waits for step and run.');
        return;
      case 'bytes':
        if (own.selection !== null) this.select(own.selection);
        this.inspect(true);
        return;
      case 'bookmark':
      case 'unmark':
        this.bookmarks.set(own);
        return;
      case 'bookmarks':
        this.bookmarks.list();
        return;
      case 'compare':
        if (this.store.get().comparison) this.stage.compare(null);
        else this.note('bad', 'There is no comparison yet: compare leveled tiered makes one.');
        return;
      case 'go':
        this.go(own.goal);
        return;
      case 'refused':
        this.note('bad', own.why);
        return;
      case 'play':
        this.play(own.stepsPerSecond, command);
    }
  }

  private play(speed: number | null, command: string): void {
    const at = askedAt(this.store.get());
    if (at !== null) {
      void this.askAbout(command, at);
      return;
    }
    const { stepsPerSecond, grain } = this.store.get();
    const chosen = speed ?? stepsPerSecond;
    this.store.update((page) => ({ ...page, stepsPerSecond: chosen }));
    this.engine.send({ type: 'play', grain: workGrain(grain), stepsPerSecond: chosen });
    const pace = chosen === 0 ? 'as fast as it can' : `${counted(chosen, 'step')} a second`;
    this.note('dim', `Playing: background work goes on by itself, ${pace}; pause stops it.`);
  }

  readonly note = (style: 'bad' | 'dim', text: string): void => this.terminal.note(style, text);
}
