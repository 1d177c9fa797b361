import { PlainTerminal } from '../terminal/PlainTerminal';
import type { TerminalSession } from '../terminal/session';
import { Lazy } from '../views/shared/Lazy';
import { lazyPart } from '../views/shared/lazyPart';

const screen = lazyPart(() => import('../terminal/XtermView'));

interface Props {
  session: TerminalSession;
  plain: boolean;
  onSelect(selection: string): void;
  onLeave(): void;
  onReady(focus: () => void): void;
}

/** The terminal in one of its two forms. xterm.js is loaded only when it is used; the plain form takes its place if it does not come. */
export function TerminalPane({ plain, ...rest }: Props) {
  return (
    <section className="terminal-pane" aria-label="Terminal">
      {plain ? (
        <PlainTerminal {...rest} />
      ) : (
        <Lazy part={screen} name="full terminal" instead={<PlainTerminal {...rest} />}>
          {({ XtermView }) => <XtermView {...rest} />}
        </Lazy>
      )}
    </section>
  );
}

/** Windows too small for panels side by side. */
export const SMALL = '(max-width: 640px)';
/** Devices on which the plain form serves better. */
export const TOUCH = '(pointer: coarse)';
