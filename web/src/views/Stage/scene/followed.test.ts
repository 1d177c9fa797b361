import { expect, it } from 'vitest';
import { key } from '../../../testing/sample';
import type { Bead } from './beads';
import { followedCaptions, followWords } from './followed';
import type { Caption } from './tables';

const UNIT = 16;
const box = { x: 100, y: 0, w: 300, h: 60 };
const number: Caption = { of: 'number', text: '9', x: 108, y: 20, anchor: 'start' };
const more: Caption = { of: 'more', text: '1.2 KiB', x: 130, y: 20, anchor: 'start' };
const last = (y: number): Caption => ({ of: 'key', text: 'zebra', x: 392, y, anchor: 'end' });

const textOf = (captions: readonly Caption[]) =>
  captions.find(({ of }) => of === 'version')?.text ?? null;

it('names the version in place of the size, as far as it fits', () => {
  const red = { text: 'red', isRead: false };
  expect(textOf(followedCaptions({ captions: [number, more], box }, red, UNIT))).toBe('◇ red');
  const long = { text: 'evergreen +2', isRead: true };
  // Alone on its line it has the room up to the edge, beside the last key what that leaves.
  const above = [number, more, last(40)];
  expect(textOf(followedCaptions({ captions: above, box }, long, UNIT))).toBe('◆ evergreen +2');
  const beside = [number, { ...more, x: 240 }, last(20)];
  expect(textOf(followedCaptions({ captions: beside, box }, long, UNIT))).toBe('◆');
  expect(textOf(followedCaptions({ captions: [number], box }, long, UNIT))).toBeNull();
});

it('names the version beside its bead, as far as the next bead leaves room', () => {
  const bead = (name: string, sequence: number, x: number): Bead => ({
    ...{ id: name, version: `${name}@${sequence}`, key: key(name), hue: 0 },
    ...{ isHollow: false, isPale: false, box: { x, y: 40, w: 10, h: 12 } },
  });
  const red = { text: 'red', isRead: true };
  const at = (beads: Bead[]) => followWords({ beads, box }, new Set([2, 3]), red, UNIT);
  const fig = bead('fig', 3, 200);
  expect(at([fig])).toMatchObject({ text: '◆ red', x: 213 });
  // Another bead on the right, on both sides, and too near for anything.
  const left = at([fig, bead('kiwi', 4, 240)]);
  expect(left?.text).toBe('◆ red');
  expect(left?.x).toBeLessThan(200);
  expect(at([bead('fa', 1, 160), fig, bead('kiwi', 4, 240)])).toMatchObject({ text: '◆', x: 213 });
  expect(at([bead('fa', 1, 188), fig, bead('kiwi', 4, 212)])?.text).toBe('◆');
  expect(at([bead('kiwi', 4, 240)])).toBeNull();
});
