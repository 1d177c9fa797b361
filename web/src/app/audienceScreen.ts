import type { Answers, Query } from '../model/engine.generated';
import type { Page } from '../model/shown';
import { createStore, type Store } from '../model/store';
import { channelName } from '../present/address';
import { FIRST_LOOK } from '../present/look';
import {
  readToAudience,
  type ShownMessage,
  type ToAudience,
  type ToPresenter,
  VERSION,
} from '../present/protocol';
import { type ArrivedState, pageFrom } from '../present/shown';
import { Requests } from '../worker/requests';
import type { Channel } from './presentation';

/** Interval of this window's sign of life [ms]. */
const TICK = 1000;

/** Most by which the number of a state can exceed the time: numbers begin at the time [ms] and count states. */
const FUTURE = 1e9;

/** The state of the audience's window. */
export type Screen = typeof DARK;

const DARK = {
  /** `null` before the first message. */
  page: null as Page | null,
  /** Changes exactly when answers of the engine may. */
  moment: '',
  lesson: null as ShownMessage['lesson'],
  typed: null as ShownMessage['typed'],
  look: FIRST_LOOK,
  /** Whether the presenter's window is closed. */
  isAway: false,
  /** Whether the presentation has ended. */
  isOver: false,
};

/** Follows the presenter's window: every message is the whole state. It has no engine; its pictures ask the presenter's. */
export class AudienceScreen {
  readonly store: Store<Screen> = createStore(DARK);
  private readonly channel: Channel;
  private readonly questions = new Requests<unknown>();
  private readonly stop: () => void;
  /** The number of the newest state. */
  private n = 0;

  constructor(
    id: string,
    private readonly around: Window,
    open: (name: string) => Channel = (name) => new BroadcastChannel(name),
  ) {
    this.channel = open(channelName(id));
    this.channel.onmessage = ({ data }) => this.hear(readToAudience(data));
    const timer = setInterval(this.report, TICK);
    around.addEventListener('resize', this.report);
    around.document.addEventListener('visibilitychange', this.report);
    this.stop = () => {
      clearInterval(timer);
      around.removeEventListener('resize', this.report);
      around.document.removeEventListener('visibilitychange', this.report);
    };
    this.post({ v: VERSION, type: 'hello' });
  }

  dispose(): void {
    this.stop();
    this.channel.close();
  }

  /** A key that was pressed here acts in the presenter's window. */
  readonly press = (key: string): void => this.post({ v: VERSION, type: 'key', key });

  /** Asks the presenter's engine, which changes nothing. */
  readonly ask = async <Q extends Query>(query: Q): Promise<Answers[Q['ask']]> => {
    const send = (id: number) => this.post({ v: VERSION, type: 'ask', id, query });
    const answer = await this.questions.ask(send);
    if (answer === null) throw new Error('The presenter’s window has no answer.');
    return answer as Answers[Q['ask']];
  };

  private hear(message: ToAudience<ArrivedState> | null): void {
    if (!message) return;
    switch (message.type) {
      case 'answer':
        this.questions.resolve(message.id, message.answer);
        return;
      case 'away':
        this.store.update((before) => ({ ...before, isAway: !before.isOver }));
        return;
      case 'over':
        this.store.update(() => ({ ...DARK, isOver: true }));
        return;
      case 'shown': {
        const { n, page, lesson, typed, look } = message;
        if (n < this.n || n > Date.now() + FUTURE) return;
        this.n = n;
        const { moment } = page;
        const state = { page: pageFrom(page), moment, lesson, typed, look };
        this.store.update(() => ({ ...DARK, ...state }));
        this.report();
      }
    }
  }

  private readonly report = (): void => {
    const { innerWidth: width, innerHeight: height, document } = this.around;
    const visible = document.visibilityState === 'visible';
    this.post({ v: VERSION, type: 'here', n: this.n, visible, width, height });
  };

  private post(message: ToPresenter): void {
    this.channel.postMessage(message);
  }
}
