// As much of tape as the official suite of abstract-level uses: tests one after the other, assertions counted.

/** Longest time of a test [ms]. */
const TEST_MS = 10_000;

const isObject = (value) => typeof value === 'object' && value !== null;

/** A Buffer equals a Buffer of another copy of the package `buffer`. */
function sameBytes(a, b) {
  const kinds = [a, b].map((bytes) => bytes._isBuffer === true);
  if (kinds[0] !== kinds[1] || a.length !== b.length) return false;
  return a.every((byte, index) => byte === b[index]);
}

/** Whether a function that was given for an error accepts it. */
function accepts(expected, error) {
  if (typeof expected !== 'function') return true;
  const isClass = expected === Error || expected.prototype instanceof Error;
  return isClass ? error instanceof expected : expected(error) === true;
}

/** Whether two values are the same, all the way down. */
export function same(a, b) {
  if (Object.is(a, b)) return true;
  if (!isObject(a) || !isObject(b)) return false;
  if (a instanceof Uint8Array && b instanceof Uint8Array) return sameBytes(a, b);
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  if (a instanceof Date) return a.getTime() === b.getTime();
  if (a instanceof Error && (a.name !== b.name || a.message !== b.message)) return false;
  if (a instanceof Map || a instanceof Set) return same([...a], [...b]);
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]));
}

function shown(value) {
  try {
    return typeof value === 'function' ? `${value}` : (JSON.stringify(value) ?? `${value}`);
  } catch {
    return `${value}`;
  }
}

/** An error and all that led to it. */
function withCauses(error) {
  const { stack = `${error}`, cause } = error ?? {};
  return cause === undefined ? stack : `${stack}\ncaused by ${withCauses(cause)}`;
}

/** The object that a test is given. */
class Test {
  #planned = null;
  #count = 0;
  #report;
  #ended = false;
  #done;

  constructor(report) {
    this.#report = report;
    this.over = new Promise((resolve) => {
      this.#done = resolve;
    });
  }

  #assert(passed, message, got, wanted) {
    this.#count += 1;
    const compared = wanted === undefined && got === undefined;
    const detail = compared ? '' : ` (got ${shown(got)}, not ${shown(wanted)})`;
    this.#report(passed && !this.#ended, `${message ?? 'an assertion'}${passed ? '' : detail}`);
    if (this.#planned !== null && this.#count === this.#planned) this.finish();
  }

  plan(count) {
    this.#planned = count;
    if (count === 0) this.finish();
  }

  finish() {
    this.#ended = true;
    this.#done();
  }

  end(error) {
    if (error) this.#assert(false, `ended with ${error}`);
    if (this.#planned !== null && this.#count !== this.#planned) {
      this.#assert(false, `planned ${this.#planned} assertions, made ${this.#count}`);
    }
    this.finish();
  }

  /** The body of the test has returned, or what it returned has settled. */
  returned(isAsync) {
    if (isAsync && (this.#planned === null || this.#count >= this.#planned)) this.finish();
  }

  pass(message) {
    this.#assert(true, message);
  }

  fail(message) {
    this.#assert(false, message instanceof Error ? `${message.stack}` : message);
  }

  ok(value, message) {
    this.#assert(Boolean(value), message);
  }

  is(got, wanted, message) {
    this.#assert(Object.is(got, wanted), message, got, wanted);
  }

  isNot(got, unwanted, message) {
    this.#assert(!Object.is(got, unwanted), message, got, unwanted);
  }

  same(got, wanted, message) {
    this.#assert(same(got, wanted), message, got, wanted);
  }

  throws(act, expected, message) {
    try {
      act();
    } catch (error) {
      const words = typeof expected === 'string' ? expected : message;
      this.#assert(accepts(expected, error), words, error);
      return;
    }
    this.#assert(false, message ?? 'it throws');
  }

  doesNotThrow(act, message) {
    try {
      act();
      this.#assert(true, message);
    } catch (error) {
      this.#assert(false, message, error);
    }
  }
}

/** A `test` function that collects tests; `run` makes them all. */
export function harness() {
  const tests = [];
  const test = (name, body) => tests.push({ name, body });
  test.skip = () => {};
  test.only = test;

  /** Runs what `choose` takes of all tests. */
  async function run(choose = (all) => all) {
    const result = { tests: 0, passed: 0, failed: 0, failures: [] };
    for (const { name, body } of choose(tests)) {
      const t = new Test((passed, message) => {
        result[passed ? 'passed' : 'failed'] += 1;
        if (!passed && result.failures.length < 20) result.failures.push(`${name}: ${message}`);
      });
      const slow = setTimeout(() => t.end(`no end after ${TEST_MS / 1000} s`), TEST_MS);
      try {
        const returned = body(t);
        if (returned instanceof Promise) {
          await returned;
          t.returned(true);
        }
      } catch (error) {
        t.end(withCauses(error));
      }
      await t.over;
      clearTimeout(slow);
      result.tests += 1;
      // Something is broken: the rest would fail for the same reason, slowly.
      if (result.failed > 50) break;
    }
    return result;
  }
  return { test, run };
}
