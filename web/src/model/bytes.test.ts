// @vitest-environment jsdom
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { part, placed } from '../testing/bytes';
import {
  type HexScroll,
  moveByte,
  scrollHeight,
  scrollTopOf,
  topShowing,
  virtualTop,
  visibleRows,
} from '../views/Bytes/scene/hex';
import { ribbonParts, ribbonX } from '../views/Bytes/scene/ribbon';
import {
  asHexText,
  asRustArray,
  decodeHex,
  leafAt,
  leavesOf,
  needle,
  parseOffset,
  readings,
  readVarint,
  textOf,
} from './bytes';
import type { Node, PartResult } from './engine.generated';
import { EMPTY_TREE, rowsOf, type Tree, WINDOW, withOpen, withPart } from './tree';

/** Trees as the engine makes them: leaves side by side, without gaps. */
const tree = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc
      .tuple(fc.constantFrom('key', 'value', 'length'), fc.integer({ min: 1, max: 9 }))
      .map(([kind, bytes]) => part('leaf', kind, bytes)),
    fc
      .tuple(
        fc.constantFrom('block', 'entry', 'record'),
        fc.array(tie('node'), { minLength: 1, maxLength: 6 }),
      )
      .map(([kind, parts]) => part('branch', kind, parts)),
  ),
})).node;

describe('leaves', () => {
  it('have every byte exactly once, and the path of each leads to it', () => {
    fc.assert(
      fc.property(fc.array(tree, { minLength: 1, maxLength: 8 }), (parts) => {
        const root = placed(part('file', 'table', parts));
        const leaves = leavesOf(root);
        expect(new Set(leaves.map(({ path }) => path)).size).toBe(leaves.length);
        for (let offset = 0; offset < root.bytes; offset += 1) {
          const holders = leaves.filter(
            ({ node }) => node.offset <= offset && offset < node.offset + node.bytes,
          );
          expect(holders).toHaveLength(1);
          expect(leafAt(leaves, offset)).toBe(holders[0]);
          expect(holders[0]?.trail.at(-1)).toBe(holders[0]?.node);
        }
        expect(leafAt(leaves, root.bytes)).toBeNull();
        expect(leafAt(leaves, -1)).toBeNull();
      }),
      { numRuns: 40 },
    );
  });
});

describe('bytes', () => {
  it('are decoded, shown and copied as they are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const digits = asHexText(bytes).replaceAll(' ', '');
        expect(decodeHex(digits)).toEqual(bytes);
        const array = asRustArray(bytes).match(/0x[0-9a-f]{2}/g) ?? [];
        expect(Uint8Array.from(array, Number)).toEqual(bytes);
        expect(textOf(bytes)).not.toMatch(/[\p{Cc}\p{Cf}\p{Co}]/u);
      }),
    );
    expect(decodeHex('abc')).toBeNull();
    expect(decodeHex('zz')).toBeNull();
  });

  it('are read as numbers of every size', () => {
    const bytes = Uint8Array.from([0xff, 0x01, 0, 0, 0, 0, 0, 0x80, 7]);
    const read = Object.fromEntries(readings(bytes).map((r) => [r.name, [r.plain, r.signed]]));
    expect(read['8 bit']).toEqual(['255', '-1']);
    expect(read['16 bit']).toEqual(['511', '511']);
    expect(read['64 bit']).toEqual(['9223372036854776319', '-9223372036854775297']);
    expect(read.varint).toEqual(['255', '2 bytes']);
    expect(readings(new Uint8Array())).toEqual([]);
  });

  it('hold varints of up to ten bytes', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }), (value) => {
        const bytes: number[] = [];
        for (let rest = value; ; rest >>= 7n) {
          const last = rest < 128n;
          bytes.push(Number(rest & 127n) | (last ? 0 : 128));
          if (last) break;
        }
        expect(readVarint(Uint8Array.from(bytes))).toEqual({ value, bytes: bytes.length });
        expect(readVarint(Uint8Array.from(bytes.slice(0, -1)))).toBeNull();
      }),
    );
  });

  it('are looked for as text or as digits', () => {
    expect([...(needle('ab') ?? [])]).toEqual([0x61, 0x62]);
    expect([...(needle('0x00 ff') ?? [])]).toEqual([0, 0xff]);
    expect(needle('"; reset --yes')).toHaveLength(14);
    expect(needle('')).toBeNull();
    expect(parseOffset('0x40')).toBe(64);
    expect(parseOffset(' 1 024 ')).toBe(1024);
    for (const wrong of ['', '-1', '0x', 'forty', '1e3']) expect(parseOffset(wrong)).toBeNull();
  });
});

const scrolls = fc.record({
  rows: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 2 ** 28 })),
  rowHeight: fc.constant(24),
  viewport: fc.integer({ min: 24, max: 1200 }),
});

