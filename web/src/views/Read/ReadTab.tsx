import './Read.css';

import { type ReactNode, useMemo, useRef, useState } from 'react';
import { wordOfText } from '../../model/commandWords';
import type { ExplainResult, ReadStop } from '../../model/engine.generated';
import type { ReadMoment } from '../../model/readMoment';
import { count, counted } from '../../model/words';
import { Quiet, TextLink } from '../shared/buttons';
import { useTime } from '../shared/contexts';
import { Command, Commands, Pick } from '../shared/Facts';
import { SavePicture } from '../shared/SavePicture';
import { useSize } from '../shared/useSize';
import { ReadDetails } from './ReadDetails';
import { ReadPicture } from './ReadPicture';
import { blocksOf, blocksText, readPathScene, skippedBy, verdictOf } from './scene';

interface Props {
  read: ExplainResult | null;
  /** The state that it belongs to. */
  moment: ReadMoment | null;
}

const FIRST_SIZE = { width: 360, height: 100 };
const SIZE_MIN = { width: 280, height: 1 };
/** Wider than this the parts of a search are too far apart. */
const WIDTH_MAX = 720;

/** The path of the last explained lookup, its searches, and its cost. */
export function ReadTab({ read, moment }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const picture = useRef<SVGSVGElement>(null);
  const size = useSize(host, FIRST_SIZE, SIZE_MIN);
  const width = Math.min(size.width, WIDTH_MAX);
  const [asTable, setAsTable] = useState(false);
  const scene = useMemo(() => read && readPathScene(read, width), [read, width]);
  return (
    <div ref={host} className={moment?.isCurrent === false ? 'read-old' : undefined}>
      {!read || !scene ? (
        <>
          <p>No lookup has been explained yet.</p>
          <Commands lines={['explain get apple']} />
        </>
      ) : (
        <>
          <h2>
            {read.lookup} <code>{wordOfText(read.key)}</code> <small>{read.outcome}</small>
          </h2>
          {moment && (
            <Moment moment={moment}>
              <Command line={`explain ${read.lookup} ${wordOfText(read.key)}`} />
            </Moment>
          )}
          {read.value !== null && (
            <p>
              <code className="value">{read.value}</code>
            </p>
          )}
          <p className="dim">
            {counted(read.comparisons, 'key comparison')},{' '}
            {blocksText(read.blocksRead, read.blocksCached)}; skipped:{' '}
            {counted(read.skippedByRange, 'table')} by key range, {count(read.skippedByFilter)} by
            filter{read.skippedByPrefix > 0 && `, ${count(read.skippedByPrefix)} by prefix index`}.
          </p>
          <div className="chart-tools">
            <Quiet onClick={() => setAsTable(!asTable)}>
              {asTable ? 'As picture' : 'As table'}
            </Quiet>
            {!asTable && <SavePicture picture={picture} name="levelscope-read" />}
          </div>
          <Commands lines={[`explain ${read.lookup} ${wordOfText(read.key)} --detail`]} />
          {asTable ? (
            <Stops stops={read.stops} />
          ) : (
            <figure className="read-figure">
              <ol className="visually-hidden">
                {scene.stops.map((stop) => (
                  <li key={stop.order}>
                    {stop.title}: {stop.verdict}; {stop.cost}
                  </li>
                ))}
              </ol>
              <ReadPicture scene={scene} picture={picture} />
            </figure>
          )}
        </>
      )}
    </div>
  );
}

/** Each place that was asked, in words and tables. */
function Stops({ stops }: { stops: readonly ReadStop[] }) {
  return (
    <ol className="stops">
      {stops.map((stop, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a stop has no name but its position, and stops never move
        <li key={index} className={isHit(stop) ? 'hit' : ''}>
          <Stop stop={stop} />
          <ReadDetails stop={stop} />
        </li>
      ))}
    </ol>
  );
}

/** The state that the answer belongs to; when another state is on show, both, with links. */
function Moment(props: { moment: ReadMoment; children: ReactNode }) {
  const { moment, children } = props;
  const { go } = useTime();
  const { isCurrent, when, step, why } = moment;
  if (isCurrent) return <p className="read-moment dim">{when}.</p>;
  return (
    <div className="read-moment" role="note">
      <p>
        {step === null ? when : <TextLink onClick={() => go(step)}>{when}</TextLink>}: an earlier
        answer, {why}.
      </p>
      {children}
    </div>
  );
}

function isHit(stop: ReadStop): boolean {
  return (stop.stop === 'memtable' || stop.stop === 'table') && stop.hit !== null;
}

function Stop({ stop }: { stop: ReadStop }) {
  switch (stop.stop) {
    case 'memtable':
      return (
        <>
          <Pick to={`memtable:${stop.memtable}`}>memtable {stop.memtable}</Pick>{' '}
          {verdictOf(stop.hit)}{' '}
          <span className="dim">{counted(stop.comparisons, 'comparison')}</span>
        </>
      );
    case 'outOfRange':
      return (
        <span className="dim">
          L{stop.level}: {counted(stop.tables, 'table')} skipped, the key is outside
        </span>
      );
    case 'filtered':
    case 'noPrefix':
      return (
        <>
          L{stop.level} <Pick to={`table:${stop.table}`}>table {stop.table}</Pick>{' '}
          <span className="dim">{`the ${skippedBy(stop)} says no: no block read`}</span>
        </>
      );
    case 'table':
      return (
        <>
          L{stop.level} <Pick to={`table:${stop.table}`}>table {stop.table}</Pick>{' '}
          {verdictOf(stop.hit, stop.verdict)}{' '}
          <span className="dim">
            {stop.prefixIndex !== 'none' && `${stop.prefixIndex} prefix index, `}
            {blocksOf(stop.blocks)}, {counted(stop.comparisons, 'comparison')}
          </span>
        </>
      );
  }
}
