// Finds a Chromium and a Firefox for the browser tests, and installs them when there are none.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { asScript, installDebian, path, printLine, probe, stream, Unmet } from './lib.mjs';

const PLACES = {
  /** Chromium without windows and what belongs to them: the same pages for a fifth less CPU. */
  shell: ['/usr/bin/chromium-headless-shell'],
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

/** The paths of Playwright's own browsers, installed or not. */
async function ofPlaywright(name) {
  if (name === 'firefox') return [];
  const { chromium } = await import('playwright-core');
  const whole = chromium.executablePath();
  if (name === 'chromium') return [whole];
  // Playwright has no call for the path of its shell, which is in a directory beside that of its Chromium.
  const [, above, revision] = /^(.*[\\/])chromium-(\d+)[\\/]/.exec(whole) ?? [];
  const directory = `${above}chromium_headless_shell-${revision}`;
  if (!existsSync(directory)) return [];
  const program = `chrome-headless-shell${process.platform === 'win32' ? '.exe' : ''}`;
  return readdirSync(directory).map((inner) => join(directory, inner, program));
}

/** The path of the first of these browsers that runs: of the system, then Playwright's; `null`: none does. */
async function installed(names) {
  for (const name of names) {
    const found = [...PLACES[name], ...(await ofPlaywright(name))].find(runs);
    if (found !== undefined) return found;
  }
  return null;
}

/** The path of the browser that a person has chosen, if any. */
function chosen(name) {
  const variable = `LEVELSCOPE_${name}`;
  const file = process.env[variable] ?? '';
  if (file === '') return null;
  if (runs(file)) return file;
  throw new Unmet(`${variable} names ${file}, which cannot be run.`);
}

async function chromium(names, packages, download) {
  const cli = path('node_modules/playwright-core/cli.js');
  const installations = [
    ...packages.map((name) => () => installDebian([name])),
    async () => (await stream(process.execPath, [cli, 'install', download])).output,
  ];
  let log = '';
  let found = chosen('CHROMIUM') ?? (await installed(names));
  for (const install of installations) {
    if (found !== null) break;
    log += await install();
    found = await installed(names);
  }
  if (found !== null) return found;
  throw new Unmet(
    `${log}\nThe browser tests need Chromium and it could not be installed: install it, or set LEVELSCOPE_CHROMIUM to its path.`,
  );
}

/** The path of a Chromium for tests: the headless shell, or a whole Chromium where that is what there is. */
export const browser = () =>
  chromium(
    ['shell', 'chromium'],
    ['chromium-headless-shell', 'chromium'],
    'chromium-headless-shell',
  );

/** The path of a Chromium as visitors have it, for pictures and measurements. */
export const wholeBrowser = () => chromium(['chromium'], ['chromium'], 'chromium');

/** The path of a Firefox that runs; `null`: there is none, and it cannot be installed. */
export async function firefox() {
  const found = chosen('FIREFOX') ?? (await installed(['firefox']));
  if (found !== null) return found;
  await installDebian(['firefox-esr']);
  return installed(['firefox']);
}

asScript(import.meta.url, async () => printLine(await browser()));
