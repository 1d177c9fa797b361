import type { LessonState } from '../model/engine.generated';
import { keep, type LineStore } from '../model/kept';
import { lessonLink } from '../model/lessonLink';
import { type Page, shown } from '../model/shown';
import { createStore, type Store } from '../model/store';
import { channelName } from '../present/address';
import { KEYS } from '../present/keys';
import { lessonShown, questionAtHand, questionToReveal } from '../present/lessonShown';
import { FIRST_LOOK, type Look, scaled } from '../present/look';
import { nextAct } from '../present/nextAct';
import {
  discussed,
  NO_POLL,
  type Poll,
  type Polls,
  pollKey,
  typed,
  withBars,
  withPoll,
} from '../present/polls';
import { readToPresenter, type ToAudience, type ToPresenter, VERSION } from '../present/protocol';
import { shownOf } from '../present/shown';
import { newestCommand, typedShown } from '../present/typedShown';
import type { Ask } from '../views/shared/contexts';

import { type KeptPresentation, PRESENTATION, readPresentation } from './keptPresentation';
import type { Lab } from './lab';
import type { Schedule } from './pace';

/** The state of the audience's window. `none`: there has been none in this presentation. */
type AudienceState = 'none' | 'visible' | 'covered' | 'gone';

/** A presentation, as the presenter's window has it. */
export type Presenting = typeof NOTHING;

/** The part of a `BroadcastChannel` that is used. */
export type Channel = Pick<BroadcastChannel, 'postMessage' | 'close' | 'onmessage'>;

/** The lab's services for a presentation. */
type Desk = Pick<Lab, 'store' | 'ask' | 'lesson' | 'terminal' | 'type'>;

/** The browser's services for a presentation. */
export interface Surroundings {
  channel(name: string): Channel | null;
  kept: LineStore | null;
  schedule: Schedule;
  /** Of the page, without a fragment. */
  address: string;
  /** [ms since 1970] */
  now(): number;
}

/** How often the audience's window is looked after [ms]. */
const TICK = 1000;
/** Without a sign for so long, the window is asked for one, and then taken for closed [ms]. */
const SILENCE = { asked: 2500, gone: 6000 };
/** A press this soon after the engine's answer was meant for the command before it [ms]. */
const REVEAL_AFTER = 900;

const NOTHING = {
  /** Names the channel of its windows; `null`: nothing is presented. */
  id: null as string | null,
  begun: 0,
  audience: 'none' as AudienceState,
  look: FIRST_LOOK,
  polls: new Map() as Polls,
};

/** Presents the page in a second window: sends what is shown there, hears its keys, and keeps the answers back. */
export class Presentation {
  readonly store: Store<Presenting> = createStore(NOTHING);
  /** Does what a key does that was pressed in the audience's window; the page sets it. */
  press: (key: string) => void = () => {};

  private channel: Channel | null = null;
  private stop: (() => void)[] = [];
  /** The number of the last state that was sent. They grow across reloads of this window, too. */
  private n = 0;
  /** Separates this engine's answers from those before a reload. */
  private session = 0;
  private heard = 0;
  private scheduled = false;
  /** The newest command, and the last step before it. */
  private command = { id: 0, last: 0 };
  /** Where the spotlight was switched on. */
  private lit: string | null = null;
  /** The question that waits to be revealed, and since when. */
  private toReveal: { name: string; since: number } | null = null;

  constructor(
    private readonly desk: Desk,
    private readonly around: Surroundings,
  ) {}

  /** Goes on with the presentation that was at work before this window was loaded again. */
  resume(): void {
    const kept = readPresentation(this.around.kept);
    if (kept) this.start(kept);
  }

  readonly begin = (): void => {
    if (this.store.get().id !== null) return;
    const random = crypto.getRandomValues(new Uint32Array(3));
    const id = [...random].map((part) => part.toString(36)).join('');
    this.start({ id, begun: this.around.now(), look: FIRST_LOOK });
  };

  readonly end = (): void => {
    if (this.store.get().id === null) return;
    this.post({ v: VERSION, type: 'over' });
    this.leave();
    this.store.update(() => NOTHING);
    this.keep();
  };

