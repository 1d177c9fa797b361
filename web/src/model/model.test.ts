import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import texts from '../../../tests/fixtures/text.json';
import { busyView, key } from '../testing/sample';
import { SHOWN_KEY_BYTES_MAX, type ShownKey } from './engine.generated';
import { memtableOfLog } from './files';
import { compareKeys, escapeBytes, keyId, keyOfText, keyParts, keyText } from './keys';
import { checkOption, defaultText, isClosed, optionCommands } from './optionInput';
import { aroundOf, fileOf, openedOf, parseSelection, type Selection } from './selection';
import { counted, size } from './words';

const selectionText = (selection: Selection): string => {
  const { path, range } = selection;
  const bytes = range && `${range.decoded ? 'decoded' : 'bytes'}:${range.from}-${range.to}`;
  return [fileOf(selection), path, bytes].filter(Boolean).join('/');
};

describe('selection', () => {
  it('keeps every part of the text', () => {
    for (const text of [
      'memtable:3',
      'wal:7',
      'table:12',
      'table:12/block:2',
      'memtable:3/inner:5/leaf:7/entry:2',
      'level:0',
      'current',
      'lock',
      'current/slot:1/number:2',
      'wal:7/record:3/entry:5',
      'manifest:3/bytes:0-31',
      'table:12/block:2/compressed:1/entry:5',
      'table:12/block:2/decoded:4-4',
    ]) {
      const parsed = parseSelection(text);
      expect(parsed && selectionText(parsed)).toBe(text);
    }
  });

  it('refuses everything else', () => {
    for (const text of [
      '',
      'table:',
      'table:-1',
      'memtable:7/bytes:0-1',
      'level:1/block:1',
      'lock/bytes:0-1',
      'table:1/bytes:5-4',
      'table:1/block:1/bytes:0-4',
      'table:1/decoded:0-4',
      'table:1/block:1;reset --yes',
      'table:1/BLOCK:1',
      'current:1',
      'javascript:alert(1)',
      'table:1 ',
    ]) {
      expect(parseSelection(text)).toBeNull();
    }
  });
});

describe('what the picture opens', () => {
  it('are tables, memtables, logs, and their parts one by one', () => {
    const found = [
      'table:12/block:2/compressed:1/entry:5',
      'table:12/filter:1',
      'memtable:3/inner:5/leaf:7/entry:2',
      'memtable:3/inner:5',
      'wal:7/record:3',
      'level:1',
    ].map((text) => openedOf(text));
    expect(found).toEqual([
      ...['table:12/block:2', 'table:12', 'memtable:3/inner:5/leaf:7', 'memtable:3/inner:5'],
      ...['wal:7', null],
    ]);
    expect(aroundOf('memtable:3/inner:5/leaf:7')).toBe('memtable:3/inner:5');
    expect(aroundOf('memtable:3')).toBeNull();
  });
});

describe('logs', () => {
  it('belong to the memtable that names the first log which was read into it', () => {
    const view = busyView();
    const [memtable] = view.memtables;
    if (!memtable) throw new Error('the sample has no memtable');
    const memtables = [
      { ...memtable, memtable: 2, wal: 9 },
      { ...memtable, memtable: 1, wal: 3 },
    ];
    const owners = [2, 3, 5, 8, 9].map((wal) => memtableOfLog({ memtables }, wal)?.memtable);
    expect(owners).toEqual([undefined, 1, 1, 1, 2]);
  });
});

