import { useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Page } from '../model/shown';

/** The contents that the sheet of a phone can have. */
export type SheetTab = 'lesson' | 'look' | 'terminal';

/** Heights of the sheet, from low to high. */
export const SHEET_SIZES = ['closed', 'half', 'full'] as const;
type SheetSize = (typeof SHEET_SIZES)[number];

/** The sheet below the picture of a phone: one of its contents, at one of its heights. */
export interface Sheet {
  tab: SheetTab;
  size: SheetSize;
  /** Shows a content, at half height at least. The keyboard may go into it right afterwards. */
  show(tab: SheetTab): void;
  /** Chooses a tab; the one on show opens and closes the sheet. */
  choose(tab: SheetTab): void;
  /** Makes the sheet higher or lower by `steps` sizes. */
  resize(steps: number): void;
}

type Place = Pick<Sheet, 'tab' | 'size'>;

/** Events of the page that the sheet answers. */
type Causes = ReturnType<typeof causesOf>;

function causesOf({ lesson, selection, opened, inspecting, experiment }: Page) {
  const waits = lesson?.waits;
  const asks = waits?.until === 'answered' || waits?.until === 'done';
  return {
    /** The lesson that is played. */
    lesson: lesson?.head.id ?? null,
    /** The open question or task. */
    waits: asks ? waits.name : null,
    selection,
    /** A view has the place of the picture. */
    isFull: inspecting || experiment !== null || opened !== null,
  };
}

/** The sheet after something has happened on the page. */
export function sheetAfter(place: Place, before: Causes, now: Causes): Place {
  if (now.lesson !== before.lesson) {
    if (now.lesson !== null) return { tab: 'lesson', size: 'half' };
    return place.tab === 'lesson' ? { tab: 'look', size: 'closed' } : place;
  }
  // A question is read beside its picture, and a finished task leads on.
  if (now.waits !== before.waits) return raised({ ...place, tab: 'lesson' });
  if (now.isFull && !before.isFull) return { ...place, size: 'closed' };
  // The tab names the chosen object: the picture stays whole until the tab is pressed. In a lesson its text stays.
  const isChosen = now.selection !== null && now.selection !== before.selection;
  if (isChosen && now.lesson === null && !now.isFull) return { ...place, tab: 'look' };
  return place;
}

/** At half height at least. */
function raised(place: Place): Place {
  return place.size === 'closed' ? { ...place, size: 'half' } : place;
}

/** The size `steps` higher or lower, within the sizes. */
export function sizeAfter(size: SheetSize, steps: number): SheetSize {
  const at = SHEET_SIZES.indexOf(size) + steps;
  return SHEET_SIZES[Math.min(Math.max(at, 0), SHEET_SIZES.length - 1)] ?? size;
}

/** The state of the sheet; it follows the lesson and the selection. */
export function useSheet(page: Page): Sheet {
  const [place, setPlace] = useState<Place>({ tab: 'terminal', size: 'closed' });
  const causes = causesOf(page);
  const [seen, setSeen] = useState(causes);
  if (JSON.stringify(causes) !== JSON.stringify(seen)) {
    setSeen(causes);
    setPlace((current) => sheetAfter(current, seen, causes));
  }
  return useMemo(
    () => ({
      ...place,
      // At once: a phone raises its keyboard only within the touch.
      show: (tab) => flushSync(() => setPlace((current) => raised({ ...current, tab }))),
      choose: (tab) =>
        setPlace((current) => {
          if (current.tab !== tab) return raised({ ...current, tab });
          return { tab, size: current.size === 'closed' ? 'half' : 'closed' };
        }),
      resize: (steps) =>
        setPlace((current) => ({ ...current, size: sizeAfter(current.size, steps) })),
    }),
    [place],
  );
}
