// The picture of a database: the stage of the page, and a sentence below it.

import '../../../web/src/styles/tokens.css';
import '../../../web/src/styles/base.css';
import { StrictMode, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { Store } from '../../../web/src/model/store';
import { Stage } from '../../../web/src/views/Stage/Stage';
import { SelectionProvider } from '../../../web/src/views/shared/contexts';
import { useMedia } from '../../../web/src/views/shared/useMedia';
import './view.css';
import type { Drawn, Standing } from './state';

interface Props {
  drawn: Store<Drawn>;
  theme: Store<string>;
}

/** Time between two sentences that screen readers hear [ms]. */
const HEARD_MS = 3000;
/** A narrower stage is drawn smaller [px]. */
const WIDTH_MIN = 520;

export function Picture({ drawn, theme }: Props) {
  const now = useSyncExternalStore(drawn.subscribe, drawn.get);
  const wanted = useSyncExternalStore(theme.subscribe, theme.get);
  const isDark = useMedia('(prefers-color-scheme: dark)');
  const shown = wanted === 'light' || wanted === 'dark' ? wanted : isDark ? 'dark' : 'light';
  return (
    <StrictMode>
      <div className="view" data-theme={shown}>
        <Levels drawn={now} />
        <Caption drawn={now} />
      </div>
    </StrictMode>
  );
}

function Levels({ drawn }: { drawn: Drawn }) {
  const [selection, select] = useState<string | null>(null);
  const selected = useMemo(() => ({ select }), []);
  const { standing, recent } = drawn;
  if (!isDrawn(drawn)) return <div className="view-picture" />;
  const page = { ...drawn, selection };
  return (
    <div className={standing.is === 'open' ? 'view-picture' : 'view-picture is-over'}>
      <SelectionProvider value={selected}>
        <Stage page={page} recent={recent} widthMin={WIDTH_MIN} />
      </SelectionProvider>
    </div>
  );
}

/** There is something to see, even when it is over. */
const isDrawn = ({ standing, view }: Drawn) =>
  standing.is === 'open' || (standing.is === 'closed' && view.levels.length > 0);

const WORDS: Readonly<Record<Exclude<Standing['is'], 'failed'>, string>> = {
  none: 'No database is on show.',
  waiting: 'The database is being opened.',
  open: 'The engine is at rest.',
  closed: 'The database is closed.',
};

function textOf({ standing, sentence }: Drawn): string {
  if (standing.is === 'failed') return standing.why;
  return standing.is === 'open' && sentence !== '' ? sentence : WORDS[standing.is];
}

function Caption({ drawn }: { drawn: Drawn }) {
  const text = textOf(drawn);
  const { standing, dropped } = drawn;
  return (
    <div className={standing.is === 'failed' ? 'view-caption problem' : 'view-caption'}>
      <p className="view-sentence" aria-hidden="true">
        {text}
      </p>
      {standing.is === 'open' && dropped > 0 && (
        <p className="view-pace dim" aria-hidden="true">
          {dropped.toLocaleString('en')} more events since the last picture
        </p>
      )}
      <p className="visually-hidden" aria-live="polite">
        {useHeard(text)}
      </p>
    </div>
  );
}

/** The text, but not more often than it can be heard. */
function useHeard(text: string): string {
  const [heard, setHeard] = useState(text);
  const since = useRef(0);
  useEffect(() => {
    const timer = setTimeout(
      () => {
        since.current = performance.now();
        setHeard(text);
      },
      Math.max(0, since.current + HEARD_MS - performance.now()),
    );
    return () => clearTimeout(timer);
  }, [text]);
  return heard;
}
