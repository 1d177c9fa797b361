// `node scripts/crate.mjs`: packs the crate `levelscope` as for its registry, and uses the package in an empty crate outside of this
// repository: its documentation has no broken link, and the first program of its README prints the expected line.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asScript, path, printLine, stream, targetDirectory, Unmet } from './lib.mjs';

const PRINTED = 'yellow';

/** The first program of the README, and the version in its line for Cargo.toml. */
function fromReadme() {
  const readme = readFileSync(path('engine', 'README.md'), 'utf8');
  const program = /```rust,no_run\n(.*?)```/s.exec(readme)?.[1];
  const version = /^levelscope = "([\d.]+)"/m.exec(readme)?.[1];
  if (program === undefined || version === undefined) {
    throw new Unmet('engine/README.md has no first program, or no line for Cargo.toml.');
  }
  const manifest = readFileSync(path('engine', 'Cargo.toml'), 'utf8');
  const oldest = /^rust-version = "([\d.]+)"$/m.exec(manifest)?.[1];
  if (!readme.includes(`It needs Rust ${oldest} or newer.`)) {
    throw new Unmet(`engine/README.md should contain "It needs Rust ${oldest} or newer."`);
  }
  return { program, version };
}

async function cargo(args, options = {}) {
  const { code, output } = await stream('cargo', args, { quiet: true, ...options });
  if (code !== 0) throw new Unmet(`cargo ${args.join(' ')} failed:\n${output}`);
  return output;
}

/** Packs the crate; the directory of what a user would download. */
async function packed() {
  await cargo(['package', '-p', 'levelscope', '--locked', '--allow-dirty', '--no-verify']);
  const output = await cargo(['pkgid', '-p', 'levelscope']);
  const version = /[#@]([\d.]+)\s*$/.exec(output)?.[1];
  const directory = join(targetDirectory(), 'package');
  const unpacked = mkdtempSync(join(tmpdir(), 'levelscope-package-'));
  const { code } = await stream(
    'tar',
    ['-xzf', join(directory, `levelscope-${version}.crate`), '-C', unpacked],
    { quiet: true },
  );
  if (code !== 0) throw new Unmet('The package cannot be unpacked.');
  return { unpacked, crate: join(unpacked, `levelscope-${version}`), version };
}

/** Builds and runs the program of the README with the package. */
async function tried({ unpacked, crate }, { program, version }) {
  const user = join(unpacked, 'user');
  mkdirSync(join(user, 'src'), { recursive: true });
  writeFileSync(
    join(user, 'Cargo.toml'),
    `[package]
name = "user"
edition = "2024"

[dependencies]
levelscope = { version = "${version}", path = ${JSON.stringify(crate)} }
`,
  );
  writeFileSync(join(user, 'src', 'main.rs'), program);
  const env = { CARGO_TARGET_DIR: join(targetDirectory(), 'crate'), CARGO_PROFILE_DEV_DEBUG: '0' };
  const output = await cargo(['run', '--quiet'], { cwd: user, env });
  if (output.trim() !== PRINTED) {
    throw new Unmet(`The program of the README prints ${JSON.stringify(output)}.`);
  }
}

export async function crateAlone() {
  const readme = fromReadme();
  await cargo(['doc', '-p', 'levelscope', '--no-deps', '--locked'], {
    env: { RUSTDOCFLAGS: '-Dwarnings' },
  });
  const found = await packed();
  try {
    await tried(found, readme);
  } finally {
    rmSync(found.unpacked, { recursive: true, force: true });
  }
  return found.version;
}

asScript(import.meta.url, async () => {
  const version = await crateAlone();
  printLine(
    `levelscope ${version} is packed, and the program of its README runs with the package alone.`,
  );
});
