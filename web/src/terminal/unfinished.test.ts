import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import LINES from '../../../tests/fixtures/lines.json';
import { finish, loadEngine, openEngine, start } from '../testing/realEngine';
import { isUnfinished } from './unfinished';

describe('unfinished lines', () => {
  it('are those with an open brace or a backslash at the end', () => {
    for (const text of LINES.unfinished) expect(isUnfinished(text), text).toBe(true);
    for (const text of LINES.finished) expect(isUnfinished(text), text).toBe(false);
    // An open quote is a mistake, not a line that goes on.
    for (const text of ["put '\\", 'put "a', "batch { put 'a"]) {
      expect(isUnfinished(text), text).toBe(false);
    }
  });

  it('are those that the engine calls unfinished', async () => {
    const Make = await loadEngine();
    const engine = new Make('memory');
    openEngine(engine);
    const pieces = [
      'batch',
      '{',
      '}',
      '#',
      ',',
      ';',
      '\n',
      '\\',
      ' ',
      '  ',
      'get a',
      ' "}"',
      " '# {'",
      '\\{',
      '0x61',
      '0xz',
      '\\q',
      '\r\n',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 9 }), (parts) => {
        const text = parts.join('');
        start(engine, text);
        const { error } = finish(engine, text);
        const isRefused = error?.message.startsWith('the command is not finished') ?? false;
        expect(isUnfinished(text), JSON.stringify(text)).toBe(isRefused);
      }),
      { numRuns: 500 },
    );
  });
});
