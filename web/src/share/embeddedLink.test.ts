// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { embeddedLink, frameOf } from './embeddedLink';

const frame = { self: window, parent: {} as Window };
const at = (hash: string) => ({ hash, origin: 'https://example.org', pathname: '/lsm/' });

it('is read in a frame only, and leads to the same link as a page of its own', () => {
  const link = '#v1/t.put%20a%201&at=1+2:op.put&embed';
  expect(embeddedLink(frame, at(link))).toEqual({
    fragment: 'v1/t.put%20a%201&at=1+2:op.put',
    address: 'https://example.org/lsm/#v1/t.put%20a%201&at=1+2:op.put',
  });
  expect(embeddedLink({ self: window, parent: window }, at(link))).toBeNull();
  for (const other of ['', '#table:4', '#v1/t.put', '#v1/l.log&embed', '#v1/t.put&embedded'])
    expect(embeddedLink(frame, at(other)), other).toBeNull();
});

it('is handed out as HTML in which nothing of the story is markup', () => {
  const html = frameOf('https://example.org/#v1/t.put&at=1+2:x', '"><script>alert(1)</script>');
  const parsed = new DOMParser().parseFromString(html, 'text/html');
  const [only, ...rest] = parsed.body.children;
  expect([only?.localName, rest.length]).toEqual(['iframe', 0]);
  expect(only?.getAttribute('src')).toBe('https://example.org/#v1/t.put&at=1+2:x&embed');
  expect(only?.getAttribute('title')).toBe('"><script>alert(1)</script>');
  expect(only?.getAttribute('loading')).toBe('lazy');
});
