import { lazy, Suspense } from 'react';
import { PlainTerminal } from '../terminal/PlainTerminal';
import type { TerminalSession } from '../terminal/session';

const XtermView = lazy(() => import('../terminal/XtermView'));

interface Props {
  session: TerminalSession;
  plain: boolean;
  onSelect(selection: string): void;
  onLeave(): void;
  onReady(focus: () => void): void;
}

/** The terminal in one of its two forms; xterm.js is loaded only when it is used. */
export function TerminalPane({ plain, ...rest }: Props) {
  return (
    <section className="terminal-pane" aria-label="Terminal">
      {plain ? (
        <PlainTerminal {...rest} />
      ) : (
        <Suspense fallback={<p className="terminal-wait">Loading the terminal …</p>}>
          <XtermView {...rest} />
        </Suspense>
      )}
    </section>
  );
}

/** Windows too small for panels side by side. */
export const SMALL = '(max-width: 640px)';
/** Devices on which the plain form serves better. */
export const TOUCH = '(pointer: coarse)';
