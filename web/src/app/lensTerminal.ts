import type { Lens } from '../lens/lens';
import type { Source } from '../lens/protocol';
import { messageOf } from '../model/failures';
import type { LineStore } from '../model/kept';
import { createStore, type Store } from '../model/store';
import { TerminalSession } from '../terminal/session';
import { saveFile } from '../views/shared/saveFile';

/** The command that a terminal runs first. */
const FIRST = 'stats';

/** The terminal of the open directory; another directory has another one. */
export function lensTerminal(lens: Lens, lines: LineStore | null): Store<TerminalSession | null> {
  const store = createStore<TerminalSession | null>(null);
  let shown: Source | null = null;
  lens.store.subscribe(() => {
    const source = lens.store.get().state === 'open' ? lens.source : null;
    if (source === shown) return;
    shown = source;
    store.update(() => (source === null ? null : begun(lens, lines)));
  });
  return store;
}

function begun(lens: Lens, lines: LineStore | null): TerminalSession {
  const session: TerminalSession = new TerminalSession(
    {
      async run(line) {
        if (line.trim().toLowerCase() === 'clear') {
          session.clear();
          return null;
        }
        try {
          const ran = await lens.run(line);
          session.print(ran.lines);
          for (const { name, bytes } of ran.saved) saveFile(name, new Blob([bytes]));
          return ran.failure;
        } catch (error) {
          return { kind: 'engine', message: messageOf(error), hint: null };
        }
      },
      complete: (line, cursor) => lens.complete(line, cursor).catch(() => []),
      cancel: lens.stop,
    },
    lines,
  );
  lens.run(FIRST).then(
    (ran) => session.print(ran.lines),
    // The first question reports why a directory cannot be asked.
    () => undefined,
  );
  return session;
}
