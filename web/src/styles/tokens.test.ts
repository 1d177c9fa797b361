import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const sources = ['web/src', 'js/src'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(css|tsx?)$/.test(name) && !name.includes('.test.'))
    .map((name) => readFileSync(`${folder}/${name}`, 'utf8')),
);
const tokens = readFileSync('web/src/styles/tokens.css', 'utf8');

function names(pattern: RegExp, texts: readonly string[]): Set<string> {
  return new Set(
    texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name]) => name ?? '')),
  );
}

/** The colours of a theme by their names. */
function theme(head: string): Map<string, string> {
  const block = tokens.slice(tokens.indexOf(head)).split('}')[0] ?? '';
  const pairs = [...block.matchAll(/(--[\w-]+): (#[0-9a-f]{6});/g)];
  return new Map(pairs.map(([, name = '', value = '']) => [name, value]));
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const LIGHT = theme(':root {');
const DARK = theme(':is([data-theme="dark"]');

describe('the tokens', () => {
  it('are used where they are defined, and defined where they are used', () => {
    const used = names(/var\((--[\w-]+)[),]/g, sources);
    const asked = names(/['"](--[\w-]+)['"][^\]]/g, sources);
    const defined = names(/(--[\w-]+)['"]?\]?:/g, sources);
    expect([...used].filter((name) => !defined.has(name))).toEqual([]);
    expect([...defined].filter((name) => !used.has(name) && !asked.has(name))).toEqual([]);
  });

  it('have the three sizes of all text', () => {
    const sizes = names(/\bfont(?:-size)?: ([\d.]+px)/g, sources);
    expect([...sizes]).toEqual([]);
  });

  it('have a colour in both themes', () => {
    expect([...DARK.keys()]).toEqual([...LIGHT.keys()]);
  });

  it.each([
    ['light', LIGHT],
    ['dark', DARK],
  ])('are readable on every ground of the %s theme', (_, colours) => {
    const pale = (text: string, grounds: readonly string[], least: number) =>
      grounds.filter((ground) => {
        const [front = '', back = ''] = [colours.get(text), colours.get(ground)];
        return contrast(front, back) < least;
      });
    const grounds = ['--bg', '--panel'];
    for (const word of ['--mem-text', '--wal-text', '--l1', '--link', '--alert']) {
      expect(pale(word, grounds, 4.5), word).toEqual([]);
    }
    for (const word of ['--ink', '--dim']) {
      const all = [...grounds, '--water-top', '--water-bottom', '--past-tint', '--alert-tint'];
      expect(pale(word, all, 4.5), word).toEqual([]);
    }
    expect(pale('--past-ink', ['--past'], 4.5)).toEqual([]);
    expect(pale('--line-strong', grounds, 3)).toEqual([]);
  });
});