describe('keys', () => {
  it('compare bytewise, shorter first', () => {
    expect(compareKeys(key('a'), key('ab'))).toBeLessThan(0);
    expect(compareKeys(key('\u00ff'), key('z'))).toBeGreaterThan(0);
    expect(compareKeys(key('same'), key('same'))).toBe(0);
  });

  it('differ by all of their bytes, of which long ones carry a checksum', () => {
    const long = (last: string) =>
      new TextEncoder().encode(`${'k'.repeat(SHOWN_KEY_BYTES_MAX)}${last}`);
    const shown = (bytes: Uint8Array): ShownKey => {
      const head = 'k'.repeat(SHOWN_KEY_BYTES_MAX);
      return { head, bytes: bytes.length, rest: crc32(bytes.subarray(SHOWN_KEY_BYTES_MAX)) };
    };
    expect(keyId(shown(long('one')))).not.toBe(keyId(shown(long('two'))));
  });

  it('are shown printable, cut, and with escaped bytes where they are no text', () => {
    expect(keyText({ head: 'caf\u00c3\u00a9', bytes: 5 })).toBe('café');
    expect(keyText({ head: '\u00ff\u0000a', bytes: 3 })).toBe('\\xff\\x00a');
    expect(keyText({ head: 'x'.repeat(96), bytes: 500 }, 10)).toBe(`${'x'.repeat(9)}…`);
    expect(keyText(key(''))).toBe('""');
  });

  it('are divided into the bytes shared with the previous key and the rest', () => {
    const parts = (head: string, shared: number) =>
      keyParts({ key: { head, bytes: head.length }, shared }, 20);
    expect(parts('grapefruit', 5)).toEqual({ shared: 'grape', rest: 'fruit' });
    expect(parts('grape', 5)).toEqual({ shared: 'grape', rest: '' });
    expect(parts('fig', 0)).toEqual({ shared: '', rest: 'fig' });
    expect(parts('', 0)).toEqual({ shared: '', rest: '""' });
  });

  it('are found again by the text that shows them as a whole', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 40 }), (bytes) => {
        const shown = { head: String.fromCharCode(...bytes), bytes: bytes.length };
        expect(keyOfText(keyText(shown, 400))).toEqual(shown);
      }),
    );
  });

  it('never show a control or bidirectional character', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const head = String.fromCharCode(...bytes);
        expect(keyText({ head, bytes: bytes.length }, 400)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      }),
    );
  });
});

describe('words', () => {
  const bytesOf = (hex: string) =>
    Uint8Array.from(hex.match(/../g) ?? [], (two) => Number.parseInt(two, 16));

  it('escape bytes as the engine does', () => {
    for (const [text, hex] of texts.escape as [string, string][]) {
      expect(escapeBytes(bytesOf(hex))).toBe(text);
    }
  });

  it('format numbers as the engine does', () => {
    for (const [text, value, noun] of texts.counted as [string, number, string][]) {
      expect(counted(value, noun)).toBe(text);
    }
    for (const [text, value] of texts.size as [string, number][]) expect(size(value)).toBe(text);
  });
});

describe('options', () => {
  const bytes = {
    name: 'block_bytes',
    unit: 'bytes',
    words: [] as string[],
    min: 64,
    max: 4096,
    purpose: '',
    value: '256',
    default: '4096',
  };
  const word = {
    name: 'open',
    unit: 'on or off',
    words: ['on', 'off'],
    min: 0,
    max: 0,
    purpose: '',
    value: 'on',
    default: 'off',
  };

  it('show their defaults as they may be typed', () => {
    expect([bytes, word].map(defaultText)).toEqual(['4k', 'off']);
  });

  it('are checked against their range', () => {
    expect(checkOption(bytes, '1k')).toEqual({ ok: true, text: '1k' });
    expect(checkOption(bytes, '8k')).toMatchObject({ ok: false });
    expect(checkOption(bytes, 'many')).toMatchObject({ ok: false });
    expect(checkOption(word, 'off')).toEqual({ ok: true, text: 'off' });
    expect(checkOption(word, 'maybe')).toMatchObject({ ok: false });
    const open = { ...word, unit: 'none or until:CHARACTER', words: ['none', 'until:'] };
    expect([isClosed(word), isClosed(open), isClosed(bytes)]).toEqual([true, false, false]);
    expect(checkOption(open, 'until:.')).toEqual({ ok: true, text: 'until:.' });
    for (const wrong of ['until:', 'until', '']) {
      expect(checkOption(open, wrong)).toMatchObject({ ok: false });
    }
  });

  it('become commands', () => {
    expect(optionCommands({ wal_sync: 'none' })).toEqual(['options set wal_sync none']);
  });
});
