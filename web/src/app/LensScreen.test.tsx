// @vitest-environment jsdom

import { renderHook, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeEngine } from '../testing/fakeEngine';
import { blobOf } from '../testing/slices';
import { useLens } from './LensScreen';
import { Lab } from './lab';
import { openForeign, type TerminalLook } from './lensPart';

vi.mock('./lensPart', () => ({ openForeign: vi.fn(), LensPart: () => null }));

beforeEach(() => {
  vi.mocked(openForeign).mockReset();
});

function started() {
  const lab = new Lab(new FakeEngine(), null, (callback) => callback());
  const open = vi.spyOn(lab.files, 'open').mockResolvedValue();
  const note = vi.spyOn(lab, 'note');
  const { result } = renderHook(() => useLens(lab, null, {} as TerminalLook));
  const give = (name: string, text = 'bytes') => {
    const file = Object.assign(blobOf(new TextEncoder().encode(text)), { name });
    result.current.onFiles(Promise.resolve([{ path: name, file: file as unknown as File }]));
  };
  return { lab, open, note, give };
}

describe('files that a person gives to the page', () => {
  it('are of the view of directories when it can read them', async () => {
    const { lab, open, give } = started();
    vi.mocked(openForeign).mockImplementation(async (_listed, isShown, show) => {
      expect(isShown).toBe(false);
      show();
      return null;
    });
    give('any name');
    await waitFor(() => expect(lab.store.get().directory).toBe(''));
    expect(open).not.toHaveBeenCalled();
  });

  it('are of the playground otherwise, without a word', async () => {
    const { lab, open, note, give } = started();
    vi.mocked(openForeign).mockResolvedValue({ kind: 'invalid', message: 'It is none.' });
    give('000012.sst');
    await waitFor(() => expect(open).toHaveBeenCalledOnce());
    expect(lab.store.get().directory).toBeNull();
    expect(note).not.toHaveBeenCalled();
  });

  it('are of the playground when the part does not come, which is told', async () => {
    const { open, note, give } = started();
    vi.mocked(openForeign).mockRejectedValue(new Error('no network'));
    give('000012.sst');
    await waitFor(() => expect(open).toHaveBeenCalledOnce());
    expect(note).toHaveBeenCalledWith(
      'bad',
      'The part of the page that reads directories did not come: no network',
    );
  });

  it.each([
    ['mine.md', '# A lesson'],
    ['steps.txt', '# levelscope 1\nput a 1'],
  ])('are played without being recognized: %s', async (name, text) => {
    const { open, give } = started();
    give(name, text);
    await waitFor(() => expect(open).toHaveBeenCalledOnce());
    expect(openForeign).not.toHaveBeenCalled();
  });
});
