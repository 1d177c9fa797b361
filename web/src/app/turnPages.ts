import type { PageState } from '../model/page';

/** Part of its height by which a view is scrolled, so that some lines stay in sight. */
const SHARE = 0.85;

/** Least scroll that counts as a step [px]. */
const LEFT_MIN = 24;

/** The attribute of the part that the page keys scroll in a view over the picture. */
const SCROLLED = '[data-pages]';

/** Whether a view with pages covers the picture: an experiment, or the bytes of files. */
export function hasPages({ experiment, inspecting }: PageState): boolean {
  return experiment !== null || inspecting;
}

/** Scrolls the view over the picture by a page, or to the next chart in it: each of them is seen whole. */
export function turnPage(direction: 1 | -1): void {
  for (const host of document.querySelectorAll<HTMLElement>(SCROLLED)) {
    const from = host.scrollTop;
    const to = from + direction * SHARE * host.clientHeight;
    const charts = [...host.querySelectorAll<HTMLElement>('figure')].map(
      ({ offsetTop }) => offsetTop - host.offsetTop,
    );
    const between = charts.filter(
      (top) => (top - from) * direction > 8 && (to - top) * direction >= 0,
    );
    host.scrollTo({ top: (direction > 0 ? between[0] : between.at(-1)) ?? to });
  }
}

/** A part of the picture that is longer than its place has this attribute: a step goes on in it first. */
const ONWARD = '[data-onward]';

/** Scrolls on, or back, in a part of the picture that is longer than its place; true if there was more of it. */
export function scrollOn(direction: number): boolean {
  const host = document.querySelector<HTMLElement>(ONWARD);
  if (!host) return false;
  const from = host.scrollTop;
  const left = direction > 0 ? host.scrollHeight - host.clientHeight - from : from;
  if (left < LEFT_MIN) return false;
  host.scrollTo({ top: from + Math.sign(direction) * SHARE * host.clientHeight });
  return true;
}

/** Scrolls the view over the picture to its beginning or to its end. */
export function turnTo(end: 'beginning' | 'end'): void {
  for (const host of document.querySelectorAll<HTMLElement>(SCROLLED)) {
    host.scrollTo({ top: end === 'end' ? host.scrollHeight : 0 });
  }
}
