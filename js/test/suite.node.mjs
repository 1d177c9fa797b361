// The official suite of abstract-level, in memory and on files of this machine.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import suite from 'abstract-level/test/index.js';
import test from 'tape';
import { Levelscope, MemoryLevelscope } from '../dist/node.js';

const root = mkdtempSync(join(tmpdir(), 'levelscope-suite-'));
let made = 0;
const [where = 'files'] = process.argv.slice(2);
const factory =
  where === 'memory'
    ? (options) => new MemoryLevelscope(options)
    : (options) => new Levelscope(join(root, String(++made)), options);

test.onFinish(() => rmSync(root, { recursive: true, force: true }));
suite({ test, factory });
