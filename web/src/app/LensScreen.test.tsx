// @vitest-environment jsdom

import { renderHook, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { PICTURE } from '../model/address';
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
  const play = vi.spyOn(lab.files, 'play').mockResolvedValue();
  const note = vi.spyOn(lab, 'note');
  const { result } = renderHook(() => useLens(lab, PICTURE, {} as TerminalLook));
  const give = (name: string, text = 'bytes') => {
    const file = Object.assign(blobOf(new TextEncoder().encode(text)), { name });
    result.current.onFiles(Promise.resolve([{ path: name, file: file as unknown as File }]));
  };
  return { lab, play, note, give };
}

describe('files that a person gives to the page', () => {
  it('open in the view of directories', async () => {
    const { lab, play, give } = started();
    vi.mocked(openForeign).mockImplementation(async (_listed, isShown, show) => {
      expect(isShown).toBe(false);
      show();
    });
    give('any name');
    await waitFor(() => expect(lab.store.get().directory).toBe(''));
    expect(play).not.toHaveBeenCalled();
  });

  it('do not open when the part does not come, which a note reports', async () => {
    const { lab, note, give } = started();
    vi.mocked(openForeign).mockRejectedValue(new Error('no network'));
    give('000012.sst');
    const message = 'The part of the page that reads files did not come: no network';
    await waitFor(() => expect(note).toHaveBeenCalledWith('bad', message));
    expect(lab.store.get().directory).toBeNull();
  });

  it.each([
    ['mine.md', '# A lesson'],
    ['steps.txt', '# levelscope 1\nput a 1'],
  ])('are played without being recognized: %s', async (name, text) => {
    const { play, give } = started();
    give(name, text);
    await waitFor(() => expect(play).toHaveBeenCalledOnce());
    expect(openForeign).not.toHaveBeenCalled();
  });
});
