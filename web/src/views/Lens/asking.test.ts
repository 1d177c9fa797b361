import { expect, it, vi } from 'vitest';
import { remembering } from './asking';
import type { Query } from './scene/answers';

const LEVELS = { ask: 'levels', family: 0, step: null } as const;
const SCAN = { ask: 'scan', family: 0, from: null, to: null, limit: 9, sequence: null } as const;

it('keeps answers until a read meets damage', async () => {
  let problems: readonly object[] = [];
  const ask = vi.fn(async (query: Query) => (query.ask === 'scan' ? { problems } : {}));
  const remembered = remembering(ask);
  await remembered(LEVELS);
  await remembered(SCAN);
  await remembered(LEVELS);
  expect(ask).toHaveBeenCalledTimes(2);
  problems = [{ file: '000010.sst' }];
  await remembered({ ...SCAN, limit: 8 });
  // The levels mark the table now.
  await remembered(LEVELS);
  expect(ask).toHaveBeenCalledTimes(4);
});
