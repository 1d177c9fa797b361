// The official suite, in each place where a database can be.

import { Chromium, Firefox } from './drivers.mjs';

/** In the page: runs the suite, and answers with its result. */
const inPage = async ({ where, half }) => {
  const { suiteOn } = await import('/test/page.mjs');
  return suiteOn(where, half);
};

/** In the page: runs the suite in a worker. */
const inWorker = ({ half }) =>
  new Promise((resolve, reject) => {
    const worker = new Worker('/test/suite.worker.mjs', { type: 'module' });
    worker.onerror = (event) => reject(new Error(`the worker failed: ${event.message}`));
    worker.onmessage = ({ data }) =>
      data.error === undefined ? resolve(data) : reject(new Error(data.error));
    worker.postMessage(half);
  });

const runs = [
  { name: 'worker', title: 'in a worker, files of the origin', act: inWorker },
  { name: 'page', title: 'on the main thread, files of the origin', act: inPage, where: 'origin' },
  { name: 'memory', title: 'on the main thread, in memory', act: inPage, where: 'memory' },
];

/** The suites of a browser; Chromium has the one in memory for both. */
const wanted = { Chromium: ['worker', 'page', 'memory'], Firefox: ['worker', 'page'] };

/** Runs both halves of the suite in tabs side by side: opening files is mostly waiting. */
async function suiteIn(browser, { name: run, title, act, where }, { url, name, tally }) {
  const start = performance.now();
  const results = await Promise.all(
    ['databases', 'sublevels'].map(async (half) => {
      // Of an origin of its own: a browser opens the files of one origin one after the other.
      const page = await browser.page(url.replace('localhost', `${half}.${run}.localhost`));
      const result = await page.evaluate(act, { where, half });
      await page.close();
      return result;
    }),
  );
  const sum = (of) => results.reduce((all, result) => all + of(result), 0);
  const [passed, failed] = [sum((result) => result.passed), sum((result) => result.failed)];
  const seconds = (performance.now() - start) / 1000;
  const what = `official suite, ${name} ${title} (${seconds.toFixed(0)} s)`;
  tally(
    passed,
    failed,
    what,
    results.flatMap(({ failures }) => failures),
  );
}

/** Runs them side by side in `name`. */
export async function suites(name, { url, tally, only }) {
  if (name === 'Firefox' && !(await Firefox.isThere())) {
    console.log('There is no Firefox here.');
    return;
  }
  const browser = await new { Chromium, Firefox }[name]().start();
  try {
    const chosen = runs.filter(
      (run) => wanted[name].includes(run.name) && (only ?? run.name) === run.name,
    );
    await Promise.all(chosen.map((run) => suiteIn(browser, run, { url, name, tally })));
  } finally {
    await browser.stop();
  }
}
