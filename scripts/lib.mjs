// Common to every script: running programs, printing progress, and skipping builds that are up to date.
// Plain Node without packages, because it also runs before any package is installed.

import { AsyncLocalStorage } from 'node:async_hooks';
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const path = (...parts) => join(root, ...parts);

/** A problem that the person at the keyboard can solve: printed without a stack trace. */
export class Unmet extends Error {}

const cargoBin = join(process.env.CARGO_HOME ?? join(homedir(), '.cargo'), 'bin');

/** The environment of every program started here: rustup's directory is found even in a shell opened before it was installed. */
export function environment(extra = {}) {
  const searched = `${process.env.PATH ?? ''}${delimiter}${cargoBin}`;
  return { ...process.env, PATH: searched, ...extra };
}

/** Receives the output of a stage, where stages run side by side. */
export const stageOutput = new AsyncLocalStorage();

const toTerminal = (text) => process.stdout.write(text);

export function printLine(text) {
  (stageOutput.getStore() ?? toTerminal)(`${text}\n`);
}

/** [seconds] since `start`, for people. */
export function since(start) {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}

/** Runs a program to its end without showing it. */
export function probe(program, args, options = {}) {
  const result = spawnSync(program, args, {
    cwd: root,
    env: environment(),
    encoding: 'utf8',
    maxBuffer: 64 << 20,
    ...options,
  });
  const output = `${result.stdout ?? ''}${result.stderr ?? ''}`;
  return {
    ok: result.status === 0,
    stdout: result.stdout ?? '',
    output,
    missing: result.error?.code === 'ENOENT',
  };
}

/** Runs a program, showing what it prints; resolves to `{ code, output }`, never rejects. */
export function stream(program, args, { env = {}, cwd = root, quiet = false, shell = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env: environment(env),
      shell,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const print = stageOutput.getStore() ?? toTerminal;
    const take = (chunk) => {
      output += chunk;
      if (!quiet) print(chunk);
    };
    child.stdout.setEncoding('utf8').on('data', take);
    child.stderr.setEncoding('utf8').on('data', take);
    child.on('error', (error) => resolve({ code: 127, output: `${program}: ${error.message}\n` }));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** Runs npm itself, which is a script on some systems and a command file on others. */
export function npm(args, options = {}) {
  const script = process.env.npm_execpath;
  if (script?.endsWith('.js')) return stream(process.execPath, [script, ...args], options);
  return stream('npm', args, { ...options, shell: process.platform === 'win32' });
}

/** The command line of a package's program, without the shell wrapper that differs between systems. */
export function tool(packageName, program = packageName) {
  const manifest = JSON.parse(
    readFileSync(path('node_modules', packageName, 'package.json'), 'utf8'),
  );
  const entry = typeof manifest.bin === 'string' ? manifest.bin : manifest.bin[program];
  return path('node_modules', packageName, entry);
}

/** Installs packages of Debian, where that can be done; what is in the way, or nothing. */
export async function installDebian(packages) {
  const command = `apt-get update && apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends ${packages.join(' ')}`;
  const isRoot = process.getuid?.() === 0;
  if (!probe('apt-get', ['--version']).ok || !(isRoot || probe('sudo', ['-n', 'true']).ok)) {
    return `On Debian and its like: ${command}`;
  }
  printLine(`Installing ${packages.join(', ')} …`);
  const [program, ...args] = [...(isRoot ? [] : ['sudo', '-n']), 'sh', '-c', command];
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const { code, output } = await stream(program, args, { quiet: true, env });
  return code === 0 ? '' : output;
}

/** Cargo's target directory. */
export function targetDirectory() {
  const { ok, stdout, output } = probe('cargo', ['metadata', '--no-deps', '--format-version=1']);
  if (!ok) throw new Unmet(`cargo metadata failed:\n${output}`);
  return JSON.parse(stdout).target_directory;
}

const skipped = new Set(['node_modules', 'target', 'dist', '.git', 'test-results']);

/** Every file below a place, but nothing that was installed or built. */
export function* filesUnder(place) {
  if (!existsSync(place)) return;
  if (!statSync(place).isDirectory()) {
    yield place;
    return;
  }
  for (const entry of readdirSync(place, { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    if (skipped.has(entry.name)) continue;
    const inner = join(place, entry.name);
    if (entry.isDirectory()) yield* filesUnder(inner);
    else if (entry.isFile()) yield inner;
  }
}

/** One hash over names and contents of everything below the given places. */
export function fingerprint(places, except = []) {
  const hash = createHash('sha256');
  for (const place of places) {
    for (const file of filesUnder(path(place))) {
      const name = relative(root, file);
      if (except.some((prefix) => name.startsWith(prefix))) continue;
      hash.update(name).update('\0').update(readFileSync(file)).update('\0');
    }
  }
  return hash.digest('hex');
}

const stampOf = (name) => path('node_modules', '.cache', 'levelscope', name);

/** Whether `name` was last made from exactly these inputs and its products are still there. */
export function fresh(name, print, products) {
  const stamp = stampOf(name);
  return (
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === print &&
    products.every((product) => existsSync(path(product)))
  );
}

export function stampFresh(name, print) {
  mkdirSync(path('node_modules', '.cache', 'levelscope'), { recursive: true });
  writeFileSync(stampOf(name), print);
}

/** Runs `main` as the script it is, turning problems into one clear line and a failing exit code. */
export function asScript(url, main) {
  if (process.argv[1] === undefined || fileURLToPath(url) !== process.argv[1]) return;
  main().catch((error) => {
    console.error(error instanceof Unmet ? `\n${error.message}` : error);
    process.exitCode = 1;
  });
}
