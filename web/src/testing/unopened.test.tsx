import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { narration } from '../model/page';
import { shown } from '../model/shown';
import { StageTable } from '../views/Stage/StageTable';
import { TimelineBar } from '../views/Timeline/TimelineBar';
import { FakeDisk } from './hostPage';
import { Offers } from './Offers';
import { Visitor, withEngine } from './visitor';

/* An opening that fails leaves no database: picture, sentence and buttons show it. */

const wasm = withEngine();

it.each([
  ['put a 1; flush', 'CURRENT 4096 1', 'CURRENT is damaged at offset 0: neither of its slots'],
  // The logs before it are read: the picture has memtables, and none that takes writes.
  ['fill 60 --words', '000005.wal 80 1', '000005.wal is damaged at offset 72: the header'],
])('after %s and corrupt %s', async (writes, place, why) => {
  const visitor = new Visitor(wasm(), new FakeDisk());
  await visitor.open();
  await visitor.type(writes);
  await visitor.type(`corrupt ${place}; options set strategy tiered`);
  const page = () => shown(visitor.lab.store.get());
  expect(page().unopened).toContain(`No database is open. ${why}`);
  expect(narration(page())).toContain(`No database is open. ${why}`);
  expect(visitor.picture).toContain(`No database is open. ${why}`);
  expect(visitor.picture).toContain('<code>branch main</code>');
  for (const absent of [
    'of 2 tables',
    'no tables yet',
    '<code>flush',
    '<code>compact',
    'nothing to do',
  ])
    expect(visitor.picture).not.toContain(absent);

  const { unmount } = render(
    <Offers>
      <TimelineBar page={page()} />
      <StageTable page={page()} />
    </Offers>,
  );
  for (const name of ['Step', 'Play', 'Run', /^Crash/])
    expect(screen.getByRole('button', { name })).toBeDisabled();
  expect(screen.getByRole('button', { name: 'Back' })).toBeEnabled();
  expect(screen.queryByRole('table')).toBeNull();
  unmount();

  // A command that needs a database changes nothing of it.
  await visitor.type('put b 2');
  expect(page().unopened).toContain(why);
  await visitor.type('back');
  expect(page().unopened).toBeNull();
  await visitor.type('now');
  expect(page().unopened).toContain(why);
  await visitor.type('branch main');
  expect(page().unopened).toBeNull();
  expect(visitor.picture).toContain('memtable');
  await visitor.leave();
});
