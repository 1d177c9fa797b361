// The links of documents: each leads to a file, to a folder or to a heading that exists.

import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { path } from '../lib.mjs';

/** Code has no links. */
const CODE = /^(`{3,})[^\n]*\n[\s\S]*?^\1`*[ \t]*$|(`+)[^`\n]+\2/gm;

/** `[words](target)` and `![words](target)`; of HTML, the addresses of pictures and links. */
const LINKS = /\]\(\s*<?([^)\s>]+)>?[^)]*\)|\b(?:src|srcset|href)="([^"\s]+)"/g;

/** `mailto:`, `https:` and the like are not checked. */
const ABSOLUTE = /^[a-z][a-z0-9+.-]*:/i;

/** Documents that are read in a package or on the page of a registry: what lies outside of their folder is not there. */
const PACKED = /^(engine|js|mapped)\/README\.md$/;

/** The anchors of a document, as GitHub forms them. */
function anchors(text) {
  const seen = new Map();
  const found = new Set();
  for (const [, words] of text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6} +(.+)$/gm)) {
    const plain = words.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = plain.replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '').replaceAll(' ', '-');
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    found.add(count === 0 ? anchor : `${anchor}-${count}`);
  }
  return found;
}

/** Links that lead nowhere, and links of packed documents that lead out of their package. */
export function lostLinks(files, exists = (name) => existsSync(path(name))) {
  const documents = files.filter(({ name }) => name.endsWith('.md'));
  const texts = new Map(documents.map(({ name, text }) => [name, text]));
  return documents.flatMap(({ name, text }) => {
    const problem = (target, what) => ({
      key: `${name} ${target}`,
      message: `${name} links to ${target}, ${what}`,
    });
    const links = [...text.replace(CODE, '').matchAll(LINKS)].map(([, a, b]) => a ?? b);
    return links.flatMap((target) => {
      if (ABSOLUTE.test(target)) return [];
      const [place, anchor] = target.split('#');
      const file = place === '' ? name : posix.join(posix.dirname(name), decodeURI(place));
      if (file.startsWith('..')) return [problem(target, 'which is outside of the repository')];
      if (PACKED.test(name) && !file.startsWith(posix.dirname(name))) {
        return [problem(target, 'which is not in its package')];
      }
      if (!exists(file)) return [problem(target, 'which does not exist')];
      const isLost = anchor && texts.has(file) && !anchors(texts.get(file)).has(anchor);
      return isLost ? [problem(target, 'a heading that does not exist')] : [];
    });
  });
}
