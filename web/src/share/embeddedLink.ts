const MARK = '&embed';

/**
 * The link that a frame shows, without the mark of a frame, and where it opens as a page of its own. `null`: this window is
 * no frame, or the address is another one.
 */
export function embeddedLink(
  frame: Pick<Window, 'parent' | 'self'>,
  { hash, origin, pathname }: Pick<Location, 'hash' | 'origin' | 'pathname'>,
) {
  const isFrame = frame.parent !== frame.self;
  if (!isFrame || !/^#v1\/[tz]\./.test(hash) || !`${hash}&`.includes(`${MARK}&`)) return null;
  const fragment = hash.slice(1).replace(MARK, '');
  return { fragment, address: `${origin}${pathname}#${fragment}` };
}

/** The frame that shows `link` in another page, as HTML. */
export function frameOf(link: string, title: string): string {
  const escaped = (text: string) =>
    text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
  return `<iframe src="${escaped(link + MARK)}" title="${escaped(title)}" width="960" height="600" loading="lazy"></iframe>`;
}
