// Makes docs/images/film-*.svg, the moving picture of the README: a flush, as the page shows it. The picture is the one that
// the page saves, and its entries go the ways that the page gave to the browser.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '@playwright/test';
import { path } from '../../scripts/lib.mjs';
import { visitor } from './visitor.mjs';

const directory = process.env.INTO ?? path('docs/images');
/** The film, with the time for a look at its end [ms]. */
const LOOP = 3600;

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

/** Notes every way from now on: its element, its points, and when it begins. */
function noteWays() {
  const { animate } = Element.prototype;
  window.ways = [];
  Element.prototype.animate = function (frames, timing) {
    window.ways.push({ element: this, frames, timing, at: performance.now() });
    return animate.call(this, frames, timing);
  };
}

/** The ways of what is in the picture still, each with the number of its element. */
function waysNoted() {
  const all = [...document.querySelectorAll('.stage > svg *')];
  const first = Math.min(...window.ways.map(({ at }) => at));
  return window.ways
    .map(({ element, frames, timing, at }) => {
      return { index: all.indexOf(element), frames, begins: timing.delay + at - first, ...timing };
    })
    .filter(({ index }) => index >= 0);
}

/** `text`, a saved picture, with `ways` in it. */
function withWays([text, ways, loop]) {
  const picture = new DOMParser().parseFromString(text, 'image/svg+xml');
  const all = [...picture.querySelectorAll('svg > *, svg > * *')];
  const parts = all.filter((part) => !['title', 'desc'].includes(part.id));
  const rules = ways.map(({ index, frames, begins, duration }) => {
    parts[index].setAttribute('class', `way-${index}`);
    const at = (share) => (((begins + share * duration) / loop) * 100).toFixed(2);
    const points = frames.map(({ transform = 'none', opacity }, number) => {
      const seen = opacity === undefined ? '' : `;opacity:${opacity}`;
      return `${at(number / Math.max(frames.length - 1, 1))}%{transform:${transform}${seen}}`;
    });
    const from = `0%{transform:${frames[0].transform}}`;
    return `@keyframes way-${index}{${from}${points.join('')}}.way-${index}{animation:way-${index} ${loop}ms linear infinite}`;
  });
  const style = picture.createElementNS('http://www.w3.org/2000/svg', 'style');
  style.textContent = `${rules.join('')}@media (prefers-reduced-motion:reduce){*{animation:none!important}}`;
  picture.documentElement.append(style);
  return new XMLSerializer().serializeToString(picture);
}

test('film', async ({ page }, { project }) => {
  test.skip(!/^(light|dark)$/.test(project.name), 'It is a vector picture: one size is enough.');
  await page.setViewportSize({ width: 1280, height: 820 });
  await page.goto('');
  const at = visitor(page);
  await at.prompt();
  await at.run('fill 40 --words --seed 7');
  await page.waitForTimeout(1500);
  await page.evaluate(noteWays);
  await at.run('run');
  await page.waitForTimeout(2500);
  const ways = await page.evaluate(waysNoted);
  await page.getByRole('button', { name: 'Share' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the picture as SVG' }).click();
  const text = readFileSync(await (await download).path(), 'utf8');
  // The page itself parses no markup.
  await page.goto('about:blank');
  const film = await page.evaluate(withWays, [text, ways, LOOP]);
  writeFileSync(join(directory, `film-${project.name}.svg`), film);
});
