// Finds a Chromium and a Firefox for the browser tests, and installs them when there are none.

import { existsSync } from 'node:fs';
import { asScript, installDebian, path, probe, say, stream, Unmet } from './lib.mjs';

const PLACES = {
  chromium: [
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  ],
  firefox: [
    '/usr/bin/firefox',
    '/usr/bin/firefox-esr',
    '/Applications/Firefox.app/Contents/MacOS/firefox',
    'C:\\Program Files\\Mozilla Firefox\\firefox.exe',
  ],
};

const runs = (file) =>
  existsSync(file) && (process.platform === 'win32' || probe(file, ['--version']).ok);

/** The path of a browser that runs, if there is one: the chosen one, one of the system, Playwright's. */
async function installed(name) {
  const variable = `LEVELSCOPE_${name.toUpperCase()}`;
  const chosen = process.env[variable] ?? '';
  if (chosen !== '') {
    if (runs(chosen)) return chosen;
    throw new Unmet(`${variable} names ${chosen}, which cannot be run.`);
  }
  const playwright = await import('playwright-core');
  const own = name === 'chromium' ? [playwright.chromium.executablePath()] : [];
  return [...PLACES[name], ...own].find(runs) ?? null;
}

/** The path of a Chromium that runs. */
export async function browser() {
  const cli = path('node_modules/playwright-core/cli.js');
  const installations = [
    () => installDebian(['chromium']),
    async () => (await stream(process.execPath, [cli, 'install', 'chromium'])).output,
  ];
  let log = '';
  let found = await installed('chromium');
  for (const install of installations) {
    if (found !== null) break;
    log += await install();
    found = await installed('chromium');
  }
  if (found !== null) return found;
  throw new Unmet(
    `${log}\nThe browser tests need Chromium and it could not be installed: install it, or set LEVELSCOPE_CHROMIUM to its path.`,
  );
}

/** The path of a Firefox that runs; `null`: there is none, and it cannot be installed. */
export async function firefox() {
  const found = await installed('firefox');
  if (found !== null) return found;
  await installDebian(['firefox-esr']);
  return installed('firefox');
}

asScript(import.meta.url, async () => say(await browser()));
