import { describe, expect, it, vi } from 'vitest';
import { FileControls } from './fileControls';

function started(message: string | null = null) {
  const error = message === null ? null : { kind: 'usage', message, hint: null };
  const desk = {
    engine: { ask: vi.fn(async () => ({ answers: [], error }) as never) },
    lesson: { play: vi.fn(async () => {}) },
    shared: { look: vi.fn() },
    note: vi.fn(),
    closeFull: vi.fn(),
    atWork: async (_label: string, outcome: Promise<never>) => outcome,
  };
  return { desk, files: new FileControls(desk as never) };
}

/** A file as the page has it, also where files are not whole. */
function fileOf(name: string, text: string) {
  const bytes = new TextEncoder().encode(text);
  const file = { name, size: bytes.length, arrayBuffer: async () => bytes.buffer };
  return { path: name, file: file as unknown as File };
}

const LOG = [{ name: 'größe.db', bytes: new Uint8Array(1) }];

describe('files', () => {
  it('are played: a lesson in its room, a script after a look at it', async () => {
    const { files, desk } = started();
    await files.play(fileOf('mine.md', '# A lesson'));
    expect(desk.lesson.play).toHaveBeenCalledOnce();
    await files.play(fileOf('steps.txt', '# levelscope 1'));
    expect(desk.shared.look).toHaveBeenCalledOnce();
  });

  it('become a branch, with the picture in sight', async () => {
    const { files, desk } = started();
    await files.importFiles(LOG);
    expect(desk.engine.ask).toHaveBeenCalledWith(
      { type: 'files', files: [{ name: 'größe.db', bytes: 1 }] },
      LOG,
    );
    expect(desk.closeFull).toHaveBeenCalledOnce();
  });

  it('that are refused are reported', async () => {
    const { files, desk } = started('There are too many files.');
    await files.importFiles(LOG);
    expect(desk.note).toHaveBeenCalledWith('bad', 'There are too many files.');
  });
});
