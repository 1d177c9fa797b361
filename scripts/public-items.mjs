// `node scripts/public-items.mjs`: compares the public items of the crate `levelscope` with engine/public-items.txt, so that no item
// becomes public, changes its signature or disappears by accident. `--update` writes the file; its difference is reviewed like code.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asScript, path, say, stream, targetDirectory, Unmet } from './lib.mjs';
import { generics, receiver, type } from './public-items/types.mjs';

const LIST = path('engine', 'public-items.txt');
const UPDATE = 'node scripts/public-items.mjs --update';

/** What rustdoc says of the crate, without its features. */
async function described() {
  const directory = join(targetDirectory(), 'public-items');
  // The JSON of rustdoc is not stable yet; the pinned toolchain writes one form of it.
  const env = { RUSTC_BOOTSTRAP: '1', CARGO_TARGET_DIR: directory };
  const args = ['rustdoc', '-p', 'levelscope', '--lib', '--locked', '--', '-Z', 'unstable-options'];
  const { code, output } = await stream('cargo', [...args, '--output-format', 'json'], {
    quiet: true,
    env,
  });
  if (code !== 0) throw new Unmet(`cargo rustdoc failed:\n${output}`);
  return JSON.parse(readFileSync(join(directory, 'doc', 'levelscope.json'), 'utf8'));
}

/** The kind of an item, and what rustdoc says of this kind. */
function inner(item) {
  return Object.entries(item.inner)[0];
}

function marks(item) {
  const marked = [];
  if (item.attrs.includes('non_exhaustive')) marked.push('#[non_exhaustive] ');
  if (item.deprecation !== null) marked.push('#[deprecated] ');
  return marked.join('');
}

/** Collects one line for each item that can be reached from the root of a crate. */
class Items {
  constructor(crate) {
    this.index = crate.index;
    this.lines = [];
    this.seen = new Set();
    this.module('levelscope', this.index[crate.root]);
  }

  say(line) {
    this.lines.push(line);
  }

  all(ids) {
    return ids.map((id) => this.index[id]).filter((item) => item !== undefined);
  }

  module(name, item) {
    this.say(`mod ${name}`);
    for (const child of this.all(inner(item)[1].items)) {
      const [kind, what] = inner(child);
      if (kind === 'use') this.reexport(name, what);
      else this.item(`${name}::${child.name}`, child);
    }
  }

  reexport(name, use) {
    const target = this.index[use.id];
    if (use.is_glob) {
      if (target === undefined) this.say(`use ${use.source}::* in ${name}`);
      else
        for (const child of this.all(inner(target)[1].items))
          this.item(`${name}::${child.name}`, child);
    } else if (target === undefined) this.say(`use ${name}::${use.name} = ${use.source}`);
    else if (inner(target)[0] === 'use')
      this.reexport(name, { ...inner(target)[1], name: use.name });
    else this.item(`${name}::${use.name}`, target);
  }

  item(name, item) {
    const [kind, what] = inner(item);
    // An item may have several names; its members are listed under the first.
    if (this.seen.has(item.id)) {
      this.say(`use ${name}, listed elsewhere`);
      return;
    }
    this.seen.add(item.id);
    const bounds = generics(what.generics);
    switch (kind) {
      case 'module':
        return this.module(name, item);
      case 'use':
        return this.reexport(name.slice(0, name.lastIndexOf('::')), what);
      case 'struct':
        this.say(`${marks(item)}struct ${name}${bounds}${this.tuple(what.kind)}`);
        this.fields(name, what.kind.plain?.fields ?? []);
        return this.impls(name, what.impls);
      case 'enum':
        this.say(`${marks(item)}enum ${name}${bounds}`);
        for (const variant of this.all(what.variants)) this.variant(name, variant);
        return this.impls(name, what.impls);
      case 'trait':
        this.say(`${marks(item)}trait ${name}${bounds}${type.bounds(what.bounds)}`);
        return this.members(name, this.all(what.items));
      case 'function':
      case 'constant':
      case 'type_alias':
      case 'static':
        return this.members(name.slice(0, name.lastIndexOf('::')), [item]);
      default:
        throw new Unmet(`scripts/public-items.mjs does not know the kind ${kind} of ${name}.`);
    }
  }

