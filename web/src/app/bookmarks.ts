import type { LineStore } from '../model/kept';
import type { OwnCommand } from '../model/ownVerbs';
import { bookmarksOf, historyOf, type PageState, placeOf, withBookmarks } from '../model/page';
import type { Store } from '../model/store';
import { withBookmark, withoutBookmark } from '../model/timelineMarks';
import { counted } from '../model/words';
import type { TerminalSession } from '../terminal/session';
import { KeptBookmarks } from './keptBookmarks';

/** The bookmarks of a session, as the terminal sets and lists them. */
export class Bookmarks {
  private readonly kept: KeptBookmarks;
  readonly stop: () => void;

  constructor(
    private readonly store: Store<PageState>,
    private readonly terminal: Pick<TerminalSession, 'print' | 'note'>,
    lines: LineStore | null,
  ) {
    this.kept = new KeptBookmarks(store, lines);
    this.stop = this.kept.stop;
  }

  /** The database was opened, with a history up to `step` of earlier visits. */
  begin(step: number): void {
    this.kept.begin(step);
    if (step === 0) return;
    const steps = counted(step, 'step');
    this.terminal.note(
      'dim',
      `The history of your last visit is there: ${steps}. The left arrow key goes back.`,
    );
  }

  /** Sets a bookmark, renames it, or deletes it. */
  set(own: Extract<OwnCommand, { verb: 'bookmark' | 'unmark' }>): void {
    const page = this.store.get();
    const at = own.step ?? placeOf(page).step;
    if (at < 1 || at > historyOf(page).timeline.last) {
      this.terminal.note('bad', `there is no step ${at} to be marked`);
      return;
    }
    const old = bookmarksOf(page);
    if (own.verb === 'unmark') {
      this.store.update((now) => withBookmarks(now, withoutBookmark(old, at)));
      this.terminal.note('dim', `Step ${at} has no bookmark now.`);
      return;
    }
    const name = own.name ?? old.find(({ step }) => step === at)?.name ?? '';
    const next = withBookmark(old, at, name);
    if (!next) {
      this.terminal.note('bad', `${counted(old.length, 'bookmark')} are the most that are kept`);
      return;
    }
    this.store.update((now) => withBookmarks(now, next));
    this.terminal.note('dim', `Step ${at} has a bookmark${name === '' ? '' : `: ${name}`}.`);
  }

  /** Lists all, each with a link to its step. */
  list(): void {
    const bookmarks = bookmarksOf(this.store.get());
    this.terminal.print(
      bookmarks.map(({ step, name }) => ({
        spans: [
          { text: `step ${step}`, style: { link: `step:${step}` } },
          { text: `  ${name}`, style: 'plain' },
        ],
      })),
    );
    const { isHistoryKept } = this.store.get();
    const lasts = isHistoryKept
      ? 'They last as long as the history, also when the page is loaded again.'
      : 'They last as long as the history: until the page is loaded again.';
    this.terminal.note('dim', bookmarks.length === 0 ? 'There are no bookmarks.' : lasts);
  }
}
