// The names of failed tests and the first line of each reason, from the reports of the runners, for the end of a long run.

import { relative } from 'node:path';
import { path } from './lib.mjs';

/** The first line of a message that is not blank, without colours. */
function firstLine(message = '') {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal begin with this character.
  const plain = message.replaceAll(/\u001b\[[0-9;]*m/g, '');
  return plain.split('\n').find((line) => line.trim() !== '') ?? 'no reason was given';
}

/** The failed tests in the output of `cargo test`. */
export function ofCargo(output) {
  return [...output.matchAll(/^test (.+?) \.\.\. FAILED$/gm)].map(([, name]) => name);
}

/** The failed tests in vitest's JSON. */
export function ofVitest({ testResults = [] }) {
  return testResults.flatMap(({ name: file, assertionResults = [] }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(
        ({ fullName, failureMessages }) =>
          `${relative(path('.'), file)}: ${fullName}: ${firstLine(failureMessages?.[0])}`,
      ),
  );
}

/** The tests in Playwright's JSON whose outcome is `status`: "unexpected", or "flaky" for those that passed when they were run again. */
export function ofPlaywright({ suites = [] }, status) {
  const all = ({ suites: inner = [], specs = [] }) => [...specs, ...inner.flatMap(all)];
  return suites.flatMap(all).flatMap(({ file, line, title, tests = [] }) =>
    tests
      .filter((test) => test.status === status)
      .map(({ results = [] }) => {
        const error = results.find((result) => result.error)?.error;
        return `${file}:${line}: ${title}: ${firstLine(error?.message)}`;
      }),
  );
}
