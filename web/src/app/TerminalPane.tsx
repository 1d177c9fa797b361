import { PlainTerminal } from '../terminal/PlainTerminal';
import type { TerminalProps } from '../terminal/session';
import { Lazy } from '../views/shared/Lazy';
import { lazyPart } from '../views/shared/lazyPart';

const screen = lazyPart(() => import('../terminal/XtermView'));

interface Props extends TerminalProps {
  plain: boolean;
  /** Scale of the page: xterm.js sets its own letters larger instead. */
  scale: number;
  /** Only the last line is shown; typing opens it. */
  isFolded: boolean;
  onUnfold(): void;
  /** Its answers would give away a verdict that is hidden. */
  isVeiled: boolean;
}

/** The terminal in one of its two forms. xterm.js is loaded only when it is used; the plain form takes its place if it does not come. */
export function TerminalPane({ plain, scale, isFolded, onUnfold, isVeiled, ...rest }: Props) {
  return (
    <section
      className={`terminal-pane${isFolded ? ' folded' : ''}${isVeiled ? ' veiled' : ''}`}
      aria-label="Terminal"
      onBeforeInputCapture={isFolded ? onUnfold : undefined}
    >
      {plain ? (
        <PlainTerminal {...rest} />
      ) : (
        <Lazy part={screen} name="full terminal" instead={<PlainTerminal {...rest} />}>
          {({ XtermView }) => <XtermView {...rest} scale={scale} />}
        </Lazy>
      )}
    </section>
  );
}
