import { isLink } from '../model/address';
import type { Failure, Message, ShareResult } from '../model/engine.generated';
import { messageOf } from '../model/failures';
import { historyOf } from '../model/page';
import { createStore } from '../model/store';
import { placeOfStep, type StoryPlace, stepOfPlace } from '../model/storyPlace';
import type { ForeignFile } from '../share/foreign';
import type { LinkContent } from '../share/link';
import type { HandedOut } from '../views/Share/ShareDialog';
import type { Lab } from './lab';
import type { Outcome } from './port';

/** The longest link that is made [characters]: beyond, many programs cut it. */
const LINK_MAX = 8000;

/** The content of a link or a file, offered before anything runs. */
export interface Offered extends LinkContent {
  /** Why it cannot run, sentence by sentence. */
  wrong: readonly string[];
}

/** The lab's services for sharing. */
type Desk = Pick<Lab, 'store' | 'engine' | 'note' | 'settle' | 'atWork' | 'reopen' | 'go'>;

const BEGIN = /^# levelscope \d/;

/** Whether a file holds a script that was shared. */
export function isScript({ name, bytes }: ForeignFile): boolean {
  return (
    /\.(txt|levelscope)$/i.test(name) && BEGIN.test(new TextDecoder().decode(bytes.slice(0, 20)))
  );
}

/** Shares the session as links and copies, and opens shared links and scripts. */
export class SharedControls {
  readonly offered = createStore<Offered | null>(null);
  readonly handedOut = createStore<HandedOut | null>(null);
  /** The address of the offered link: until the visitor decides, a reload offers it again. */
  fragment: string | null = null;
  /** The script at work. */
  private text = '';
  /** Whether the page has a database, in memory, only for the link. */
  private isLent = false;
  /** Resolved when the page has a database, or knows that it has none. */
  private connected: (() => void)[] = [];

  constructor(private readonly desk: Desk) {}

  hear(message: Message): void {
    const { type } = message;
    // The engine has accepted it, and runs it.
    if (type === 'entered' && message.lesson) this.refuse();
    if (type === 'entered' && !message.lesson && this.isLent) {
      this.isLent = false;
      void this.desk.reopen('auto');
    }
    if (!['opened', 'owned', 'failed'].includes(type)) return;
    for (const go of this.connected.splice(0)) go();
  }

  /** Offers the commands of an opened address; nothing runs yet. */
  readonly follow = async (fragment: string): Promise<void> => {
    if (!isLink(fragment)) return;
    this.fragment = fragment;
    try {
      const { linkContent } = await import('../share/link');
      const content = linkContent(fragment);
      if (content === null) return this.refuse();
      const nothing = { kind: 'script', text: '', at: null, note: null } as const;
      const offered =
        'wrong' in content ? { ...nothing, wrong: [content.wrong] } : { ...content, wrong: [] };
      this.offered.update(() => offered);
    } catch {
      this.fragment = null;
      this.desk.note(
        'dim',
        'The link could not be opened: a part of the page is missing. Load the page again.',
      );
    }
  };

  /** Offers the script of a file. */
  readonly look = ({ bytes }: ForeignFile): void => {
    const text = new TextDecoder().decode(bytes);
    this.offered.update(() => ({ kind: 'script', text, at: null, note: null, wrong: [] }));
  };

  /** Runs the offered script, all of it or line by line. */
  readonly accept = async (runs: boolean): Promise<void> => {
    const offered = this.offered.get();
    if (offered === null) return;
    const { kind, text, at, note } = offered;
    if (note !== null) this.desk.note('dim', note);
    const wrong = await this.play(kind, text, runs);
    if (wrong !== null) {
      this.offered.update(() => ({ ...offered, wrong: wrong.split('\n') }));
      return;
    }
    this.refuse();
    if (kind === 'script' && runs && at) this.goTo(at);
  };

  /** Begins the offered script; returns why it cannot. */
  private async play(kind: Offered['kind'], text: string, runs: boolean): Promise<string | null> {
    const { engine } = this.desk;
    this.text = text;
    try {
      await this.database();
      const isLesson = kind === 'lesson';
      const played = isLesson
        ? engine.ask({ type: 'lesson', name: 'the link', text })
        : this.run(text, runs);
      return (await played).error?.message ?? null;
    } catch (error) {
      return messageOf(error);
    }
  }

  /** Withdraws the offer. */
  readonly refuse = (): void => {
    this.fragment = null;
    this.offered.update(() => null);
    // The address becomes that of the view again.
    this.desk.store.update((page) => ({ ...page }));
  };

  /** Runs all of the script at work, from its beginning. */
  readonly runAll = (): void => void this.run(this.text, true);

  private run(text: string, runs: boolean): Promise<Outcome> {
    const outcome = this.desk.engine.ask({ type: 'shared', text, runs });
    return this.desk.atWork('the commands of the link', outcome);
  }

  /** Shows the engine's share result for the step on show. */
  private async handOut(result: ShareResult): Promise<void> {
    const page = this.desk.store.get();
    const cursor = page.cursor?.step ?? null;
    const at = cursor === null ? null : placeOfStep(result.ends, historyOf(page).timeline, cursor);
    try {
      const { linkTo } = await import('../share/link');
      const { origin, pathname } = window.location;
      const address = `${origin}${pathname}#${linkTo(result.script, at)}`;
      const link = address.length > LINK_MAX ? null : address;
      this.handedOut.update(() => ({ result, link, place: at }));
    } catch {
      this.desk.note(
        'dim',
        'No link could be made: a part of the page is missing. Load the page again.',
      );
    }
  }

  /** After a command: shows its share result, or why only the picture can be shared. */
  hearShare(command: string, result: ShareResult | undefined, error: Failure | null): void {
    if (!/\bshare\s*$/i.test(command)) return;
    if (result) void this.handOut(result);
    else if (error?.kind === 'unavailable')
      this.handedOut.update(() => ({ result: error, link: null, place: null }));
  }

  /** Closes the share result. */
  readonly close = (): void => this.handedOut.update(() => null);

  private goTo(at: StoryPlace): void {
    this.desk.settle();
    const page = this.desk.store.get();
    const parts = page.lesson?.items.map(({ what }) => what) ?? [];
    const ends = parts.flatMap((part) => (part.is === 'run' ? part.ends : []));
    const found = stepOfPlace(ends, historyOf(page).timeline, at);
    if (found.differs) this.desk.note('dim', found.differs);
    if (found.step !== null) this.desk.go({ to: 'step', step: found.step }, 'jump');
  }

  /** Where another tab has the database, a link runs in a page whose own database is in memory. */
  private async database(): Promise<void> {
    const { state } = this.desk.store.get().connection;
    if (state === 'open') return;
    if (state === 'starting') {
      await new Promise<void>((resolve) => this.connected.push(resolve));
      this.desk.settle();
    }
    if (this.desk.store.get().connection.state === 'open') return;
    this.isLent = true;
    await this.desk.reopen('memory');
  }
}
