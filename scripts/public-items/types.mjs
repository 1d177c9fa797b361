// Types, paths and bounds of the JSON of rustdoc, written as in Rust. A path is its last name, so that it does not depend on how
// the source imports it.

import { Unmet } from '../lib.mjs';

const last = (name) => name.slice(name.lastIndexOf(':') + 1);
const list = (items) => items.join(', ');

function path({ path: name, args }) {
  return last(name) + (args === null || args === undefined ? '' : argumentsOf(args));
}

function argumentsOf(args) {
  if (args.parenthesized !== undefined) {
    const { inputs, output } = args.parenthesized;
    return `(${list(inputs.map(type))})${output === null ? '' : ` -> ${type(output)}`}`;
  }
  const { args: given = [], constraints = [] } = args.angle_bracketed ?? {};
  const shown = [...given.map(argument), ...constraints.map(constraint)];
  return shown.length === 0 ? '' : `<${list(shown)}>`;
}

function argument(given) {
  if (given === 'infer') return '_';
  if (given.lifetime !== undefined) return given.lifetime;
  if (given.type !== undefined) return type(given.type);
  return given.const.expr;
}

function constraint({ name, binding }) {
  const { equality, constraint: bounded } = binding;
  if (bounded !== undefined) return `${name}${bounds(bounded)}`;
  return `${name} = ${equality.type === undefined ? equality.constant.expr : type(equality.type)}`;
}

function bound(given) {
  if (given.outlives !== undefined) return given.outlives;
  const { trait, modifier, generic_params: params } = given.trait_bound;
  const all = params.length === 0 ? '' : `for<${list(params.map(({ name }) => name))}> `;
  return `${all}${modifier === 'maybe' ? '?' : ''}${path(trait)}`;
}

function bounds(given) {
  return given.length === 0 ? '' : `: ${given.map(bound).join(' + ')}`;
}

const KINDS = {
  resolved_path: path,
  generic: (name) => name,
  primitive: (name) => (name === 'never' ? '!' : name),
  slice: (of) => `[${type(of)}]`,
  array: ({ type: of, len }) => `[${type(of)}; ${len}]`,
  tuple: (of) => `(${list(of.map(type))})`,
  impl_trait: (of) => `impl ${of.map(bound).join(' + ')}`,
  borrowed_ref: ({ lifetime, is_mutable: mutable, type: of }) =>
    `&${lifetime === null ? '' : `${lifetime} `}${mutable ? 'mut ' : ''}${type(of)}`,
  raw_pointer: ({ is_mutable: mutable, type: of }) => `*${mutable ? 'mut' : 'const'} ${type(of)}`,
  dyn_trait: ({ traits, lifetime }) => {
    const names = traits.map(({ trait }) => path(trait));
    return `dyn ${[...names, ...(lifetime === null ? [] : [lifetime])].join(' + ')}`;
  },
  function_pointer: ({ sig }) => {
    const output = sig.output === null ? '' : ` -> ${type(sig.output)}`;
    return `fn(${list(sig.inputs.map(([, of]) => type(of)))})${output}`;
  },
  qualified_path: ({ name, self_type: self, trait }) =>
    trait === null ? `${type(self)}::${name}` : `<${type(self)} as ${path(trait)}>::${name}`,
};

/** A type as it is written. */
export function type(given) {
  const [kind, of] = Object.entries(given)[0];
  const show = KINDS[kind];
  if (show === undefined)
    throw new Unmet(`scripts/public-items does not know types of the kind ${kind}.`);
  return show(of);
}

type.path = path;
type.bounds = bounds;

/** `self` with its borrow, or nothing for another argument. */
export function receiver(name, given) {
  if (name !== 'self') return undefined;
  const { borrowed_ref: borrowed, generic } = given;
  if (generic === 'Self') return 'self';
  if (borrowed?.type.generic === 'Self') return `&${borrowed.is_mutable ? 'mut ' : ''}self`;
  return `self: ${type(given)}`;
}

/** The parameters that an item declares, and their bounds. */
export function generics(given) {
  if (given === undefined) return '';
  const shown = given.params.filter(({ kind }) => kind.type?.is_synthetic !== true).map(parameter);
  const where = given.where_predicates.map(predicate);
  return (
    (shown.length === 0 ? '' : `<${list(shown)}>`) +
    (where.length === 0 ? '' : ` where ${list(where)}`)
  );
}

function parameter({ name, kind }) {
  if (kind.lifetime !== undefined) return name;
  if (kind.const !== undefined) return `const ${name}: ${type(kind.const.type)}`;
  return `${name}${bounds(kind.type.bounds)}`;
}

function predicate({ bound_predicate: bounded, lifetime_predicate: lifetime }) {
  if (bounded !== undefined) return `${type(bounded.type)}${bounds(bounded.bounds)}`;
  if (lifetime !== undefined) return `${lifetime.lifetime}: ${lifetime.outlives.join(' + ')}`;
  throw new Unmet('scripts/public-items does not know a predicate.');
}
