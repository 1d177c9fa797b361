// What comes when it is asked for: the module of experiments, and the texts of the lessons.

import { afterEach, expect, it } from 'vitest';
import type { Message } from '../model/engine.generated';
import { inMemory, loadLabs, loadWasm, type Page } from '../testing/hostPage';

let page: Page | null = null;

afterEach(() => page?.ask({ type: 'close' }));

/** A page whose worker loads the module of experiments by `load`. */
async function opened(load: Page['loadLabs']): Promise<Page> {
  const fresh = inMemory();
  fresh.loadLabs = load;
  page = fresh;
  await fresh.open();
  return fresh;
}

it('runs experiments in a module that comes with the first one, and none without it', async () => {
  await loadWasm();
  let asked = 0;
  const noNetwork = () => {
    asked += 1;
    return Promise.reject(new Error('no network'));
  };
  const here = await opened(noNetwork);
  const { error: wrong } = await here.command('lab L16 --runs 3');
  expect(wrong).toMatchObject({ kind: 'usage', message: 'lab L16 has no --runs' });
  await here.command('lab');
  expect(asked).toBe(0);

  // A failed fetch fails alone: the line ends, and the next one runs.
  const { answers: none, error } = await here.command('lab L16; put a 1');
  expect(none).toEqual([]);
  expect(error).toEqual({
    kind: 'io',
    message:
      'The experiments could not be fetched (no network): go online, then run the command again.',
    hint: null,
  });
  expect(asked).toBe(1);

  // Stop does not wait for it.
  here.loadLabs = () => new Promise(() => undefined);
  const id = here.post({ type: 'command', line: 'lab L16', at: null });
  await new Promise((resolve) => setTimeout(resolve, 20));
  here.post({ type: 'cancel' });
  const isIts = (message: Message): message is Message =>
    message.type === 'done' && message.id === id;
  expect(await here.until(isIts)).toMatchObject({
    answers: [{ kind: 'reports', value: [] }],
    error: { kind: 'cancelled' },
  });

  here.loadLabs = () => {
    asked += 1;
    return loadLabs();
  };
  const { answers } = await here.command('lab L16 --records 100; put a 1');
  expect(answers.map(({ kind }) => kind)).toEqual(['report', 'other']);
  expect(answers[0]?.value).toMatchObject({ lab: { id: 'L16' }, stopped: false });
  expect(here.text()).toContain("levelscope --memory -c 'lab L16 --records 100'");
  const { error: refused } = await here.command('lab sweep colours');
  expect(refused).toEqual({
    kind: 'usage',
    message: 'value-size or keys can be swept over, not colours',
    hint: null,
  });
  expect(asked).toBe(2);
});

it('begins a lesson when its text has come, and lists the lessons', async () => {
  await loadWasm();
  const here = inMemory();
  page = here;
  await here.open();
  const { loadLessons } = here;
  here.loadLessons = () => Promise.reject(new Error('no network'));
  const { error } = await here.command('lesson log');
  expect(error).toMatchObject({
    kind: 'io',
    message:
      'The lessons could not be fetched (no network): go online, then run the command again.',
  });
  expect((await here.command('put a 1; get a')).error).toBeNull();

  // Stop does not wait for them.
  here.loadLessons = () => new Promise(() => undefined);
  const id = here.post({ type: 'command', line: 'lesson log', at: null });
  await new Promise((resolve) => setTimeout(resolve, 20));
  here.post({ type: 'cancel' });
  const isIts = (message: Message): message is Message =>
    message.type === 'done' && message.id === id;
  expect(await here.until(isIts)).toMatchObject({ error: { kind: 'cancelled' } });

  here.loadLessons = loadLessons;
  await here.command('lesson');
  expect(here.text()).toContain('rotation');
  expect((await here.command('lesson 2')).error).toBeNull();
  expect(here.heard.some(({ type }) => type === 'lesson')).toBe(true);
});
