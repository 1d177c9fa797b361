import { PlainTerminal } from '../terminal/PlainTerminal';
import type { TerminalProps } from '../terminal/session';
import { Lazy } from '../views/shared/Lazy';
import { lazyPart } from '../views/shared/lazyPart';

/** Waits for the font, because xterm.js measures a letter when it opens. */
const screen = lazyPart(async () => {
  const font = document.fonts.load('1em "JetBrains Mono"');
  const [part] = await Promise.allSettled([import('../terminal/XtermView'), font]);
  if (part.status === 'rejected') throw part.reason;
  return part.value;
});

interface Props extends TerminalProps {
  plain: boolean;
  /** Scale of the page: xterm.js sets its own letters larger instead. */
  scale: number;
  /** Only the last line is shown; typing opens it. */
  isFolded: boolean;
  onUnfold(): void;
  /** Whether its answers would reveal a hidden verdict. */
  isVeiled: boolean;
}

/** The terminal in one of its two forms. xterm.js is loaded on first use; the plain form replaces it if that fails. */
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
