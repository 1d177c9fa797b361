// The pictures of docs/images, taken from the built page: every view at two sizes, light and dark.
//   npx playwright test -c tests/pictures              all of them
//   npx playwright test -c tests/pictures -g merge     one view
//   INTO=/tmp/look npx playwright test -c tests/pictures     into that directory, at three sizes, and as the last row sees them, scaled to a quarter
// `pngquant --force --ext .png docs/images/*.png` makes them small.
//
// The icons of the installed page are docs/images/icon.svg; the maskable one has `#svgView(viewBox(-19.2,-19.2,102.4,102.4))` after the name:
//   chromium --headless --hide-scrollbars --window-size=192,192 --screenshot=web/public/icons/icon-192.png file://$PWD/docs/images/icon.svg

import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';
import { wholeBrowser } from '../../scripts/browser.mjs';

const PORT = 4399;

const SIZES =
  process.env.INTO === undefined
    ? [
        { suffix: '', width: 1440, height: 900 },
        { suffix: '-1280', width: 1280, height: 720 },
      ]
    : [
        { suffix: '-1280', width: 1280, height: 720 },
        { suffix: '-1440', width: 1440, height: 900 },
        { suffix: '-1920', width: 1920, height: 1080 },
        { suffix: '-last-row', width: 1280, height: 720, scale: 0.25 },
      ];

export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results/pictures',
  timeout: 600_000,
  workers: 1,
  webServer: {
    command: 'node scripts/start.mjs',
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { PORT: String(PORT) },
    port: PORT,
    timeout: 1_800_000,
  },
  use: {
    baseURL: `http://localhost:${PORT}/`,
    launchOptions: { executablePath: await wholeBrowser() },
    contextOptions: { reducedMotion: 'reduce' },
  },
  projects: SIZES.flatMap(({ suffix, width, height, scale = 1 }) =>
    ['light', 'dark'].map((colorScheme) => ({
      name: `${colorScheme}${suffix}`,
      use: { colorScheme, viewport: { width, height }, deviceScaleFactor: scale },
    })),
  ),
});
