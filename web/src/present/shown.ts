// The state that the audience's window draws: as the presenter's page has computed it, without history.

import { damagesAt } from '../model/damage';
import type { View } from '../model/engine.generated';
import type { Judged } from '../model/judged';
import { FIRST_PAGE } from '../model/page';
import { momentOf, type Page } from '../model/shown';
import { packed } from './tables';

/** The fields of the page that travel as they are. */
const SAME = [
  'begun',
  'branch',
  'busy',
  'event',
  'experiment',
  'followed',
  'freshFrom',
  'inspecting',
  'isPast',
  'last',
  'opened',
  'place',
  'playing',
  'predicts',
  'reading',
  'readingStop',
  'replaying',
  'revealed',
  'selection',
  'unopened',
] as const satisfies readonly (keyof Page)[];

/** The drawn state, as it is sent. */
export type AudienceState = ReturnType<typeof shownOf>;

/** The same with a view, after its arrival. */
export type ArrivedState = Omit<AudienceState, 'view'> & { view: View };

/** The part of `page` that is sent; `session` separates the answers of two engines. */
export function shownOf(page: Page, session: number) {
  const same = Object.fromEntries(SAME.map((name) => [name, page[name]]));
  return {
    ...(same as Pick<Page, (typeof SAME)[number]>),
    view: packed(page.view),
    /** Tables between their creation and their installation. */
    writing: [...page.writing.values()].map(({ isPartial: _, ...table }) => table),
    /** The objects that stand out. */
    fresh: [...page.fresh],
    judged: packedVerdicts(page.judged),
    /** The branch on show: its damage, and the power failure that it began with. */
    branchState: page.branches.find(({ id }) => id === page.branch) ?? null,
    /** The result of the experiment on show. */
    report: (page.experiment !== null && page.reports.get(page.experiment)) || null,
    /** Changes exactly when answers of the engine may. */
    moment: `${session} ${momentOf(page)}`,
  };
}

/** Only the last verdict is drawn with the entries that the inputs stand on. */
function packedVerdicts(judged: Judged): Judged {
  const { length } = judged.entries;
  const entries = judged.entries.map((entry, at) =>
    at < length - 1 ? { ...entry, heads: [], sentence: '' } : entry,
  );
  return { ...judged, entries };
}

/** The page that is drawn from `shown`. */
export function pageFrom(shown: ArrivedState): Page {
  const { writing, fresh, branchState, report, moment: _, ...same } = shown;
  const branches = branchState ? [branchState] : [];
  const at = same.isPast ? same.place.step : null;
  return {
    ...FIRST_PAGE,
    ...same,
    connection: { state: 'open' },
    branches,
    writing: new Map(writing.map((table) => [table.table, table])),
    fresh: new Set(fresh),
    unjudged: null,
    cause: null,
    marks: [],
    damages: damagesAt(branches, same.branch, at),
    reports: report && same.experiment !== null ? new Map([[same.experiment, report]]) : new Map(),
    cursor: same.isPast ? same.place : null,
  };
}
