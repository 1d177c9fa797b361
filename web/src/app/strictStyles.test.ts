// @vitest-environment jsdom
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeStylesStrict } from './strictStyles';

/** jsdom has no constructed sheets. */
class Sheet {
  text = '';
  replaceSync(text: string) {
    this.text = text;
  }
}

const adopted = () => (document.adoptedStyleSheets as unknown as Sheet[]).map(({ text }) => text);

describe('strict styles', () => {
  beforeAll(() => {
    vi.stubGlobal('CSSStyleSheet', Sheet);
    Object.defineProperty(document, 'adoptedStyleSheets', { value: [], writable: true });
    makeStylesStrict(document);
  });

  beforeEach(() => {
    document.adoptedStyleSheets = [];
  });

  it('makes the text of a style element a sheet, for as long as it is its text', () => {
    const style = document.createElement('style');
    expect(style.tagName).toBe('DATA');
    document.head.append(style);
    expect(adopted()).toEqual([]);
    style.textContent = 'a { color: red }';
    expect(adopted()).toEqual(['a { color: red }']);
    expect(style.textContent).toBe('a { color: red }');
    // Nothing is in the document that would be shown, or that a policy would refuse.
    expect(style.hidden).toBe(true);
    expect(style.childNodes).toHaveLength(0);
    style.textContent = 'b { color: blue }';
    expect(adopted()).toEqual(['b { color: blue }']);
    style.remove();
    expect(adopted()).toEqual([]);
    expect(document.head.contains(style)).toBe(false);
  });

  it('shares one sheet among all that have the same text', () => {
    const svg = 'http://www.w3.org/2000/svg';
    const owners = [document.createElement('STYLE'), document.createElementNS(svg, 'style')];
    for (const owner of owners) owner.textContent = 'c {}';
    expect(adopted()).toEqual(['c {}']);
    owners[0]?.remove();
    expect(adopted()).toEqual(['c {}']);
    owners[1]?.remove();
    expect(adopted()).toEqual([]);
  });

  it('makes a style attribute properties, and leaves everything else alone', () => {
    const element = document.createElement('div');
    element.setAttribute('style', 'width: 3px');
    expect(element.style.width).toBe('3px');
    element.setAttribute('title', 'named');
    expect(element.getAttribute('title')).toBe('named');
    expect(document.createElement('p').tagName).toBe('P');
    expect(document.createElementNS('http://www.w3.org/2000/svg', 'g').tagName).toBe('g');
  });
});
