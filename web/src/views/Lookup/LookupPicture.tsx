import './Lookup.css';

import { useEffect, useMemo, useRef } from 'react';
import { wordOfText } from '../../model/commandWords';
import type { ExplainResult } from '../../model/engine.generated';
import { isHidden } from '../../model/focus';
import type { Page } from '../../model/page';
import { counted } from '../../model/words';
import { ReadPicture } from '../Read/ReadPicture';
import { blocksText, type ReadPathScene, readPathScene, type StopScene } from '../Read/scene';
import { useTime } from '../shared/contexts';
import { useSize } from '../shared/useSize';

const FIRST_SIZE = { width: 420, height: 300 };
const SIZE_MIN = { width: 280, height: 1 };
/** The searches of a stop are drawn for a narrow column; the stage shows them larger by this factor. */
const LARGER = 1.25;

/** A lookup on the stage, stop by stop: the way on the left, the searches of the stop on show on the right. */
export function LookupPicture({ page }: { page: Page }) {
  const { reading, readingStop } = page;
  const host = useRef<HTMLDivElement>(null);
  const picture = useRef<SVGSVGElement>(null);
  const size = useSize(host, FIRST_SIZE, SIZE_MIN);
  const { reveal } = useTime();
  const hidden = isHidden(page);
  const width = (size.width - 12) / LARGER;
  const stops = useMemo(() => reading && readPathScene(reading, width).stops, [reading, width]);
  const scene = useMemo(
    () => reading && sceneOfStop(reading, readingStop, width),
    [reading, readingStop, width],
  );
  if (!reading || !stops) return null;
  return (
    <section className="lookup-picture" aria-label={`${reading.lookup} ${reading.key}`}>
      <Stops reading={reading} stops={stops} now={readingStop} hidden={hidden} />
      <div key={readingStop} className="lookup-stop" data-onward="" ref={host}>
        {hidden ? (
          <button type="button" className="card" onClick={reveal}>
            Is it here? <small>Reveal (→ or PgDn)</small>
          </button>
        ) : (
          scene && (
            <div className="lookup-larger">
              <ReadPicture scene={scene} picture={picture} />
            </div>
          )
        )}
      </div>
    </section>
  );
}

/** One stop alone, with its number on the whole way. */
function sceneOfStop(reading: ExplainResult, at: number, width: number): ReadPathScene | null {
  const stop = reading.stops[at];
  if (!stop) return null;
  const placed = readPathScene({ ...reading, stops: [stop] }, width);
  return { ...placed, stops: placed.stops.map((each) => ({ ...each, order: at + 1 })) };
}

interface StopsProps {
  reading: ExplainResult;
  stops: readonly StopScene[];
  /** The stop on show. */
  now: number;
  /** Its verdict is hidden. */
  hidden: boolean;
}

function Stops({ reading, stops, now, hidden }: StopsProps) {
  const shown = useRef<HTMLLIElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another stop is shown
  useEffect(() => {
    // Some browsers answer with a promise, which is no way to clean up.
    shown.current?.scrollIntoView?.({ block: 'nearest' });
  }, [now, hidden]);
  const isEnd = now === stops.length - 1 && !hidden;
  return (
    <ol className="lookup-stops">
      {stops.map((stop, index) => (
        <li
          key={stop.order}
          ref={index === now && !isEnd ? shown : undefined}
          className={classesOf(stop, index, now, hidden)}
        >
          <Stop stop={stop} index={index} now={now} hidden={hidden} />
        </li>
      ))}
      <li className="lookup-end" ref={isEnd ? shown : undefined}>
        {isEnd ? <Outcome reading={reading} /> : <span className="dim">→ or PgDn goes on</span>}
      </li>
    </ol>
  );
}

function classesOf(stop: StopScene, index: number, now: number, hidden: boolean): string {
  const level = stop.level === null ? 'memory' : `level-${Math.min(stop.level, 3)}`;
  const time = index === now ? 'now' : index < now ? 'past' : 'to-come';
  return `${level} ${time} ${isKnown(index, now, hidden) ? stop.outcome : ''}`;
}

/** Whether the verdict of a stop has been told. */
function isKnown(index: number, now: number, hidden: boolean): boolean {
  return index < now || (index === now && !hidden);
}

type StopProps = Pick<StopsProps, 'now' | 'hidden'> & { stop: StopScene; index: number };

function Stop({ stop, index, now, hidden }: StopProps) {
  const { readStop } = useTime();
  const question = index === now ? 'What will it find?' : '';
  return (
    <button
      type="button"
      aria-current={index === now ? 'step' : undefined}
      data-object={stop.selection ?? undefined}
      onClick={() => readStop(index)}
    >
      <span className="order">{stop.order}</span> <b>{stop.title}</b>
      <span className="verdict-words">{isKnown(index, now, hidden) ? stop.verdict : question}</span>
    </button>
  );
}

/** How the lookup ended. */
function Outcome({ reading }: { reading: ExplainResult }) {
  const { outcome, key, value, comparisons, blocksRead, blocksCached } = reading;
  return (
    <>
      <b>{outcome}</b>{' '}
      {value !== null && (
        <code>
          {wordOfText(key)} = {value}
        </code>
      )}{' '}
      <span className="dim">
        {counted(comparisons, 'comparison')}, {blocksText(blocksRead, blocksCached)}
      </span>
    </>
  );
}
