import { useEffect } from 'react';
import { comparisonShown } from '../model/comparison';
import type { Page } from '../model/shown';
import { addressOf } from '../present/address';
import { PresenterBar } from '../views/Present/PresenterBar';
import type { Lab } from './lab';
import type { Presented } from './usePresentation';
import type { Show } from './useShow';

/** The keys' actions: with an audience in another window they act there, and only End ends the presentation. */
export function presenterKeys(
  { presentation, hasAudience }: Presented,
  { actions, isBegun }: Show,
  lab: Lab,
) {
  if (!hasAudience) {
    const goOn = () => {
      actions.watch();
      return lab.lesson.turn(isBegun);
    };
    return { ...actions, goOn };
  }
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
  /** Whether this window shows the tree as tables of text. */
  asTable: boolean;
}

/** The part of this window hidden from the audience. */
function unseenOf(page: Page, asTable: boolean): string | null {
  if (comparisonShown(page) !== null) return 'the comparison';
  return asTable ? 'the tables of text' : null;
}

/** The presenter's private controls during a presentation. */
export function Presenter(props: PresenterProps) {
  const { show, page, asTable } = props;
  const { presentation, presenting } = props.presented;
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
      unseen={unseenOf(page, asTable)}
      {...{ audience, begun, look, polls }}
    />
  );
}
