import { fieldsOf, keep, keptIn, type LineStore } from '../model/kept';
import type { PageState } from '../model/page';
import type { Store } from '../model/store';
import { BOOKMARK_NAME_MAX, BOOKMARKS_MAX, type Bookmark } from '../model/timelineMarks';

const STORE = 'levelscope.bookmarks';

type OfBranches = Map<number, readonly Bookmark[]>;

/** The bookmarks of the visitor's own branches in the browser's storage: they last as long as the kept history. */
export class KeptBookmarks {
  /** The bookmarks of branches that are not restored yet. */
  private waiting: OfBranches = new Map();
  private known: ReadonlyMap<number, readonly Bookmark[]> = new Map();
  readonly stop: () => void;

  constructor(
    private readonly store: Store<PageState>,
    private readonly kept: Pick<LineStore, 'getItem' | 'setItem'> | null,
  ) {
    this.stop = store.subscribe(this.follow);
  }

  /** The database was opened, with a history up to `step` of earlier visits. */
  begin(step: number): void {
    this.waiting = step > 0 ? read(this.kept) : new Map();
    const own = this.waiting.get(0)?.filter((mark) => mark.step <= step) ?? [];
    this.waiting.set(0, own);
  }

  private readonly follow = (): void => {
    const page = this.store.get();
    if (page.connection.state !== 'open' || !page.isHistoryKept || page.own !== null) return;
    const isThere = (id: number) => id === 0 || page.branches.some((branch) => branch.id === id);
    const back = [...this.waiting].filter(([id]) => isThere(id));
    if (back.length > 0) {
      for (const [id] of back) this.waiting.delete(id);
      const bookmarks = new Map([...page.bookmarks, ...back]);
      this.store.update((now) => ({ ...now, bookmarks }));
    } else if (page.bookmarks !== this.known) {
      this.known = page.bookmarks;
      const all = [...page.bookmarks, ...this.waiting];
      keep(
        this.kept,
        STORE,
        all.filter(([, marks]) => marks.length > 0),
      );
    }
  };
}

/** The stored bookmarks; an unreadable value has none. */
function read(kept: Pick<LineStore, 'getItem'> | null): OfBranches {
  const all = keptIn(kept, STORE);
  if (!Array.isArray(all)) return new Map();
  return new Map(
    all.flatMap((each: unknown) => {
      if (!Array.isArray(each) || !Number.isSafeInteger(each[0]) || !Array.isArray(each[1]))
        return [];
      const marks = each[1].filter(isBookmark).slice(0, BOOKMARKS_MAX);
      return [[each[0] as number, marks.map(({ step, name }) => ({ step, name }))] as const];
    }),
  );
}

function isBookmark(value: unknown): value is Bookmark {
  const { step, name } = fieldsOf(value) ?? {};
  if (typeof name !== 'string' || name.length > 2 * BOOKMARK_NAME_MAX) return false;
  return Number.isSafeInteger(step);
}
