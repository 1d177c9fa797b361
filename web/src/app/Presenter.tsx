import { useEffect } from 'react';
import type { Page } from '../model/shown';
import { addressOf } from '../present/address';
import { PresenterBar } from '../views/Present/PresenterBar';
import type { Presented } from './usePresentation';
import type { Show } from './useShow';

/** What the keys do: with an audience in another window they act there, and only End ends the presentation. */
export function presenterKeys({ presentation, hasAudience }: Presented, { actions }: Show) {
  if (!hasAudience) return { ...actions, goOn: () => false };
  const { toggleBlack: curtain, scale, uncover: leave, goOn } = presentation;
  return {
    ...actions,
    curtain,
    scale,
    leave,
    goOn,
    present: () => {},
    endPresentation: () => false,
  };
}

/** Goes on in the lesson that an audience sees; `null`: there is no audience with a window of its own. */
export function presents({ presentation, hasAudience }: Presented): (() => void) | null {
  return hasAudience ? presentation.next : null;
}

/** The address of a window for the audience, as long as there is none. */
export function audienceOf({ presenting: { id }, hasAudience }: Presented, { isBegun }: Show) {
  return id === null || hasAudience || !isBegun ? null : addressOf(id);
}

interface PresenterProps {
  presented: Presented;
  show: Show;
  page: Page;
}

/** What only the presenter sees, as long as the presentation lasts. */
export function Presenter({ presented: { presentation, presenting }, show, page }: PresenterProps) {
  const { id } = presenting;
  const { isBegun } = show;
  useEffect(() => {
    if (isBegun) presentation.begin();
    else presentation.end();
  }, [isBegun, presentation]);
  const { audience, begun, look, polls } = presenting;
  if (!isBegun || id === null || audience === 'none') return null;
  return (
    <PresenterBar
      address={addressOf(id)}
      lesson={page.lesson}
      actions={presentation}
      {...{ audience, begun, look, polls }}
    />
  );
}
