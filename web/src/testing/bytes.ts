import type {
  Fact,
  HexResult,
  Node,
  PartResult,
  Query,
  RibbonResult,
} from '../model/engine.generated';

/** A file made of bytes, and the tree of its names. */
export interface SampleFile {
  name: string;
  bytes: Uint8Array;
  root: Node;
}

/** A node that is its parts, or a leaf of so many bytes; offsets and numbers come later. */
export function part(
  name: string,
  kind: string,
  inner: Node[] | number,
  value = '',
  fact: Fact | null = null,
): Node {
  const children = typeof inner === 'number' ? [] : inner;
  const bytes = typeof inner === 'number' ? inner : 0;
  return {
    name,
    kind,
    number: 0,
    offset: 0,
    bytes,
    value,
    children,
    inside: [],
    more: false,
    fact,
  };
}

/** Gives every node its offset and its number, and every branch its length. */
export function placed(node: Node, offset = 0): Node {
  const seen = new Map<string, number>();
  let next = offset;
  for (const child of node.children) {
    const number = (seen.get(child.kind) ?? 0) + 1;
    seen.set(child.kind, number);
    placed(child, next);
    child.number = number;
    next += child.bytes;
  }
  node.offset = offset;
  if (node.children.length > 0) node.bytes = next - offset;
  return node;
}

/** A small table: two blocks, one of them with a hostile key. */
export function sampleTable(hostile = 'apple'): SampleFile {
  const key = new TextEncoder().encode(hostile);
  const entry = (name: string, bytes: number, value: string, fact: Fact) =>
    part(
      name,
      'entry',
      [
        part('shared key length', 'length', 1, '0'),
        part('key suffix length', 'length', 1, String(bytes)),
        part('value length', 'length', 1, '3'),
        part('key suffix', 'key', bytes, value),
        part('sequence number and kind', 'sequence', 8, '7, put'),
        part('value', 'value', 3, 'red'),
      ],
      `put ${value}`,
      fact,
    );
  const fact = (shared: string, suffix: string): Fact => ({
    fact: 'key',
    key: { head: shared + suffix, bytes: shared.length + suffix.length },
    shared: shared.length,
    ofEntry: true,
    sequence: 7,
    tombstone: false,
    ...{ kind: null, value: null, family: null, batch: null },
    restart: shared === '',
  });
  const trailer = (stored: number) =>
    part('trailer', 'trailer', [
      part('compression', 'kind', 1, '0: none'),
      part('checksum of the block', 'checksum', 4, 'correct', {
        fact: 'checksum',
        stored,
        computed: 0xcafe,
        from: 0,
        bytes: 20,
      }),
    ]);
  const root = placed(
    part('000012.sst', 'table', [
      part('data block 1', 'block', [
        entry('entry 1', key.length, hostile, fact('', hostile)),
        entry('entry 2', 4, 'ricot', fact('ap', 'ricot')),
        trailer(0xcafe),
      ]),
      part('data block 2', 'block', [entry('entry 1', 3, 'fig', fact('', 'fig')), trailer(0xbad)]),
      part('filter block', 'filter', [part('bits', 'bits', 40, '19 of 320 bits are set')]),
      part('footer', 'footer', [
        part('offset of the index', 'offset', 8, '0', { fact: 'place', offset: 0 }),
        part('magic', 'magic', 8, 'lvsc.sst'),
      ]),
    ]),
  );
  const bytes = new Uint8Array(root.bytes);
  bytes.forEach((_, index) => {
    bytes[index] = (index * 37) & 0xff;
  });
  bytes.set(key, 3);
  return { name: '000012.sst', bytes, root };
}

/** Answers queries about one file as the engine does; throws where it has no answer. */
export function answers(file: SampleFile): (query: Query) => unknown {
  return (query) => {
    switch (query.ask) {
      case 'files':
        return [{ name: file.name, bytes: file.bytes.length, role: 'table of L1' }];
      case 'hex':
        return hexAnswer(file, query.offset, query.length);
      case 'find':
        return hexAnswer(file, placeOf(file, query), 1);
      case 'ribbon':
        return ribbonAnswer(file);
      case 'part':
        return partAnswer(file, query.path, query.skip, query.limit);
      default:
        throw new Error(`not known: ${query.ask}`);
    }
  };
}

function ribbonAnswer(file: SampleFile): RibbonResult {
  const stretches = file.root.children.map(({ name, kind, number, offset, bytes }) => ({
    name,
    kind,
    number,
    path: `${kind}:${number}`,
    offset,
    bytes,
    parts: 1,
  }));
  return { file: file.name, fileBytes: file.bytes.length, stretches };
}

function placeOf(file: SampleFile, query: { offset: number; bytes: number[] }): number {
  const fits = (from: number) =>
    query.bytes.every((byte, index) => file.bytes[from + index] === byte);
  const found = file.bytes.findIndex((_, from) => from >= query.offset && fits(from));
  if (found < 0) throw new Error('not in this file');
  return found;
}

function hexAnswer(file: SampleFile, offset: number, length: number): HexResult {
  const bytes = file.bytes.subarray(offset, offset + length);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const root = between(file.root, offset, offset + bytes.length);
  return { file: file.name, offset, hex, fileBytes: file.bytes.length, root };
}

function between(node: Node, from: number, to: number): Node {
  const kept = node.children.filter(
    (child) => child.offset < to && child.offset + child.bytes > from,
  );
  return { ...node, children: kept.map((child) => between(child, from, to)) };
}

function alone(node: Node): Node {
  return { ...node, children: [], more: node.children.length > 0 };
}

function partAnswer(file: SampleFile, path: string, skip: number, limit: number): PartResult {
  let node = file.root;
  const trail = [{ index: 0, decoded: false, node: alone(node) }];
  for (const step of path.split('/').filter((word) => word !== '')) {
    const index = node.children.findIndex((child) => `${child.kind}:${child.number}` === step);
    const found = node.children[index];
    if (!found) throw new Error(`no node ${path}`);
    trail.push({ index, decoded: false, node: alone(found) });
    node = found;
  }
  const parts = node.children.slice(skip, skip + limit).map(alone);
  const part = { trail, parts, skipped: skip, count: node.children.length };
  return { file: file.name, fileBytes: file.bytes.length, part };
}
