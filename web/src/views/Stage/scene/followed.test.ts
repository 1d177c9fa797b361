import { expect, it } from 'vitest';
import { followedCaptions } from './followed';
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
