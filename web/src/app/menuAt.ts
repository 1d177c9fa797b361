import { type ObjectMenu, objectMenu } from '../model/objectMenu';
import { historyOf } from '../model/page';
import { objectOf } from '../model/selection';
import type { Page } from '../model/shown';
import { lastTouched } from '../model/touched';
import type { MenuPlace } from './menuTarget';

/** The menu of an object at the step shown; `null` for a place that has none. */
export function menuAt(page: Page, place: MenuPlace | null): ObjectMenu | null {
  if (!place) return null;
  const { step } = page.place;
  const id = objectOf(place.target.selection);
  return objectMenu(place.target, {
    view: page.view,
    step,
    isBookmarked: page.marks.some((mark) => mark.kind === 'bookmark' && mark.step === step),
    touchedAt: id === null ? null : lastTouched(historyOf(page).timeline, id, step),
  });
}