  /** Stops talking; the presentation goes on when this window is there again. */
  leave(): void {
    this.post({ v: VERSION, type: 'away' });
    for (const stop of this.stop) stop();
    this.stop = [];
    this.channel?.close();
    this.channel = null;
  }

  /** Lets the clock begin again. */
  readonly restartClock = (): void => {
    this.change({ begun: this.around.now() });
    this.keep();
  };

  readonly toggleBlack = (): void => this.look((look) => ({ ...look, black: !look.black }));

  readonly toggleTheme = (): void =>
    this.look((look) => ({ ...look, theme: look.theme === 'light' ? 'dark' : 'light' }));

  readonly scale = (direction: 1 | -1 | 0): void => this.look((look) => scaled(look, direction));

  /** Dims all but the selected object, until the next step. */
  readonly toggleSpotlight = (): void => {
    const page = this.page();
    const spotlight = !this.store.get().look.spotlight && page.selection !== null;
    this.lit = placeText(page);
    this.look((look) => ({ ...look, spotlight }));
  };

  /** Shows a QR code of the lesson at this scene, or hides it. */
  readonly toggleCode = (): void => {
    const { lesson } = this.desk.store.get();
    const link = lesson && lessonLink(lesson);
    this.look((look) => ({
      ...look,
      code: look.code === null && link ? `${this.around.address}#${link}` : null,
    }));
  };

  /** Ends the QR code, the darkness or the spotlight, in this order; true if there was one. */
  readonly uncover = (): boolean => {
    const { black, spotlight, code } = this.store.get().look;
    if (code !== null) this.look((look) => ({ ...look, code: null }));
    else if (black) this.look((look) => ({ ...look, black: false }));
    else if (spotlight) this.look((look) => ({ ...look, spotlight: false }));
    return black || spotlight || code !== null;
  };

  /** Takes a count of hands for the choice at `index`. */
  readonly countHands = (name: string, index: number, text: string): void =>
    this.poll(name, (poll) => typed(poll, index, text));

  /** Lets the audience discuss before it is counted again. */
  readonly discuss = (name: string): void => this.poll(name, discussed);

  /**
   * Goes on in the lesson by one act. A press that follows the engine's answer too soon does nothing: a double click of a
   * clicker must not give it away.
   */
  readonly next = (): void => {
    const { lesson, busy } = this.desk.store.get();
    if (lesson === null || busy !== null) return;
    const next = nextAct(lesson, this.store.get().polls);
    switch (next.act) {
      case 'bars':
        this.poll(next.question.name, (poll) => withBars(poll, next.question));
        break;
      case 'answer':
        this.desk.type(`answer ${next.answer}`);
        break;
      case 'reveal':
        if (this.around.now() - (this.toReveal?.since ?? 0) < REVEAL_AFTER) break;
        this.poll(next.question.name, (poll) => ({ ...poll, revealedAt: lesson.at }));
        break;
      case 'go on':
        this.desk.lesson.next();
        break;
      case 'wait':
        break;
    }
  };

  /** As {@link next}, where a lesson is on; true if one is. */
  readonly goOn = (): boolean => {
    const { lesson } = this.desk.store.get();
    if (lesson !== null) this.next();
    return lesson !== null;
  };

  private start(kept: KeptPresentation): void {
    this.channel = this.around.channel(channelName(kept.id));
    if (this.channel) this.channel.onmessage = ({ data }) => this.hear(readToPresenter(data));
    this.session = Math.max(this.n + 1, this.around.now());
    this.n = this.session;
    this.store.update(() => ({ ...NOTHING, ...kept }));
    this.keep();
    const timer = setInterval(() => this.watchAudience(), TICK);
    this.stop = [
      this.desk.store.subscribe(() => this.follow()),
      this.desk.terminal.subscribe(() => this.read()),
      this.store.subscribe(() => this.queue()),
      () => clearInterval(timer),
    ];
  }

