// The package in Chromium and Firefox: the official suite of abstract-level, then what happens only in browsers.
// Options: `suites` or `strange`, `--browser Chromium`, `--suite page` (the suite in one place only), `--only NAME`.

import { parseArgs } from 'node:util';
import { serve } from './browser/server.mjs';
import { strange } from './browser/strange.mjs';
import { suites } from './browser/suites.mjs';

const { values, positionals } = parseArgs({
  options: { browser: { type: 'string' }, suite: { type: 'string' }, only: { type: 'string' } },
  allowPositionals: true,
});
const { only } = values;
const browsers = ['Chromium', 'Firefox'].filter((name) => (values.browser ?? name) === name);
const wants = (part) => positionals.length === 0 || positionals.includes(part);

let [passedAll, failedAll] = [0, 0];

/** Counts the results of a run, and prints them. */
function tally(passed, failed, what, failures = []) {
  passedAll += passed;
  failedAll += failed;
  for (const failure of failures) console.log(`  failed: ${failure}`);
  console.log(`${what}: ${passed} passed, ${failed} failed`);
}

const server = await serve();
const context = { url: server.url, tally, only };

async function testsIn(name) {
  if (wants('suites')) await suites(name, { ...context, only: values.suite ?? only });
  if (wants('strange')) await strange(name, context);
}

try {
  // Side by side: opening files is mostly waiting.
  await Promise.all(browsers.map(testsIn));
} finally {
  server.stop();
}
console.log(`${passedAll} passed, ${failedAll} failed`);
process.exit(failedAll === 0 ? 0 : 1);