describe('rows of a hex view', () => {
  it('are all reachable, and few are drawn', () => {
    fc.assert(
      fc.property(scrolls, fc.double({ min: 0, max: 1, noNaN: true }), (scroll: HexScroll, at) => {
        const last = Math.max(0, scrollHeight(scroll) - scroll.viewport);
        const top = virtualTop(scroll, at * last);
        const { first, end } = visibleRows(scroll, top);
        expect(first).toBeGreaterThanOrEqual(0);
        expect(end).toBeLessThanOrEqual(scroll.rows);
        expect(end - first).toBeLessThan(scroll.viewport / 24 + 12);
        expect(visibleRows(scroll, virtualTop(scroll, last)).end).toBe(scroll.rows);
        expect(scrollTopOf(scroll, top)).toBeCloseTo(Math.min(at * last, last), 3);
        const row = Math.floor(at * (scroll.rows - 1));
        const shown = visibleRows(scroll, topShowing(scroll, top, row), 0);
        expect(shown.first).toBeLessThanOrEqual(row);
        expect(shown.end).toBeGreaterThan(row);
      }),
    );
  });

  it('are walked by keys without leaving the file', () => {
    const keys = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown'];
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5000 }),
        fc.array(fc.constantFrom(...keys, 'Home', 'End'), { maxLength: 40 }),
        fc.constantFrom(8, 16),
        (total, presses, rowBytes) => {
          const rows = { rowBytes, pageRows: 10 };
          let at = 0;
          for (const key of presses) at = moveByte(key, at, total, rows, false) ?? -1;
          expect(at).toBeGreaterThanOrEqual(0);
          expect(at).toBeLessThan(total);
          expect(moveByte('End', at, total, rows, true)).toBe(total - 1);
          expect(moveByte('Home', at, total, rows, true)).toBe(0);
        },
      ),
    );
    expect(moveByte('a', 0, 9, { rowBytes: 16, pageRows: 1 }, false)).toBeNull();
    expect(moveByte('ArrowDown', 3, 30, { rowBytes: 8, pageRows: 1 }, false)).toBe(11);
  });
});

describe('the ribbon', () => {
  it('is to scale, and hides nothing', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 1e7 }), { minLength: 1, maxLength: 240 }),
        (sizes) => {
          let offset = 0;
          const list = sizes.map((bytes, index) => {
            const stretch = {
              name: 'b',
              kind: 'block',
              number: index + 1,
              path: `block:${index + 1}`,
              offset,
              bytes,
              parts: 1,
            };
            offset += bytes;
            return stretch;
          });
          const parts = ribbonParts(list, offset);
          const end = parts.reduce((x, { x: from, width }) => {
            expect(from).toBeCloseTo(x, 9);
            expect(width).toBeGreaterThan(0.001);
            return x + width;
          }, 0);
          expect(end).toBeCloseTo(1, 9);
          expect(ribbonX(parts, 0)).toBe(0);
          expect(ribbonX(parts, offset)).toBeCloseTo(1, 9);
        },
      ),
    );
  });
});

describe('the tree', () => {
  const answer = (skipped: number, length: number, count: number): PartResult => ({
    file: 'f',
    fileBytes: 1,
    part: {
      trail: [{ index: 0, decoded: false, node: part('file', 'table', 1) }],
      parts: Array.from({ length }, (_, index) => ({
        ...part(`block ${skipped + index + 1}`, 'block', 1),
        number: skipped + index + 1,
        more: true,
      })),
      skipped,
      count,
    },
  });

  it('shows a window of many siblings, and grows to both sides', () => {
    let state: Tree = withPart(EMPTY_TREE, '', answer(1000, WINDOW, 5000));
    let rows = rowsOf(state);
    expect(rows).toHaveLength(WINDOW + 2);
    expect(rows[0]).toMatchObject({ type: 'more', count: 1000, skip: 1000 - WINDOW });
    expect(rows.at(-1)).toMatchObject({ type: 'more', skip: 1000 + WINDOW });
    state = withPart(state, '', answer(1000 - WINDOW, WINDOW, 5000));
    state = withPart(state, '', answer(1000 + WINDOW, WINDOW, 5000));
    rows = rowsOf(state);
    expect(rows).toHaveLength(3 * WINDOW + 2);
    const numbers = rows.flatMap((row) => (row.type === 'node' ? [row.position] : []));
    expect(numbers).toEqual(numbers.map((_, index) => 1001 - WINDOW + index));
  });

  it('shows the parts of what is open, and only of that', () => {
    let state = withPart(EMPTY_TREE, '', answer(0, 3, 3));
    state = withPart(state, 'block:2', answer(0, 2, 2));
    expect(rowsOf(state)).toHaveLength(3);
    state = withOpen(state, 'block:2', true);
    expect(rowsOf(state).map((row) => row.path)).toEqual([
      'block:1',
      'block:2',
      'block:2/block:1',
      'block:2/block:2',
      'block:3',
    ]);
    expect(rowsOf(withOpen(state, 'block:2', false))).toHaveLength(3);
  });
});
