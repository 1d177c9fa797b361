// Runs the official suite, or a half of it, in this thread, on `where`: origin or memory.

import { Levelscope, MemoryLevelscope, run } from '/suite.js';

/** Every database has another name, in this run and in others. */
const prefix = `suite/${crypto.randomUUID()}/`;
let made = 0;

const factories = {
  origin: (options) => {
    made += 1;
    return new Levelscope(`${prefix}${made}`, options);
  },
  memory: (options) => new MemoryLevelscope(options),
};

export const suiteOn = (where, half) => run(factories[where], half);
