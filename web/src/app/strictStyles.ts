/**
 * xterm.js, the panels and the charts make `<style>` elements and `style` attributes, which a Content-Security-Policy allows only
 * with 'unsafe-inline', for all scripts. Here the same rules become constructed sheets and properties, which need no permission.
 */
export function makeStylesStrict(page: Document): void {
  const make = page.createElement.bind(page);
  const makeIn = page.createElementNS.bind(page);
  page.createElement = ((name: string, options?: ElementCreationOptions) =>
    name.toLowerCase() === 'style' ? sheetOwner(page, make('data')) : make(name, options)) as never;
  page.createElementNS = ((space: string | null, name: string, options?: ElementCreationOptions) =>
    name.toLowerCase() === 'style'
      ? sheetOwner(page, makeIn(space, 'desc'))
      : makeIn(space, name, options)) as never;
  const set = Element.prototype.setAttribute;
  Element.prototype.setAttribute = function setAttribute(name: string, value: string): void {
    if (name === 'style' && 'style' in this) (this.style as CSSStyleDeclaration).cssText = value;
    else set.call(this, name, value);
  };
}

/** The number of owners of each text: many charts have the same rules. */
const shared = new Map<string, { sheet: CSSStyleSheet; owners: number }>();

/** Replaces a `<style>` element: while it has a text, `page` has a sheet with that text. */
function sheetOwner<Made extends Element>(page: Document, element: Made): Made {
  let text = '';
  const hold = (next: string) => {
    const before = shared.get(text);
    if (before) {
      before.owners -= 1;
      if (before.owners === 0) {
        shared.delete(text);
        page.adoptedStyleSheets = page.adoptedStyleSheets.filter((each) => each !== before.sheet);
      }
    }
    text = next;
    if (text === '') return;
    const known = shared.get(text);
    if (known) {
      known.owners += 1;
      return;
    }
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    shared.set(text, { sheet, owners: 1 });
    page.adoptedStyleSheets = [...page.adoptedStyleSheets, sheet];
  };
  if ('hidden' in element) element.hidden = true;
  Object.defineProperty(element, 'textContent', {
    get: () => text,
    set: (value: string | null) => hold(value ?? ''),
  });
  const remove = element.remove.bind(element);
  element.remove = () => {
    hold('');
    remove();
  };
  return element;
}
