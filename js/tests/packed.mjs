// The package as its users get it: packed, installed in an empty project outside of the repository, and used as in README.md:
// in Node by `import` and `require`, by TypeScript, and in pages that Vite, webpack, esbuild and Rollup have bundled.
// The last line is `N passed, N failed`.

import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { browser } from '../../scripts/browser.mjs';
import { serve } from '../../scripts/serve.mjs';
import { bundlers } from './packed/bundlers.mjs';

const js = fileURLToPath(new URL('..', import.meta.url));
const project = mkdtempSync(join(tmpdir(), 'levelscope-packed-'));
const PRINTED = [`{ colour: 'yellow' }`, 'banana yellow', 'cherry dark red'];

/** The ten lines of the README. */
const program = /```js\n(import \{ Levelscope \}.*?)```/s.exec(
  readFileSync(join(js, 'README.md'), 'utf8'),
)[1];

function run(command, args, cwd = project) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}:\n${stdout}${stderr}`);
  return stdout;
}

function equal(found, expected) {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${a} instead of ${b}`);
}

const lines = (text) => text.trim().split('\n');

/** Packs the package and installs it. */
function install() {
  const npm = ['npm', '--no-audit', '--no-fund', '--prefer-offline'];
  const name = run('npm', ['pack', '--silent', '--pack-destination', project], js).trim();
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  run(npm[0], ['install', ...npm.slice(1), join(project, name)]);
  const installed = join(project, 'node_modules', 'levelscope');
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  equal(Object.keys(manifest.dependencies), ['abstract-level']);
  for (const script of ['preinstall', 'install', 'postinstall'])
    equal(manifest.scripts?.[script], undefined);
  const bytes = Number(run('du', ['-sb', installed]).split('\t')[0]);
  if (bytes > 3 << 20) throw new Error(`the package has ${bytes} bytes unpacked`);
  return `${readdirSync(installed).length} names, ${(bytes / 1024).toFixed(0)} KiB unpacked`;
}

function inNode() {
  writeFileSync(join(project, 'program.js'), program);
  equal(lines(run(process.execPath, ['program.js'])), PRINTED);
}

function required() {
  const text = program
    .replace(
      /import \{ Levelscope \} from 'levelscope';/,
      "const { Levelscope } = require('levelscope');",
    )
    .replace("'notes'", "'required'");
  const [first, ...rest] = text.split('\n');
  writeFileSync(
    join(project, 'program.cjs'),
    `${first}\n(async () => {\n${rest.join('\n')}\n})();`,
  );
  equal(
    lines(run(process.execPath, ['--disable-warning=ExperimentalWarning', 'program.cjs'])),
    PRINTED,
  );
}

/** A consumer in TypeScript, in both ways of resolving. */
function typed() {
  cpSync(join(js, 'tests/packed/consumer.ts'), join(project, 'consumer.ts'));
  const compiler = join(js, 'node_modules/typescript/bin/tsc');
  const types = ['--types', 'node', '--typeRoots', join(js, 'node_modules/@types')];
  for (const [module, resolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ]) {
    const args = [
      '--noEmit',
      '--strict',
      '--target',
      'es2023',
      '--module',
      module,
      '--moduleResolution',
      resolution,
    ];
    run(process.execPath, [compiler, ...args, ...types, '--skipLibCheck', 'consumer.ts']);
  }
}

/** A page that runs the ten lines, by way of a bundler. */
async function bundled(bundle, name, chrome) {
  const source = join(project, name);
  const out = join(source, 'out');
  mkdirSync(source, { recursive: true });
  const printing = program.replaceAll('console.log(', 'print(');
  writeFileSync(
    join(source, 'main.js'),
    `import { Levelscope as Checked } from 'levelscope';
const printed = [];
const print = (...parts) => printed.push(parts.map((part) => typeof part === 'string' ? part : JSON.stringify(part)).join(' '));
const run = async () => {
${printing.replace(/import .*?;\n/, 'const Levelscope = Checked;')}
};
run().then(() => { document.title = JSON.stringify(printed); }, (error) => { document.title = 'failed: ' + error.message + ' ' + error.cause; });
`,
  );
  const html = '<!doctype html><meta charset="utf-8"><title>…</title>';
  writeFileSync(
    join(source, 'index.html'),
    `${html}<script type="module" src="./main.js"></script>`,
  );
  await bundle({ source, out, package: join(project, 'node_modules/levelscope'), html });
  const server = await serve(out);
  const page = await chrome.newPage();
  try {
    const problems = [];
    page.on('pageerror', (error) => problems.push(error.message));
    await page.goto(`http://localhost:${server.port}/`);
    await page
      .waitForFunction(() => document.title !== '…', null, { timeout: 60_000 })
      .catch(() => {});
    const title = await page.title();
    if (!title.startsWith('[')) throw new Error(`${title} ${problems.join(' ')}`);
    equal(JSON.parse(title), ['{"colour":"yellow"}', 'banana yellow', 'cherry dark red']);
  } finally {
    await page.close();
    server.stop();
  }
}

/** A program with React of its own: the element `levelscope/view/react` draws with it, so the bundle has React once. */
async function besideReact(chrome) {
  for (const name of ['react', 'react-dom', 'scheduler']) {
    const from = join(js, '../node_modules', name);
    cpSync(from, join(project, 'node_modules', name), { recursive: true });
  }
  const source = join(project, 'react');
  const out = join(source, 'out');
  mkdirSync(source, { recursive: true });
  writeFileSync(join(source, 'index.html'), '<script type="module" src="./main.js"></script>');
  writeFileSync(
    join(source, 'main.js'),
    `import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { MemoryLevelscope } from 'levelscope';
import 'levelscope/view/react';
const database = new MemoryLevelscope({ inspect: true });
const place = document.body.appendChild(document.createElement('main'));
createRoot(place).render(createElement('levelscope-view', { database, style: { height: '400px' } }));
database.put('apple', 'red');
`,
  );
  await bundlers.vite({ source, out });
  const names = readdirSync(join(out, 'assets')).filter((name) => name.endsWith('.js'));
  const text = names.map((name) => readFileSync(join(out, 'assets', name), 'utf8')).join('');
  equal(text.split('reconcilerVersion').length - 1, 1);
  const server = await serve(out);
  const page = await chrome.newPage();
  try {
    await page.goto(`http://localhost:${server.port}/`);
    await page.getByText('apple').first().waitFor({ timeout: 30_000 });
  } finally {
    await page.close();
    server.stop();
  }
}

const counts = { passed: 0, failed: 0 };
async function check(name, act) {
  try {
    const detail = await act();
    counts.passed++;
    console.log(`ok     ${name}${detail === undefined ? '' : ` (${detail})`}`);
  } catch (error) {
    counts.failed++;
    console.log(`FAILED ${name}: ${error.message}`);
  }
}

const chrome = await chromium.launchPersistentContext(join(project, 'profile'), {
  executablePath: await browser(),
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  await check('installed from its archive', install);
  await check('imported in Node', inNode);
  await check('required in Node', required);
  await check('its types', typed);
  for (const [name, bundle] of Object.entries(bundlers)) {
    await check(`bundled by ${name}`, () => bundled(bundle, name, chrome));
  }
  await check('React once', () => besideReact(chrome));
} finally {
  await chrome.close();
  rmSync(project, { recursive: true, force: true });
}
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed === 0 ? 0 : 1;
