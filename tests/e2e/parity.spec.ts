// The browser and the native program are one engine: the same script leaves the same files, byte for byte, and prints the
// same sentences.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, sha256, test } from './harness';
import { openRig } from './rig';

const scripts: Record<
  string,
  { preset: string; settings: Record<string, string>; lines: string[] }
> = {
  'classroom, step by step': {
    preset: 'classroom',
    settings: {},
    lines: [
      'put apple red',
      'put pear green',
      'del apple',
      'fill 60 --words --seed 7',
      'flush',
      'step phase 5',
      'step job',
      'run',
      'fill 200 --order random --seed 3 --value-size 60',
      'snapshot',
      'del pear',
      'put \\x00\\xff "<b>bold</b>"',
      'flush',
      'run',
      'compact',
      'run',
      'explain get pear',
      'lsm',
      'stats',
      'wal',
      'manifest',
      'scan --limit 30',
      'check',
    ],
  },
  'ordinary sizes, work done inline': {
    preset: 'default',
    settings: {
      maintenance: 'inline',
      memtable_bytes: '64k',
      table_bytes: '64k',
      level_base_bytes: '256k',
    },
    lines: [
      'fill 8000 --order random --seed 11 --value-size 80',
      'flush',
      'compact',
      'scan --limit 5',
      'lsm',
      'check',
    ],
  },
};

type Line = { command: string; result: unknown; error: unknown; lines: string[] };

function native(
  directory: string,
  identity: string,
  preset: string,
  settings: Record<string, string>,
  lines: string[],
): Line[] {
  const program = process.env.LEVELSCOPE_NATIVE;
  if (program === undefined) throw new Error('LEVELSCOPE_NATIVE must name the native program.');
  const options = Object.entries(settings).flatMap(([name, value]) => [
    '--set',
    `${name}=${value}`,
  ]);
  const args = [directory, '--json', '--identity', identity, '--preset', preset, ...options];
  const output = execFileSync(program, args, {
    input: `${lines.join('\n')}\n`,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line, keysInBytes) as Line);
}

/** Keys are text for people natively, escaped where they are no UTF-8; the page gets a letter for each byte. */
function keysInBytes(name: string, value: unknown): unknown {
  if (name !== 'head' || typeof value !== 'string') return value;
  const bytes = value.split(/(\\x[0-9a-f]{2}|\\\\)/).map((part, index) => {
    if (index % 2 === 0) return Buffer.from(part, 'utf8').toString('latin1');
    return part === '\\\\' ? '\\' : String.fromCharCode(Number.parseInt(part.slice(2), 16));
  });
  return bytes.join('');
}

/** The identity in the first slot that `CURRENT` ever got, in hexadecimal digits as the file itself. */
function identityIn(current: string): string {
  const at = (4096 + 28) * 2;
  return current.slice(at, at + 32);
}

for (const [name, { preset, settings, lines }] of Object.entries(scripts)) {
  test(`native and browser agree: ${name}`, async ({ page, site }) => {
    const directory = mkdtempSync(join(tmpdir(), 'levelscope-native-'));
    // The page keeps some of the log in memory, and so must the native program to emit the same events.
    const same = { ...settings, wal_buffer_bytes: '64k' };
    const rig = await openRig(page, site);
    expect(await rig.open({ preset, settings: same })).toMatchObject({
      type: 'opened',
      storage: 'opfs',
    });
    const heard = [];
    for (const line of lines) heard.push(await rig.command(line));
    await rig.close();
    // The page's history lies beside the database.
    const all = Object.entries(await rig.files());
    const written = all.filter(([path]) => path.startsWith('levelscope/'));

    // The browser draws the identity of its database at random, and every file carries it: so does CURRENT.
    const current = written.find(([path]) => path.endsWith('CURRENT'))?.[1] ?? '';
    const printed = native(directory, identityIn(current), preset, same, lines);
    for (const [index, line] of lines.entries()) {
      const [here, there] = [heard[index], printed[index]];
      expect(here?.error, line).toBeNull();
      expect(here?.lines, line).toEqual(there?.lines);
      expect(here?.result, line).toEqual(there?.result);
    }

    const files: Record<string, string> = {};
    for (const file of readdirSync(directory))
      files[file] = sha256(readFileSync(join(directory, file)).toString('hex'));
    const browserFiles: Record<string, string> = {};
    for (const [path, hex] of written) {
      browserFiles[path.slice(path.lastIndexOf('/') + 1)] = sha256(hex);
    }
    // The lock is a file natively; in the browser the browser itself keeps it.
    delete files.LOCK;
    delete browserFiles.LOCK;
    expect(Object.keys(files).length).toBeGreaterThan(3);
    expect(browserFiles).toEqual(files);
    rmSync(directory, { recursive: true, force: true });
  });
}
