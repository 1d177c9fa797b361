import './Share.css';

import { counted } from '../../model/words';
import { Action, Quiet } from '../shared/buttons';
import { Dialog } from '../shared/Dialog';
import { Wrong } from './Wrong';

interface Props {
  kind: 'script' | 'lesson';
  text: string;
  /** Why it cannot run, sentence by sentence. */
  wrong: readonly string[];
  /** Runs all of it, or line by line. */
  onRun(all: boolean): void;
  onClose(): void;
}

/** The content of a link, before any of it runs. */
export function OfferedDialog({ kind, text, wrong, onRun, onClose }: Props) {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const title = kind === 'lesson' ? 'A lesson from a link' : 'Commands from a link';
  const isRefused = wrong.length > 0;
  return (
    <Dialog title={title} onClose={onClose}>
      {isRefused ? (
        <Wrong wrong={wrong} />
      ) : kind === 'lesson' ? (
        <p>
          This lesson plays in a database of its own, in this page’s memory. Your database is not
          touched.
        </p>
      ) : (
        <p>
          {counted(lines.length, 'line')} of commands would run in an empty database of its own, in
          this page’s memory. Your database is not touched. Line by line, the terminal shows the
          answer of each; all at once, the picture shows what they lead to.
        </p>
      )}
      {text !== '' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls must be reachable by keyboard
        <pre className="share-text mono scrolls on-page fine breaks" tabIndex={0}>
          {text.trimEnd()}
        </pre>
      )}
      <div className="wraps">
        {!isRefused && (
          <Action data-first="" onClick={() => onRun(true)}>
            {kind === 'lesson' ? 'Start the lesson' : 'Run all'}
          </Action>
        )}
        {!isRefused && kind === 'script' && (
          <Action onClick={() => onRun(false)}>Line by line</Action>
        )}
        <Quiet onClick={onClose}>{isRefused ? 'Close' : 'No'}</Quiet>
      </div>
    </Dialog>
  );
}
