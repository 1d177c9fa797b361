// Finds a Chromium and a Firefox for the browser tests, and installs them when there are none.

import { existsSync } from 'node:fs';
import { asScript, path, probe, say, since, stream, Unmet } from './lib.mjs';

const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

const runs = (file) =>
  existsSync(file) && (process.platform === 'win32' || probe(file, ['--version']).ok);

async function installed() {
  const chosen = process.env.LEVELSCOPE_CHROMIUM;
  if (chosen !== undefined && chosen !== '') {
    if (runs(chosen)) return chosen;
    throw new Unmet(`LEVELSCOPE_CHROMIUM names ${chosen}, which cannot be run.`);
  }
  const { chromium } = await import('playwright-core');
  return [...usualPlaces, chromium.executablePath()].find(runs) ?? null;
}

/** The path of a browser that runs. */
export async function browser() {
  const found = await installed();
  if (found !== null) return found;
  const start = performance.now();
  say('Installing Chromium for the browser tests …');
  const attempts = [
    [process.execPath, [path('node_modules/playwright-core/cli.js'), 'install', 'chromium']],
  ];
  if (process.getuid?.() === 0 && probe('apt-get', ['--version']).ok) {
    attempts.unshift([
      'sh',
      [
        '-c',
        'apt-get update && apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends chromium',
      ],
    ]);
  }
  let log = '';
  for (const [program, args] of attempts) {
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    log += (await stream(program, args, { quiet: true, env })).output;
    const now = await installed();
    if (now !== null) {
      say(`Chromium installed in ${since(start)}.`);
      return now;
    }
  }
  throw new Unmet(
    `${log}\nThe browser tests need Chromium and it could not be installed: install it, or set LEVELSCOPE_CHROMIUM to its path.`,
  );
}

const firefoxPlaces = [
  '/usr/bin/firefox',
  '/usr/bin/firefox-esr',
  '/Applications/Firefox.app/Contents/MacOS/firefox',
  'C:\\Program Files\\Mozilla Firefox\\firefox.exe',
];

/** The path of a Firefox that runs; `null`: there is none, and it cannot be installed. */
export async function firefox() {
  const chosen = process.env.LEVELSCOPE_FIREFOX;
  if (chosen !== undefined && chosen !== '') {
    if (runs(chosen)) return chosen;
    throw new Unmet(`LEVELSCOPE_FIREFOX names ${chosen}, which cannot be run.`);
  }
  const found = firefoxPlaces.find(runs);
  if (found !== undefined) return found;
  if (process.getuid?.() === 0 && probe('apt-get', ['--version']).ok) {
    say('Installing Firefox for the browser tests …');
    const install =
      'apt-get update && apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends firefox-esr';
    await stream('sh', ['-c', install], {
      quiet: true,
      env: { DEBIAN_FRONTEND: 'noninteractive' },
    });
  }
  return firefoxPlaces.find(runs) ?? null;
}

asScript(import.meta.url, async () => say(await browser()));
