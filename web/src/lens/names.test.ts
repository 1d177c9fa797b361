import { describe, expect, it } from 'vitest';
import { nameText, nameTitle } from './names';

describe('a name from outside', () => {
  it('is shown as it is when it is short and has letters only', () => {
    expect(nameText('größe 日本/000012.sst')).toBe('größe 日本/000012.sst');
    expect(nameTitle('größe 日本/000012.sst')).toBeUndefined();
  });

  it('has controls and bidirectional characters as their bytes', () => {
    expect(nameText('\u202etss.db\u2066')).toBe('\\xe2\\x80\\xaetss.db\\xe2\\x81\\xa6');
    expect(nameText('\u001b[31mred\n\0')).toBe('\\x1b[31mred\\x0a\\x00');
  });

  it('is cut in the middle, and its title at 1,000 characters', () => {
    const name = `${'a'.repeat(30_000)}${'😀'.repeat(30_000)}.sst`;
    const shown = Array.from(nameText(name));
    expect(shown).toHaveLength(80);
    expect(shown.join('')).toMatch(/^a{40}…(😀){35}\.sst$/u);
    expect(Array.from(nameTitle(name) ?? '')).toHaveLength(1_000);
    expect(nameTitle('b'.repeat(81))).toBe('b'.repeat(81));
    expect(nameText('b'.repeat(80))).toBe('b'.repeat(80));
    expect(Array.from(nameText('\u202e'.repeat(200)))).toHaveLength(80);
  });
});
