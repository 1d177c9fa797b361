import { describe, expect, it } from 'vitest';
import { damagesAt, damageText, flippedBits, isHit } from './damage';
import type { BranchState, Damage } from './engine.generated';

const flip = (file: string, offset: number, step = 9): Damage => ({ file, offset, mask: 5, step });

function branch(id: number, damaged: Damage[]): BranchState {
  const fixed = { parent: null, forkedAt: null, steps: 20, pastless: null, crash: null };
  return { id, name: `b ${id}`, memory: true, damaged, ...fixed };
}

describe('flipped bytes', () => {
  const table = flip('000012.sst', 700);
  const branches = [branch(0, []), branch(1, [table, flip('000012.sst', 30), flip('CURRENT', 1)])];

  it('are listed by file, and only on their branch', () => {
    const damages = damagesAt(branches, 1, null);
    expect([...damages.keys()]).toEqual(['table:12', 'current']);
    expect(damages.get('table:12')?.map(({ offset }) => offset)).toEqual([30, 700]);
    expect(damagesAt(branches, 0, null).size).toBe(0);
  });

  it('are not damaged before they were flipped', () => {
    expect(damagesAt(branches, 1, 9).size).toBe(0);
    expect(damagesAt(branches, 1, 10).size).toBe(2);
  });

  it('are named by offset and bits', () => {
    expect(damageText([table])).toBe('damaged at offset 700');
    expect(damageText([flip('000012.sst', 1030), table])).toBe(
      'damaged at offset 1,030 and 1 more',
    );
    expect(damageText(undefined)).toBeNull();
    expect(flippedBits(table)).toBe('00000101');
    expect([isHit([table], 690, 10), isHit([table], 700, 1)]).toEqual([false, true]);
  });
});
