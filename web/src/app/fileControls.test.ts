import { describe, expect, it, vi } from 'vitest';
import type { Answer } from '../model/engine.generated';
import { FIRST_PAGE, type PageState } from '../model/page';
import { FileControls } from './fileControls';

/** The opening of a file with this name. */
const opened = (id: string) =>
  ({ kind: 'opened', value: { files: [{ id }], directories: [] } }) as unknown as Answer;

function started(answers: readonly Answer[] = [], message: string | null = null) {
  let page: PageState = FIRST_PAGE;
  const error = message === null ? null : { kind: 'usage', message, hint: null };
  const desk = {
    engine: { openFiles: vi.fn(async () => ({ answers, error }) as never) },
    lesson: { play: vi.fn(async () => {}) },
    shared: { look: vi.fn() },
    note: vi.fn(),
    type: vi.fn(),
    closeFull: vi.fn(),
    enqueue: (change: (page: PageState) => PageState) => {
      page = change(page);
    },
  };
  return { desk, files: new FileControls(desk), page: () => page };
}

/** A file as the page has it, also where files are not whole. */
function fileOf(name: string, text: string): File {
  const bytes = new TextEncoder().encode(text);
  return { name, size: bytes.length, arrayBuffer: async () => bytes.buffer } as unknown as File;
}

const gathered = async (...names: string[]) => ({
  files: names.map((name) => ({ name, bytes: new Uint8Array(1) })),
  leftOut: [],
});

describe('files', () => {
  it('are opened, and the only one is on show with its bytes', async () => {
    const { files, page } = started([opened('@a.sst')]);
    await files.open(gathered('a.sst'));
    expect(page()).toMatchObject({ inspecting: true, selection: '@a.sst' });
  });

  it('are played when a lesson is the only one', async () => {
    const { files, desk } = started();
    await files.open(gathered('mine.md'));
    expect(desk.lesson.play).toHaveBeenCalledOnce();
    expect(desk.engine.openFiles).not.toHaveBeenCalled();
  });
});

describe('a log of entries', () => {
  it('becomes a branch under the name that the engine gave it, and is closed', async () => {
    const { files, desk, page } = started([opened('@größe (2).db')]);
    await files.importEntries(fileOf('größe.db', 'entries'));
    expect(desk.type.mock.calls).toEqual([['import "@größe (2).db"; close "@größe (2).db"']]);
    expect(desk.closeFull).toHaveBeenCalledOnce();
    expect(page().inspecting).toBe(false);
  });

  it('that is refused is told, and nothing runs', async () => {
    const { files, desk } = started([], 'There are too many files.');
    await files.importEntries(fileOf('entries.db', 'entries'));
    expect(desk.note).toHaveBeenCalledWith('bad', 'There are too many files.');
    expect(desk.type).not.toHaveBeenCalled();
  });
});
