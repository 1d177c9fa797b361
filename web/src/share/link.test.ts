import { deflateSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { DICTIONARY_1 } from './dictionary';
import { linkContent, linkTo } from './link';

const HEAD = '# levelscope 1 classroom wal_buffer_bytes=65536\n';
const PLACE = { commands: 2, steps: 5, event: 'flush.install' };

const encoded = (bytes: Uint8Array) =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

function textOf(fragment: string): string {
  const content = linkContent(fragment);
  if (content === null || 'wrong' in content) throw new Error(`it cannot be read: ${fragment}`);
  return content.text;
}

describe('links with commands', () => {
  it('are readable while they are short', () => {
    const link = linkTo(`${HEAD}put apple red; put fig green\nflush; run\n`, PLACE);
    expect(link).toBe(
      'v1/t.put%20apple%20red;%20put%20fig%20green%0Aflush;%20run&at=2+5:flush.install',
    );
    expect(linkContent(link)).toEqual({
      kind: 'script',
      note: null,
      text: 'put apple red; put fig green\nflush; run',
      at: PLACE,
    });
  });

  it('give back any text', () => {
    let seed = 7;
    const random = (limit: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % limit;
    };
    const parts = [
      'put ',
      'a&b=c#d',
      '%',
      '%41',
      '"\\x00"',
      'ä🦊',
      '\n',
      '; ',
      'x'.repeat(90),
      '+',
    ];
    for (let count = 0; count < 400; count += 1) {
      const words = Array.from({ length: random(12) + 1 }, () => parts[random(parts.length)]);
      const text = `${words.join('')}!`;
      expect(textOf(linkTo(text, null))).toBe(text);
    }
  });

  it('need few characters', () => {
    const story = `${HEAD}${['put apple red; put fig green; put pear yellow', 'flush; run', 'del fig', 'flush; run', 'step phase 3', 'compact; run', 'get fig'].join('\n')}\n`;
    const puts = `${HEAD}${Array.from({ length: 100 }, (_, at) => `put key${at} value${at * 7}`).join('\n')}\n`;
    expect(linkTo(story, null).length).toBeLessThan(160);
    expect(linkTo(puts, null).length).toBeLessThan(900);
  });

  it('keep a first line that is not the usual one', () => {
    const text = '# levelscope 1 classroom wal_buffer_bytes=4096\nput a 1';
    expect(textOf(linkTo(text, null))).toBe(text);
  });
});

// Every version opens these.
describe('links of every release', () => {
  it.each([
    ['v1/t.put%20apple%20red%0Aflush;%20run', 'put apple red\nflush; run'],
    ['v1/t.put%20a%201&at=1+0:put&see=table:4', 'put a 1'],
    [
      'v1/z.I81MNM0YoQLSCvExRgzAPIgzw5qjpFyQUpxlHe4EB3IZegZBTRoA',
      [
        'put apple red; put fig green; put pear yellow',
        'flush; run',
        'put cherry dark; put fig purple',
        'flush; step job',
        'del fig',
        'crash --keep torn --seed 7',
        'explain get fig',
        'options set bloom_bits 0',
        'fill 200 --words --seed 1',
        'run',
        'scan --limit 10',
        'compact 1; run',
      ].join('\n'),
    ],
  ])('opens %s', (link, text) => expect(textOf(link)).toBe(text));

  it('has the dictionary of its day', async () => {
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', DICTIONARY_1));
    expect(
      Array.from(hash.slice(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join(''),
    ).toBe('c815e56c88917b72');
    expect(DICTIONARY_1.length).toBeLessThanOrEqual(2688);
  });
});

describe('a hostile link', () => {
  const packed = linkTo(`put a ${'1'.repeat(300)} ${'ab'.repeat(99)}`, null);
  const bomb = (bytes: number) =>
    `v1/z.${encoded(deflateSync(new Uint8Array(bytes), { level: 9 }))}`;

  it.each([
    ['cut', packed.slice(0, -4)],
    ['with other letters', `${packed.slice(0, 9)}*${packed.slice(10)}`],
    ['empty', 'v1/z.'],
    ['no base64', 'v1/z.====='],
    ['a bomb', bomb(12_000_000)],
    ['a byte too long', bomb(65_537)],
    ['with half a character', `v1/z.${encoded(deflateSync(new Uint8Array([0xc3])))}`],
    ['with a broken escape', 'v1/t.put%2'],
    ['longer than any', `v1/t.${'a'.repeat(20_000)}`],
  ])('is refused when it is %s', (_, link) => {
    const content = linkContent(link);
    expect(content).toEqual({ wrong: expect.stringMatching(/^The link is /) });
  });

  it('of one bit changed is refused or is another text, and never throws', () => {
    const body = packed.slice(5);
    for (let at = 0; at < body.length; at += 1) {
      const letter = body[at] === 'A' ? 'B' : 'A';
      expect(() =>
        linkContent(`v1/z.${body.slice(0, at)}${letter}${body.slice(at + 1)}`),
      ).not.toThrow();
    }
  });

  it.each(['at=9999', 'at=1+2:<b>', 'at=-1+2:put', 'at=1+2:put:x', 'at=99999999+1:put'])(
    'has no place at %s',
    (place) => expect(linkContent(`v1/t.put%20a%201&${place}`)).toMatchObject({ at: null }),
  );

  it('of another kind is left alone', () => {
    for (const other of ['table:4', 'v1/l.log', '']) {
      expect(linkContent(other)).toBeNull();
    }
  });
});

it('reports a link that is of another version, empty, or names a step that cannot be read', () => {
  for (const fragment of ['v2/t.put%20a%201', 'v1/q.abc', 'V1/t.put%20a%201', 'v1/'])
    expect(linkContent(fragment), fragment).toEqual({
      wrong: expect.stringContaining('newer version'),
    });
  for (const fragment of ['v1/t.', 'v1/t.%0A%20', 'v1/t.%23%20a%20thought'])
    expect(linkContent(fragment), fragment).toEqual({ wrong: 'The link holds no commands.' });
  for (const fragment of ['table:12', '', 'v1/l.deleting', 'vw/x'])
    expect(linkContent(fragment), fragment).toBeNull();
  expect(linkContent('v1/t.put%20a%201&at=9999:x')).toMatchObject({
    note: expect.stringContaining('cannot be read'),
    at: null,
  });
  expect(linkContent('v1/t.put%20a%201&see=table:4')).toMatchObject({ note: null });
});