  private hear(message: ToPresenter | null): void {
    if (!message) return;
    const { audience } = this.store.get();
    this.heard = this.around.now();
    switch (message.type) {
      case 'hello':
        if (audience === 'none' || audience === 'gone') this.change({ audience: 'visible' });
        this.queue();
        break;
      case 'here': {
        const now = message.visible ? 'visible' : 'covered';
        if (now !== audience) this.change({ audience: now });
        // Loaded again, this window has states that the other one does not know.
        if (message.n !== this.n && !this.scheduled) this.send();
        break;
      }
      case 'key':
        if (KEYS.test(message.key)) this.press(message.key);
        break;
      case 'ask':
        void this.answer(message.id, message.query);
    }
  }

  private async answer(id: number, query: Parameters<Ask>[0]): Promise<void> {
    const answer: unknown = await this.desk.ask(query).catch(() => null);
    this.post({ v: VERSION, type: 'answer', id, answer });
  }

  /** Asks for a sign where none comes: a covered window's timers sleep, but it answers. */
  private watchAudience(): void {
    const { audience } = this.store.get();
    if (audience === 'none' || audience === 'gone') return;
    const silent = this.around.now() - this.heard;
    if (silent > SILENCE.gone) this.change({ audience: 'gone' });
    else if (silent > SILENCE.asked) this.send();
  }

  private follow(): void {
    const page = this.page();
    const { look, polls } = this.store.get();
    if (look.spotlight && this.lit !== placeText(page)) {
      this.look((now) => ({ ...now, spotlight: false }));
    }
    this.notice(page.lesson, polls);
    this.queue();
  }

  /** The terminal has new lines: a command was just typed, or answered. */
  private read(): void {
    const id = newestCommand(this.desk.terminal.log);
    if (id !== this.command.id) this.command = { id, last: this.page().last };
    this.queue();
  }

  /** Notices when the engine has answered a question, and when a question is put anew. */
  private notice(lesson: LessonState | null, polls: Polls): void {
    const name = (lesson && questionToReveal(lesson, polls)?.name) ?? null;
    if (name === null) this.toReveal = null;
    else if (this.toReveal?.name !== name) this.toReveal = { name, since: this.around.now() };
    if (lesson?.waits.until !== 'answered') return;
    const key = pollKey(lesson, lesson.waits.name);
    if (polls.get(key)?.revealedAt == null) return;
    this.store.update((now) => ({ ...now, polls: withPoll(now.polls, key, () => NO_POLL) }));
  }

  /** Sends what is shown, once a frame at most. */
  private queue(): void {
    if (this.scheduled || this.store.get().audience === 'none') return;
    this.scheduled = true;
    this.around.schedule(() => {
      this.scheduled = false;
      this.n += 1;
      this.send();
    });
  }

  private send(): void {
    const { look, polls } = this.store.get();
    const page = this.page();
    // Beside a question, the answer of a command could give that of the engine away.
    const isAsked = page.lesson !== null && questionAtHand(page.lesson, polls) !== null;
    const isSeen = page.last !== this.command.last;
    this.post({
      v: VERSION,
      type: 'shown',
      n: this.n,
      page: shownOf(page, this.session),
      lesson: lessonShown(page.lesson, polls),
      typed: isAsked || isSeen ? null : typedShown(this.desk.terminal.log),
      look,
    });
  }

  private post(message: ToAudience): void {
    this.channel?.postMessage(message);
  }

  private page(): Page {
    return shown(this.desk.store.get());
  }

  private change(part: Partial<Presenting>): void {
    this.store.update((now) => ({ ...now, ...part }));
  }

  private look(change: (look: Look) => Look): void {
    this.store.update((now) => ({ ...now, look: change(now.look) }));
    this.keep();
  }

  private poll(name: string, change: (poll: Poll) => Poll): void {
    const { lesson } = this.desk.store.get();
    if (!lesson) return;
    const key = pollKey(lesson, name);
    this.store.update((now) => ({ ...now, polls: withPoll(now.polls, key, change) }));
  }

  /** Remembers it for the time after a reload. */
  private keep(): void {
    const { id, begun, look } = this.store.get();
    const kept: KeptPresentation | null = id === null ? null : { id, begun, look };
    keep(this.around.kept, PRESENTATION, kept);
  }
}

function placeText({ branch, place }: Page): string {
  return `${branch} ${place.step} ${place.detail}`;
}
