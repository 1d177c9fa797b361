// Installs what the build needs, when it is missing: npm packages and the Rust toolchain with its wasm target.

import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import {
  fingerprint,
  fresh,
  npm,
  path,
  printLine,
  probe,
  since,
  stampFresh,
  stream,
  Unmet,
} from './lib.mjs';

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new Unmet(
    `Node ${process.versions.node} is too old: install Node 20.19 or newer from https://nodejs.org.`,
  );
}

/** Installs the packages of the project in `directory`; `product` is there when they are, and `stamp` names its fingerprint. */
export async function installPackages({ directory, product, stamp }) {
  const inside = (name) => posix.join(directory, name);
  const print = fingerprint([inside('package.json'), inside('package-lock.json')]);
  if (fresh(stamp, print, [inside(product)])) return;
  const start = performance.now();
  printLine('Installing npm packages …');
  // A page that was built before in this process has set NODE_ENV, with which npm leaves out what builds and tests need.
  const options = ['--include=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { code, output } = await npm(['ci', ...options], { cwd: path(directory), quiet: true });
  if (code !== 0) {
    throw new Unmet(
      `${output}\nnpm could not install the packages (exit code ${code}); its own message is above.`,
    );
  }
  stampFresh(stamp, print);
  printLine(`npm packages installed in ${since(start)}.`);
}

/** Installs what the npm package is built from. */
export const installJs = () =>
  installPackages({
    directory: 'js',
    product: 'node_modules/abstract-level/package.json',
    stamp: 'js-packages',
  });

/** The missing parts of the pinned toolchain, in words; `null` when it is complete. */
function missingFromToolchain() {
  const needs = [
    ['cargo', ['--version']],
    ['cargo', ['fmt', '--version']],
    ['cargo', ['clippy', '--version']],
  ];
  for (const [program, args] of needs) {
    if (!probe(program, args).ok) return `${program} ${args[0].replace('--version', '')}`.trim();
  }
  const wasm = probe('rustc', ['--print', 'target-libdir', '--target', 'wasm32-unknown-unknown']);
  const library = wasm.output.trim().split('\n').at(-1) ?? '';
  return wasm.ok && existsSync(library) ? null : 'the wasm32-unknown-unknown target';
}

async function installToolchain() {
  const missing = missingFromToolchain();
  if (missing === null) return;
  if (probe('rustup', ['--version']).missing) {
    throw new Unmet(
      `Rust is incomplete (${missing} is missing) and rustup is not there: install it from https://rustup.rs.`,
    );
  }
  const start = performance.now();
  printLine(`Installing the Rust toolchain (${missing} is missing) …`);
  // Without arguments rustup reads rust-toolchain.toml; versions before 1.28 want it spelled out.
  const short = await stream('rustup', ['toolchain', 'install'], { quiet: true });
  if (short.code !== 0) {
    const pinned = readFileSync(path('rust-toolchain.toml'), 'utf8');
    const channel = /channel\s*=\s*"([^"]+)"/.exec(pinned)?.[1] ?? 'stable';
    const parts = [
      '--profile',
      'minimal',
      '-c',
      'rustfmt',
      '-c',
      'clippy',
      '-t',
      'wasm32-unknown-unknown',
    ];
    const long = await stream('rustup', ['toolchain', 'install', channel, ...parts], {
      quiet: true,
    });
    if (long.code !== 0)
      throw new Unmet(`${short.output}${long.output}\nrustup could not install the toolchain.`);
  }
  const still = missingFromToolchain();
  if (still !== null)
    throw new Unmet(
      `The Rust toolchain is still incomplete after rustup ran: ${still} is missing.`,
    );
  printLine(`Rust toolchain installed in ${since(start)}.`);
}

/** Installs the tools that are missing; takes under a second when none is. */
export async function setup() {
  checkNode();
  await installPackages({
    directory: '.',
    product: 'node_modules/vite/package.json',
    stamp: 'packages',
  });
  await installToolchain();
}
