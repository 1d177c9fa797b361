import { describe, expect, it } from 'vitest';
import type { View } from '../../../model/engine.generated';
import { NOTHING_WRITTEN } from '../../../model/writing';
import { busyView } from '../../../testing/sample';
import { stageScene } from './stage';

function manifest(change: Partial<View> = {}, width = 900) {
  return stageScene({ ...busyView(), ...change }, NOTHING_WRITTEN, width, 430).manifest;
}

const removal = { snapshot: false, added: [13, 14], removed: [9, 11] };

describe('the row of the manifest', () => {
  it('has CURRENT, the manifest that it names, and its edits; an unsynced one is hollow', () => {
    const row = manifest();
    expect([row?.current.text, row?.manifest.text]).toEqual(['CURRENT', 'MANIFEST-000003']);
    expect(row?.arrow).not.toBeNull();
    expect(row?.edits.map(({ text, synced }) => [text, synced])).toEqual([
      ['all tables', true],
      ['+11', false],
    ]);
  });

  it('lists the tables that an edit adds, removes or moves', () => {
    const texts = (edit: typeof removal) =>
      manifest({ manifestEdits: [edit] })?.edits.map(({ text }) => text);
    expect(texts(removal)).toEqual(['−9 −11 +13 +14']);
    expect(texts({ snapshot: false, added: [5], removed: [5] })).toEqual(['5 moves']);
    const many = { snapshot: false, added: [21, 22, 23, 24], removed: [11, 12, 13] };
    expect(texts(many)).toEqual(['−3 tables +4 tables']);
  });

  it('shows the newest edits that fit, inside the picture', () => {
    const manifestEdits = Array.from({ length: 8 }, () => removal);
    const row = manifest({ manifestEdits, manifestUnsynced: 0 });
    expect(row?.edits.length).toBeGreaterThan(1);
    expect(row?.edits.length).toBeLessThan(8);
    const box = row?.manifest.box ?? { x: 0, w: 0 };
    expect(box.x + box.w).toBeLessThanOrEqual(900);
  });

  it('has no arrow to a manifest that CURRENT does not name yet', () => {
    const row = manifest({ manifest: 9, current: 3 });
    expect(row?.arrow).toBeNull();
    expect(row?.current.text).toBe('CURRENT → 3');
  });
});
