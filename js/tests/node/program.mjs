// Temporary directories, and other programs, for several tests.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A directory of its own for a test, and the place of a database in it. */
export function place(test) {
  const root = mkdtempSync(join(tmpdir(), 'levelscope-test-'));
  test.after(() => rmSync(root, { recursive: true, force: true }));
  return join(root, 'db');
}

/**
 * Another Node that runs `code` with the package as `levelscope`; `line()` is the next one that it prints. It is started by the
 * command `within`, and has the variables `env` besides those of this program.
 */
export function other(test, code, { within = [], env = {} } = {}) {
  const url = new URL('../../dist/node.js', import.meta.url);
  const program = `import * as levelscope from ${JSON.stringify(url.href)};\n${code}`;
  const [file, ...args] = [...within, process.execPath, '--input-type=module', '-e', program];
  const child = spawn(file, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  test.after(() => child.kill('SIGKILL'));
  const lines = linesOf(child.stdout);
  return {
    child,
    line: async () => (await lines.next()).value,
    lines,
    ended: once(child, 'exit'),
  };
}

async function* linesOf(stream) {
  let rest = '';
  for await (const chunk of stream.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    yield* lines;
  }
}

/** The native program, if it was built: `npm test` builds it and passes its path. */
export const native =
  process.env.LEVELSCOPE_NATIVE ??
  fileURLToPath(new URL('../../../target/debug/levelscope', import.meta.url));
