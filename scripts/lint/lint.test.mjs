// Each rule fails on a bad sample and lets a good one pass.

import assert from 'node:assert/strict';
import { posix } from 'node:path';
import test from 'node:test';
import { broken, tightened } from '../lint.mjs';
import { crateImports, webImports } from './layers.mjs';
import { lostLinks } from './links.mjs';
import { lostNames, participles } from './names.mjs';
import { turns, vagueVerbs } from './prose.mjs';
import { longFiles, longFunctions } from './sizes.mjs';

const file = (name, text) => [{ name, text }];
const lines = (count) => 'line();\n'.repeat(count);
const messages = (found) => found.map(({ message }) => message);

test('a file of 401 lines is too long', () => {
  assert.equal(longFiles(file('web/src/a.ts', lines(400))).length, 0);
  assert.equal(longFiles(file('docs/a.md', lines(900))).length, 0);
  assert.deepEqual(messages(longFiles(file('engine/src/a.rs', lines(401)))), [
    'engine/src/a.rs has 401 lines; 400 are the most',
  ]);
});

test('a function of 71 lines is too long, in whatever way it is written', () => {
  const samples = [
    (body) => `function long() {\n${body}}\n`,
    (body) => `const long = () => {\n${body}};\n`,
    (body) => `class A {\n  long() {\n${body}}\n}\n`,
  ];
  for (const sample of samples) {
    assert.equal(longFunctions(file('web/src/a.ts', sample(lines(60)))).length, 0);
    assert.equal(longFunctions(file('web/src/a.ts', sample(lines(70)))).length, 1);
    assert.equal(longFunctions(file('web/src/a.test.ts', sample(lines(70)))).length, 0);
  }
});

test('the page imports downwards only', () => {
  const imports = (name, target) =>
    webImports(file(posix.join('web/src', name), `import '${target}';\n`));
  assert.deepEqual(imports('views/Stage/Stage.tsx', './scene/stage'), []);
  assert.deepEqual(imports('views/Stage/Stage.tsx', '../../model/page'), []);
  assert.deepEqual(imports('app/App.tsx', '../views/Stage/Stage'), []);
  assert.deepEqual(imports('views/Stage/Stage.tsx', './Stage.css'), []);
  for (const [name, target] of [
    ['model/page.ts', '../views/Stage/scene/stage'],
    ['views/Stage/scene/stage.ts', '../Stage'],
    ['views/Stage/Stage.tsx', '../../app/lab'],
    ['views/Stage/Stage.tsx', '../../engine/client'],
    ['model/page.ts', '../engine/client'],
    ['terminal/editor.ts', '../views/Stage/Stage'],
    ['engine/host.ts', '../app/lab'],
  ]) {
    assert.equal(imports(name, target).length, 1, `${name} ${target}`);
  }
  for (const [name, target] of [
    ['engine/files.ts', '../../../js/src/origin/files'],
    ['../../js/src/browser/origin.ts', '../origin/files'],
    ['../../js/src/view/state.ts', '../../../web/src/model/reduce'],
  ]) {
    assert.deepEqual(imports(name, target), [], `${name} ${target}`);
  }
  for (const [name, target] of [
    ['app/lab.ts', '../../../js/src/origin/files'],
    ['engine/files.ts', '../../../js/src/engine/error'],
    ['../../js/src/origin/files.ts', '../engine/error'],
    ['../../js/src/engine/local.ts', '../database'],
    ['../../js/src/browser/index.ts', '../node/place'],
    ['../../js/src/origin/files.ts', '../../../web/src/model/failures'],
    ['../../js/src/browser/origin.ts', '../../../web/src/engine/opfs'],
  ]) {
    assert.equal(imports(name, target).length, 1, `${name} ${target}`);
  }
  assert.equal(webImports(file('web/src/elsewhere/a.ts', '')).length, 1);
  const lazy = "const part = () => import('../../app/lab');\n";
  assert.equal(webImports(file('web/src/views/Stage/a.ts', lazy)).length, 1);
});

test('a crate imports downwards only, also in braces', () => {
  const imports = (text) => crateImports(file('console/src/time/a.rs', text));
  assert.deepEqual(imports('use crate::text::count;\nuse crate::{language::Args, session};\n'), []);
  assert.deepEqual(imports('// use crate::console::Console;\n'), []);
  assert.deepEqual(messages(imports('use crate::{text::{a, b}, console::Console};\n')), [
    'console: time imports console, in console/src/time/a.rs',
  ]);
  assert.deepEqual(
    messages(imports('use super::super::commands::find;\nuse super::super::time;\n')),
    ['console: time imports commands, in console/src/time/a.rs'],
  );
  assert.deepEqual(imports('use super::commands;\n'), []);
  assert.deepEqual(imports('#[cfg(test)]\nmod tests {\n    use crate::console::Console;\n}\n'), []);
  assert.deepEqual(messages(crateImports(file('console/src/elsewhere.rs', ''))), [
    'console/src/elsewhere.rs is in no row of its crate',
  ]);
});

