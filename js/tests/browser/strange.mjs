// Cases that only browsers have: tabs, quotas, denied storage, workers and browsers that die.

import { cases } from './cases.mjs';
import { Chromium, Firefox } from './drivers.mjs';

/** The cases of each browser: only Chromium lets a test set a quota. */
const chosenFor = {
  Chromium: Object.keys(cases),
  Firefox: ['tabs', 'reload', 'denied', 'killedWorker', 'killedBrowser'],
};

/** Checks that count; each case gets them with the browser and the address of the site. */
function checks(tally, name) {
  let [passed, failures] = [0, []];
  return {
    ok(holds, what) {
      if (holds) passed += 1;
      else failures.push(what);
    },
    is(got, wanted, what) {
      this.ok(Object.is(got, wanted), `${what}: got ${got}, not ${wanted}`);
    },
    finish(title) {
      tally(passed, failures.length, `${name}: ${title}`, failures);
    },
  };
}

/** Runs the cases one after the other, each in a browser with a profile of its own. */
export async function strange(name, { url, tally, only }) {
  if (name === 'Firefox' && !(await Firefox.isThere())) return;
  for (const key of chosenFor[name]) {
    if ((only ?? key) !== key) continue;
    const { title, isPrivate, run } = cases[key];
    const browser = await new { Chromium, Firefox }[name]().start({ isPrivate });
    const check = checks(tally, name);
    try {
      await run(browser, { url, check });
    } catch (error) {
      check.ok(false, error.stack);
    } finally {
      await browser.stop();
    }
    check.finish(title);
  }
}
