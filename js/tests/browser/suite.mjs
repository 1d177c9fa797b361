// The official suite of abstract-level, for a browser: bundled by server.mjs. The package is in the same bundle, because
// the suite looks for classes of the abstract-level that it requires itself.

import suite from 'abstract-level/test/index.js';
import { Levelscope, MemoryLevelscope } from '../../src/browser/index.ts';
import { harness } from './harness.mjs';

export { Levelscope, MemoryLevelscope };

/** Databases below a closed sublevel that stay open: a test may open the sublevel again. */
const OPEN_BELOW = 20;

/** Closes the databases that tests of sublevels leave open: each has memory of its own. */
function closing(factory) {
  const below = [];
  return (options) => {
    const database = factory(options);
    const { sublevel } = database;
    database.sublevel = (...how) => {
      const made = sublevel.apply(database, how);
      below.push({ database, made });
      return made;
    };
    const old = below.slice(0, -OPEN_BELOW).findIndex(({ made }) => made.status === 'closed');
    if (old >= 0) below.splice(old, 1)[0].database.close();
    return database;
  };
}

/** The suite comes twice: on databases, then the same tests on sublevels. */
const halves = {
  databases: (tests) => tests.slice(0, secondStart(tests)),
  sublevels: (tests) => tests.slice(secondStart(tests)),
};

const secondStart = (tests) => tests.findLastIndex(({ name }) => name === tests[0].name);

/** Runs it, or one half, on databases that `factory` makes. */
export async function run(factory, half) {
  const { test, run } = harness();
  suite({ test, factory: closing(factory) });
  const start = performance.now();
  const result = await run(halves[half]);
  return { ...result, seconds: (performance.now() - start) / 1000 };
}