test('a turn of speech is found in comments, strings and documents', () => {
  for (const [text, turn] of [
    ['// nobody reads it\n', 'nobody'],
    ['// for anybody', 'anybody'],
    ["'for whoever comes'", 'somebody'],
    ['It comes behind the header.', 'behind'],
    ['What is read is counted.', 'what is'],
    ['Whatever else is there', 'whatever else'],
    ['returns “maybe” in vain', 'in vain'],
    ['Take the bookmark away', 'takes away'],
    ['It is read from front to back.', 'front to back'],
    ['/// Which one.\n', 'empty comment'],
    ['/** How many. */', 'empty comment'],
  ]) {
    assert.deepEqual(
      turns(file('docs/a.md', text)).map(({ key }) => key),
      [`docs/a.md ${turn}`],
    );
  }
  assert.deepEqual(
    turns(file('docs/a.md', 'What is a level? The caller reads it after that.')),
    [],
  );
});

test('tell and say are counted by folder, also in names', () => {
  const text = (count, word) => `${`// ${word}\n`.repeat(count)}${lines(10_000 - count)}`;
  assert.deepEqual(vagueVerbs(file('labs/src/a.rs', text(5, 'It says so.'))), []);
  for (const word of ['It tells so.', 'Says so.', 'fn damage_is_told() {}', 'toldOf', 'isTold']) {
    const found = vagueVerbs(file('labs/src/a.rs', text(6, word)));
    assert.deepEqual(
      found.map(({ key, size }) => [key, size]),
      [['labs', 6]],
      word,
    );
  }
  assert.deepEqual(vagueVerbs(file('labs/src/a.rs', text(6, 'essays, foretold, tellurium'))), []);
  assert.deepEqual(vagueVerbs(file('docs/EVENTS.md', text(6, 'It says so.'))), []);
  assert.equal(vagueVerbs(file('README.md', text(6, 'It says so.')))[0]?.key, 'docs');
});

test('a type is not named by a participle', () => {
  const types = (text) => participles(file('web/src/a.ts', text)).map(({ key }) => key);
  for (const text of [
    'export interface Held {}',
    'type Held = { a: 1 };',
    '  type Held<T> = T;',
    'pub(super) struct Held<T> {}',
    'struct Held;',
    'interface Held extends Other {}',
  ]) {
    assert.deepEqual(types(text), ['web/src/a.ts Held'], text);
  }
  assert.deepEqual(types("import { type Held, hold } from './lock';\n  type Held,\n"), []);
  assert.deepEqual(types('interface HeldLock {}'), []);
});

test('documents name files and tests that exist', () => {
  const code = { name: 'engine/src/a.rs', text: 'fn a_fact() {}' };
  const of = (text) => lostNames([code, { name: 'docs/TESTING.md', text }]).map(({ key }) => key);
  assert.deepEqual(of('`engine/src/a.rs`, `history::a_fact`, `Db::open`'), []);
  assert.deepEqual(of('`engine/src/b.rs`'), ['docs/TESTING.md engine/src/b.rs']);
  assert.deepEqual(of('`js/src/none.ts`'), ['docs/TESTING.md js/src/none.ts']);
  assert.deepEqual(of('`web/src/lens/lens.generated.ts`, `lessons/NN-id.md`'), []);
  assert.deepEqual(of('`web/src/none.ts`\n\n**Later.** Replaced by another.'), []);
  assert.deepEqual(of('`history::another`'), ['docs/TESTING.md history::another']);
});

test('documents link to files, folders and headings that exist', () => {
  const exists = (name) => ['docs/A.md', 'docs/B.md', 'docs', 'engine/src/a.rs'].includes(name);
  const b = { name: 'docs/B.md', text: '# B\n\n## The `log`: a file\n\n## Twice\n\n## Twice\n' };
  const of = (text, name = 'docs/A.md') => messages(lostLinks([{ name, text }, b], exists));
  for (const text of [
    '[b](B.md), [log](B.md#the-log-a-file), [2](B.md#twice-1) and [code](../engine/src/a.rs)',
    '# Here\n\n[up](#here)',
    '<img src="B.md"> and <source srcset="../docs/B.md">',
    '[elsewhere](https://example.org/none.md)',
    '`[a](none.md)`\n\n```md\n[a](none.md)\n```\n',
  ]) {
    assert.deepEqual(of(text), [], text);
  }
  assert.deepEqual(of('![a](images/none.png)'), [
    'docs/A.md links to images/none.png, which does not exist',
  ]);
  assert.equal(of('<img src="none.png">').length, 1);
  assert.equal(of('[log](B.md#another)').length, 1);
  assert.equal(of('[up](#nowhere)').length, 1);
  assert.equal(of('[out](../../B.md)').length, 1);
  assert.deepEqual(of('[format](../docs/B.md)', 'engine/README.md'), [
    'engine/README.md links to ../docs/B.md, which is not in its package',
  ]);
});

test('an exception covers what it names, and shrinks', () => {
  const found = [{ key: 'a nobody', size: 3, message: '' }];
  assert.equal(broken(found, {}).length, 1);
  assert.equal(broken(found, { 'a nobody': 2 }).length, 1);
  assert.equal(broken(found, { 'a nobody': 3 }).length, 0);
  assert.deepEqual(tightened(found, { 'a nobody': 5, 'b behind': 1 }), { 'a nobody': 3 });
  assert.deepEqual(tightened(found, { 'a nobody': 2 }), { 'a nobody': 2 });
  assert.deepEqual(tightened(found, {}), {});
});