  /** The public fields of a tuple; a private one is a gap. */
  tuple(kind) {
    if (kind.tuple === undefined) return '';
    const field = (id) => (id === null ? '_' : type(inner(this.index[id])[1]));
    return `(${kind.tuple.map(field).join(', ')})`;
  }

  fields(name, ids) {
    for (const field of this.all(ids))
      this.say(`field ${name}.${field.name}: ${type(inner(field)[1])}`);
  }

  variant(name, item) {
    const { kind } = inner(item)[1];
    const fields = this.all(kind.struct?.fields ?? []);
    const shown = fields.map((field) => `${field.name}: ${type(inner(field)[1])}`).join(', ');
    const struct = kind.struct === undefined ? '' : ` { ${shown} }`;
    this.say(`${marks(item)}variant ${name}::${item.name}${this.tuple(kind)}${struct}`);
  }

  impls(name, ids) {
    const traits = [];
    for (const item of this.all(ids)) {
      const what = inner(item)[1];
      const lost = what.is_synthetic && what.is_negative;
      if (what.trait === null) this.members(name, this.all(what.items));
      else if (lost) traits.push(`!${type.path(what.trait)}`);
      else if (!what.is_synthetic && what.blanket_impl === null) traits.push(type.path(what.trait));
    }
    if (traits.length > 0) this.say(`impl ${name}: ${traits.sort().join(', ')}`);
  }

  members(name, items) {
    for (const item of items) {
      const [kind, what] = inner(item);
      const full = `${name}::${item.name}`;
      if (kind === 'function') this.say(`${marks(item)}${signature(full, what)}`);
      else if (kind === 'constant') this.say(`const ${full}: ${type(what.type)}`);
      else if (kind === 'static') this.say(`static ${full}: ${type(what.type)}`);
      else if (kind === 'assoc_const') this.say(`const ${full}: ${type(what.type)}`);
      else if (kind === 'type_alias')
        this.say(`type ${full}${generics(what.generics)} = ${type(what.type)}`);
      else if (kind === 'assoc_type') this.say(`type ${full}${type.bounds(what.bounds)}`);
      else throw new Unmet(`scripts/public-items.mjs does not know the kind ${kind} of ${full}.`);
    }
  }
}

function signature(name, { sig, generics: given, header, has_body: hasBody }) {
  const words = [header.is_const ? 'const ' : '', header.is_unsafe ? 'unsafe ' : '', 'fn '];
  const inputs = sig.inputs.map(
    ([input, given]) => receiver(input, given) ?? `${input}: ${type(given)}`,
  );
  const output = sig.output === null ? '' : ` -> ${type(sig.output)}`;
  return `${words.join('')}${name}${generics(given)}(${inputs.join(', ')})${output}${hasBody ? '' : ';'}`;
}

/** One line for each public item, sorted. */
export async function publicItems() {
  const { lines } = new Items(await described());
  return `${lines.sort().join('\n')}\n`;
}

/** The lines of `left` that `right` lacks. */
function missing(left, right) {
  const known = new Set(right.split('\n'));
  return left.split('\n').filter((line) => line !== '' && !known.has(line));
}

/** Fails when the items are not those of the list. */
export async function comparePublicItems() {
  const [listed, found] = [readFileSync(LIST, 'utf8'), await publicItems()];
  if (listed === found) return listed.trim().split('\n').length;
  const gone = missing(listed, found).map((line) => `- ${line}`);
  const added = missing(found, listed).map((line) => `+ ${line}`);
  throw new Unmet(
    `The public items of the crate are not those of engine/public-items.txt:\n${[...gone, ...added].join('\n')}\n` +
      `If that is intended, \`${UPDATE}\` writes the list anew; commit it with the change.`,
  );
}

asScript(import.meta.url, async () => {
  if (process.argv.includes('--update')) writeFileSync(LIST, await publicItems());
  say(`${await comparePublicItems()} public items, as engine/public-items.txt lists them.`);
});
