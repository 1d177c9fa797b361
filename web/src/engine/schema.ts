// Checks values against a JSON schema, as far as the schema of messages goes: a keyword that is not here is refused. A
// library that generates code would add 30 KiB to the page, and one that does not takes a third of a second for a batch
// of events; docs/decisions/0033 has the figures. A test compares every verdict with such a library's.

/** A schema as it stands in a file. */
export type Schema = Readonly<Record<string, unknown>>;

/** What is wrong with a value, after the way to it: `/events/3/step is no integer`. `null`: nothing. */
export type Check = (value: unknown) => string | null;

type Fields = Readonly<Record<string, unknown>>;
type Compile = (schema: Schema) => Check;
/** Makes the check of one keyword from what is given there; `null`: another keyword looks after it. */
type Maker = (given: never, compile: Compile, schema: Schema) => Check | null;

/** The check that a schema asks for. */
export function checkOf(root: Schema): Check {
  const named = new Map<unknown, Check>();
  const parts = Object.entries((root.$defs ?? {}) as Record<string, Schema>);
  const compile: Compile = (schema) => {
    const { $ref, ...others } = schema;
    const names = Object.keys(others).sort((one) => (one === 'type' ? -1 : 0));
    const checks = names.flatMap((name) => keyword(name, others, compile) ?? []);
    // Looked up at each use: a part may hold itself.
    if ($ref !== undefined) checks.push((value) => partOf(named, $ref)(value));
    return (value) => first(checks, (check) => check(value));
  };
  for (const [name, schema] of parts) named.set(`#/$defs/${name}`, compile(schema));
  return compile(root);
}

function partOf(named: ReadonlyMap<unknown, Check>, $ref: unknown): Check {
  const part = named.get($ref);
  if (!part) throw new Error(`the schema has no ${$ref}`);
  return part;
}

function keyword(name: string, schema: Schema, compile: Compile): Check | null {
  if (!Object.hasOwn(makers, name)) throw new Error(`the schema has an unknown keyword: ${name}`);
  return makers[name]?.(schema[name] as never, compile, schema) ?? null;
}

/** The first complaint about some things. */
function first<T>(things: readonly T[], look: (thing: T, at: number) => string | null) {
  for (let at = 0; at < things.length; at += 1) {
    const wrong = look(things[at] as T, at);
    if (wrong !== null) return wrong;
  }
  return null;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const kinds: Readonly<Record<string, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  string: (value) => typeof value === 'string',
  number: Number.isFinite,
  integer: Number.isInteger,
  array: Array.isArray,
  object: isFields,
};

function kindOf(name: string): (value: unknown) => boolean {
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (!kind) throw new Error(`the schema has an unknown type: ${name}`);
  return kind;
}

const ofNumbers =
  (fits: (value: number, limit: number) => boolean, says: string): Maker =>
  (limit: number) =>
  (value) =>
    typeof value !== 'number' || fits(value, limit) ? null : ` ${says} ${limit}`;

const ofLists =
  (fits: (length: number, limit: number) => boolean, says: string): Maker =>
  (limit: number) =>
  (value) =>
    !Array.isArray(value) || fits(value.length, limit) ? null : ` has ${says} than ${limit} items`;

const alternatives: Maker = (given: readonly Schema[], compile) => {
  const tag = tagOf(given);
  if (tag === null) {
    const checks = given.map(compile);
    return (value) =>
      checks.some((check) => check(value) === null) ? null : ' is none of what it could be';
  }
  const byTag = new Map(given.map((schema) => [constOf(schema, tag), compile(schema)]));
  return (value) => {
    if (!isFields(value)) return ' is no object';
    const check = Object.hasOwn(value, tag) ? byTag.get(value[tag]) : undefined;
    return check ? check(value) : `/${tag} is none of ${[...byTag.keys()].join(', ')}`;
  };
};

/** The field by whose value alternatives are told apart, if there is one. */
function tagOf(given: readonly Schema[]): string | null {
  const names = Object.keys((given[0]?.properties ?? {}) as object);
  const isTag = (name: string) => given.every((schema) => constOf(schema, name) !== undefined);
  return names.find(isTag) ?? null;
}

function constOf({ properties }: Schema, name: string): unknown {
  return (properties as Record<string, Schema> | undefined)?.[name]?.const;
}

const makers: Readonly<Record<string, Maker>> = {
  $schema: () => null,
  $defs: () => null,
  type: (given: string | readonly string[]) => {
    const names = [given].flat();
    const fits = names.map(kindOf);
    return (value) => (fits.some((is) => is(value)) ? null : ` is no ${names.join(' or ')}`);
  },
  const: (only: unknown) => (value) => (value === only ? null : ` is not ${JSON.stringify(only)}`),
  minimum: ofNumbers((value, limit) => value >= limit, 'is less than'),
  maximum: ofNumbers((value, limit) => value <= limit, 'is more than'),
  exclusiveMinimum: ofNumbers((value, limit) => value > limit, 'is not more than'),
  minItems: ofLists((length, limit) => length >= limit, 'fewer'),
  maxItems: ofLists((length, limit) => length <= limit, 'more'),
  items: (given: Schema, compile) => {
    const check = compile(given);
    const at = (item: unknown, index: number) => under(index, check(item));
    return (value) => (Array.isArray(value) ? first(value, at) : null);
  },
  prefixItems: (given: readonly Schema[], compile) => {
    const checks = given.map(compile);
    return (value) =>
      Array.isArray(value)
        ? first(checks, (check, at) => (at < value.length ? under(at, check(value[at])) : null))
        : null;
  },
  required: (names: readonly string[]) => (value) =>
    isFields(value)
      ? first(names, (name) => (Object.hasOwn(value, name) ? null : ` has no ${name}`))
      : null,
  properties: (given: Record<string, Schema>, compile) => {
    const checks = Object.entries(given).map(([name, schema]) => [name, compile(schema)] as const);
    return (value) =>
      isFields(value)
        ? first(checks, ([name, check]) =>
            Object.hasOwn(value, name) ? under(name, check(value[name])) : null,
          )
        : null;
  },
  additionalProperties: (given: boolean, _compile, { properties }) => {
    if (given) throw new Error('the schema lets other fields in');
    const names = new Set(Object.keys((properties ?? {}) as object));
    return (value) =>
      isFields(value)
        ? first(Object.keys(value), (name) => (names.has(name) ? null : ` may have no ${name}`))
        : null;
  },
  oneOf: alternatives,
  anyOf: alternatives,
  if: (given: Schema, compile, schema) => {
    const [applies, rule] = [compile(given), compile(schema.then as Schema)];
    return (value) => (applies(value) === null ? rule(value) : null);
  },
  // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON schemas; `if` looks after it.
  then: () => null,
  bytes: () => (value) => (value instanceof Uint8Array ? null : ' is no bytes'),
};

const under = (place: string | number, wrong: string | null) =>
  wrong === null ? null : `/${place}${wrong}`;
