import { describe, expect, it, vi } from 'vitest';
import type { LineStore } from '../model/kept';
import type { TerminalSession } from '../terminal/session';
import { fixtureSource, realLens } from '../testing/realLens';
import { lensTerminal } from './lensTerminal';

/** The terminal's lines. */
function shown(session: TerminalSession | null): string[] {
  return (session?.log ?? []).map((entry) =>
    entry.kind === 'input'
      ? `${entry.prompt}${entry.text}`
      : entry.line.spans.map(({ text }) => text).join(''),
  );
}

async function opened(fixture: string, lines: LineStore | null = null) {
  const lens = realLens();
  const terminal = lensTerminal(lens, lines);
  await lens.open(fixtureSource(fixture));
  await vi.waitFor(() => expect(shown(terminal.get())).not.toEqual([]));
  const run = async (line: string) => {
    const session = terminal.get();
    const before = shown(session).length;
    session?.enter(line);
    await vi.waitFor(() => expect(session?.busy).toBe(false));
    return shown(session).slice(before + 1);
  };
  return { lens, terminal, run };
}

describe('the terminal of a directory', () => {
  it('begins with whose database it is, and anew with another directory', async () => {
    const { lens, terminal, run } = await opened('m_levels');
    const first = terminal.get();
    expect(shown(first)[0]).toMatch(/^A database of RocksDB, /);
    await run('families');
    expect(terminal.get()).toBe(first);
    await lens.replace(fixtureSource('l_history'));
    expect(terminal.get()).not.toBe(first);
    await vi.waitFor(() => expect(shown(terminal.get())[0]).toMatch(/^A database of LevelDB, /));
    lens.close();
    expect(terminal.get()).toBeNull();
  });

  it('moves the view, and asks about it', async () => {
    const { lens, run } = await opened('c_families');
    expect((await run('goto 3')).join(' ')).toContain('3');
    expect(lens.cursor.get().step).toBe(3);
    lens.cursor.update((cursor) => ({ ...cursor, step: 1 }));
    expect(await run('levels')).toEqual(['There are no tables here.']);
    await run('family größe; now');
    expect(lens.cursor.get()).toEqual({ family: 4, step: null });
    expect((await run('levels'))[0]).toMatch(/^log +000016.log/);
  });

  it('prints why a line was refused, and completes words', async () => {
    const { terminal, run } = await opened('m_levels');
    expect((await run('put a 1'))[0]).toMatch(/only read/);
    const items = await terminal.get()?.complete('lay', 3);
    expect(items?.map(({ text }) => text)).toEqual(['layout']);
  });

  it('is emptied by clear', async () => {
    const { terminal } = await opened('m_levels');
    terminal.get()?.enter(' Clear ');
    await vi.waitFor(() => expect(shown(terminal.get())).toEqual([]));
  });

  it('keeps its lines with those of the playground', async () => {
    const kept = new Map<string, string>();
    const lines = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    };
    const { run } = await opened('m_levels', lines);
    await run('stats');
    expect([...kept]).toEqual([['levelscope.history', '["stats"]']]);
  });

  it('prints that it was stopped, and goes on', async () => {
    const { lens, terminal, run } = await opened('m_levels');
    const asking = vi.spyOn(lens, 'run');
    terminal.get()?.enter('check --deep');
    terminal.get()?.interrupt();
    await vi.waitFor(() => expect(terminal.get()?.busy).toBe(false));
    expect(asking).toHaveBeenCalledOnce();
    expect(shown(terminal.get()).at(-1)).toBe('It was stopped.');
    expect((await run('get user:000002')).join(' ')).not.toContain('stopped');
  });
});
