import './Read.css';

import { type ReactNode, useMemo, useRef, useState } from 'react';
import { wordOfText } from '../../model/commandWords';
import type { ExplainResult } from '../../model/engine.generated';
import type { ReadMoment } from '../../model/readMoment';
import { count, counted } from '../../model/words';
import { Quiet, TextLink } from '../shared/buttons';
import { useTime } from '../shared/contexts';
import { Command, Commands, Pick } from '../shared/Facts';
import { SavePicture } from '../shared/SavePicture';
import { useSize } from '../shared/useSize';
import { ReadDetails } from './ReadDetails';
import { ReadPicture } from './ReadPicture';
import { blocksText, readPathScene } from './scene';

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
            <ol className="stops">
              {scene.stops.map(({ order, selection, title, verdict, cost, outcome }, at) => (
                <li key={order} className={outcome}>
                  <Pick to={selection}>{title}</Pick>: {verdict};{' '}
                  <span className="dim">{cost}</span>
                  <ReadDetails stop={read.stops[at]} />
                </li>
              ))}
            </ol>
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
