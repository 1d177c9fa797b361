// The pictures of docs/images, taken from the built page: every view at two sizes, light and dark.
// `node scripts/screenshots.mjs` makes all of them, `node scripts/screenshots.mjs lab merge` some.
// `--into DIRECTORY` takes them there instead: at three sizes, and as the last row sees them, scaled to a quarter.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { asScript, path, pictures, say, Unmet } from './lib.mjs';
import { VIEWS } from './situations.mjs';
import { visitor, withBrowser } from './visitor.mjs';

const KEPT = [
  { suffix: '', width: 1440, height: 900 },
  { suffix: '-1280', width: 1280, height: 720 },
];

const LOOKED_AT = [
  { suffix: '-1280', width: 1280, height: 720 },
  { suffix: '-1440', width: 1440, height: 900 },
  { suffix: '-1920', width: 1920, height: 1080 },
  { suffix: '-last-row', width: 1280, height: 720, scale: 0.25 },
];

async function take(chromium, url, name, colorScheme, { width, height, scale = 1 }) {
  const context = await chromium.newContext({
    viewport: { width, height },
    colorScheme,
    reducedMotion: 'reduce',
    deviceScaleFactor: scale,
  });
  const page = await context.newPage();
  await page.goto(url);
  const at = visitor(page);
  await at.prompt();
  // The page reads single keys once it has answered a command.
  await at.run('clear');
  await VIEWS[name](at);
  // Answers of the engine, and what follows at leisure.
  await page.waitForTimeout(800);
  const sharp = await pictures();
  const png = await sharp(await page.screenshot())
    .png({ palette: true, effort: 10 })
    .toBuffer();
  await context.close();
  return png;
}

/** The pictures that are asked for: where they go, of what, at which sizes. */
function order(words) {
  const at = words.indexOf('--into');
  const directory = at < 0 ? undefined : words[at + 1];
  if (at >= 0 && directory === undefined) throw new Unmet('--into needs a directory.');
  const names = at < 0 ? words : [...words.slice(0, at), ...words.slice(at + 2)];
  const unknown = names.find((name) => !(name in VIEWS));
  if (unknown !== undefined) {
    throw new Unmet(`There is no view ${unknown}; there are ${Object.keys(VIEWS).join(', ')}.`);
  }
  return {
    names: names.length > 0 ? names : Object.keys(VIEWS),
    directory: directory ?? path('docs/images'),
    sizes: at < 0 ? KEPT : LOOKED_AT,
  };
}

async function screenshots() {
  const { names, directory, sizes } = order(process.argv.slice(2));
  mkdirSync(directory, { recursive: true });
  await build();
  await withBrowser(path('dist'), async (chromium, url) => {
    for (const name of names) {
      let bytes = 0;
      for (const size of sizes) {
        for (const theme of ['light', 'dark']) {
          const png = await take(chromium, url, name, theme, size);
          writeFileSync(join(directory, `${name}-${theme}${size.suffix}.png`), png);
          bytes += png.length;
        }
      }
      say(`${name}: ${2 * sizes.length} pictures, ${Math.round(bytes / 1024)} KiB.`);
    }
  });
}

asScript(import.meta.url, screenshots);
