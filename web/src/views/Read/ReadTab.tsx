import './Read.css';

import type { ReactNode } from 'react';
import { wordOfText } from '../../model/commandWords';
import type { ExplainResult } from '../../model/engine.generated';
import type { ReadMoment } from '../../model/readMoment';
import { blocksText, stopWords } from '../../model/readStops';
import { count, counted } from '../../model/words';
import { TextLink } from '../shared/buttons';
import { useTime } from '../shared/contexts';
import { Command, Commands, Pick } from '../shared/Facts';
import { ReadDetails } from './ReadDetails';

interface Props {
  read: ExplainResult | null;
  /** The state that it belongs to. */
  moment: ReadMoment | null;
  /** The stop that the picture shows; `null`: it shows another lookup, or none. */
  at: number | null;
  /** The number of stops that are revealed while results are predicted; `null`: all. */
  revealed?: number | null;
}

/** The path of the last explained lookup, its searches, and its cost. */
export function ReadTab({ read, moment, at, revealed = null }: Props) {
  if (!read) {
    return (
      <>
        <p>No lookup has been explained yet.</p>
        <Commands lines={['explain get apple']} />
      </>
    );
  }
  const { lookup, key, outcome } = read;
  const isCovered = revealed !== null;
  return (
    <div className={moment?.isCurrent === false ? 'read-old' : undefined}>
      <h2>
        {lookup} <code>{wordOfText(key)}</code> {!isCovered && <small>{outcome}</small>}
      </h2>
      {moment && (
        <Moment moment={moment}>
          <Command line={`explain ${lookup} ${wordOfText(key)}`} />
        </Moment>
      )}
      {!isCovered && <Result read={read} />}
      <Stops read={read} at={at} revealed={revealed} />
      {!isCovered && <Commands lines={[`explain ${lookup} ${wordOfText(key)} --detail`]} />}
    </div>
  );
}

/** The value and the cost. */
function Result({ read }: { read: ExplainResult }) {
  const { value, comparisons, blocksRead, blocksCached } = read;
  return (
    <>
      {value !== null && (
        <p>
          <code className="value">{value}</code>
        </p>
      )}
      <p className="dim">
        {counted(comparisons, 'key comparison')}, {blocksText(blocksRead, blocksCached)}; skipped:{' '}
        {counted(read.skippedByRange, 'table')} by key range, {count(read.skippedByFilter)} by
        filter{read.skippedByPrefix > 0 && `, ${count(read.skippedByPrefix)} by prefix index`}.
      </p>
    </>
  );
}

/** All stops, each with its filter bits, comparisons and entries; those of the stop on show are open. */
function Stops(props: { read: ExplainResult; at: number | null; revealed: number | null }) {
  const { readStop } = useTime();
  const { at, revealed } = props;
  const stops = props.read.stops.slice(0, revealed ?? undefined);
  const opened = at === null || at >= stops.length ? stops.length - 1 : at;
  return (
    <ol className="stops">
      {stops.map((stop, index) => {
        const { selection, title, verdict, cost, sign } = stopWords(stop);
        return (
          <li
            key={`${title} ${stop.stop}`}
            className={sign}
            aria-current={index === at ? 'step' : undefined}
          >
            <Pick to={selection}>{title}</Pick>: {verdict}; <span className="dim">{cost}</span>
            {at !== null && index !== at && (
              <>
                {' '}
                <TextLink onClick={() => readStop(index)}>show</TextLink>
              </>
            )}
            {(stop.stop === 'filtered' || stop.stop === 'table') && (
              <details open={index === opened}>
                <summary>Bits and comparisons</summary>
                <ReadDetails stop={stop} />
              </details>
            )}
          </li>
        );
      })}
      {revealed !== null && <li className="dim">The next results are covered: →</li>}
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
    <div className="read-moment note-box" role="note">
      <p>
        {step === null ? when : <TextLink onClick={() => go(step)}>{when}</TextLink>}: an earlier
        answer, {why}.
      </p>
      {children}
    </div>
  );
}
