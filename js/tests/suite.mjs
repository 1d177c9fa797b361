// The official suite of abstract-level: `node suite.mjs files`, on files of this machine; `memory`; or `blocking`, on files that
// have to be opened before each first use, as a browser's do. Also runs in Deno and Bun.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import suite from 'abstract-level/test/index.js';
import test from 'tape';

const [where = 'files'] = process.argv.slice(2);
const root = mkdtempSync(join(tmpdir(), 'levelscope-suite-'));
let made = 0;

async function factoryOf() {
  if (where === 'blocking') {
    const { BlockingLevelscope } = await import('../dist/test/blocking.js');
    return (options) => new BlockingLevelscope(options);
  }
  const { Levelscope, MemoryLevelscope } = await import('../dist/node.js');
  if (where === 'memory') return (options) => new MemoryLevelscope(options);
  return (options) => new Levelscope(join(root, String(++made)), options);
}

const factory = await factoryOf();
test.onFinish(() => rmSync(root, { recursive: true, force: true }));
suite({ test, factory });
