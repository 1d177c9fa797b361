import type { Outcome } from '../app/port';
import type { Fact, Node, PartResult, RibbonResult } from '../model/engine.generated';

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
    shared,
    suffix,
    sequence: 7,
    tombstone: false,
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

/** Answers `files`, `hex` and `layout` about one file as the console does. */
export function answers(file: SampleFile): (line: string) => Outcome {
  const ok = (result: unknown): Outcome => ({ result, error: null });
  return (line) => {
    const words = line.split(' ');
    const after = (flag: string) => words[words.indexOf(flag) + 1] ?? '';
    const has = (flag: string) => words.includes(flag);
    if (words[0] === 'files') {
      return ok([{ name: file.name, bytes: file.bytes.length, role: 'table of L1' }]);
    }
    if (words[0] === 'opened') return ok({ files: [] });
    if (words[0] === 'help') return ok([{ name: 'put' }, { name: 'corrupt' }]);
    if (words[0] === 'hex') return hexAnswer(file, Number(after('--at')), words, after);
    if (words[0] === 'layout' && has('--ribbon')) {
      const stretches = file.root.children.map(({ name, kind, number, offset, bytes }) => ({
        name,
        kind,
        number,
        offset,
        bytes,
        parts: 1,
      }));
      const result: RibbonResult = { file: file.name, fileBytes: file.bytes.length, stretches };
      return ok(result);
    }
    if (words[0] === 'layout' && has('--node')) {
      const path = after('--node').replaceAll('"', '');
      const found = partAnswer(file, path, Number(after('--skip')), Number(after('--limit')));
      if (found) return ok(found);
    }
    return { result: null, error: { kind: 'usage', message: `not known: ${line}`, hint: null } };
  };
}

function hexAnswer(
  file: SampleFile,
  at: number,
  words: string[],
  after: (flag: string) => string,
): Outcome {
  let offset = at;
  if (words.includes('--find')) {
    const word = after('--find');
    const digits = Array.from(word.matchAll(/\\x(..)/g), ([, digit]) => Number(`0x${digit}`));
    const fits = (from: number) => digits.every((byte, index) => file.bytes[from + index] === byte);
    const found = file.bytes.findIndex((_, from) => from >= at && fits(from));
    if (found < 0) return { result: null, error: { kind: 'notFound', message: 'no', hint: null } };
    offset = found;
  }
  const bytes = file.bytes.subarray(offset, offset + Number(after('--length')));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const root = between(file.root, offset, offset + bytes.length);
  const fileBytes = file.bytes.length;
  return { result: { file: file.name, offset, hex, fileBytes, root }, error: null };
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

function partAnswer(
  file: SampleFile,
  path: string,
  skip: number,
  limit: number,
): PartResult | null {
  let node = file.root;
  const trail = [{ index: 0, decoded: false, node: alone(node) }];
  for (const step of path.split('/').filter((word) => word !== '')) {
    const index = node.children.findIndex((child) => `${child.kind}:${child.number}` === step);
    const found = node.children[index];
    if (!found) return null;
    trail.push({ index, decoded: false, node: alone(found) });
    node = found;
  }
  const parts = node.children.slice(skip, skip + limit).map(alone);
  const part = { trail, parts, skipped: skip, count: node.children.length };
  return { file: file.name, fileBytes: file.bytes.length, part };
}
