import './Signs.css';

import { MarkSign } from '../shared/MarkSign';
import { SIGN_KINDS, signWords } from '../Timeline/scene/signs';
import type { StepLine } from './scene/answers';
import { changes } from './scene/history';

/** The meanings of the picture's signs. All are shown at every step, so that nothing moves. */
export function PictureSigns({ hasBlobs }: { hasBlobs: boolean }) {
  return (
    <ul className="lens-signs wraps bare rigid dim" aria-label="Signs of the picture">
      {PICTURE.map(([sign, words]) => (
        <li key={sign} className="in-row">
          <i className={`sign-${sign}`} aria-hidden="true" /> {words}
        </li>
      ))}
      {hasBlobs && (
        <li className="in-row">
          <i className="sign-garbage" aria-hidden="true" /> garbage
        </li>
      )}
    </ul>
  );
}

const PICTURE = [
  ['new', 'new'],
  ['gone', 'left in this step'],
  ['tombstones', '× tombstones'],
  ['overlap', 'may overlap'],
  ['deleted', 'deleted since'],
  ['target', 'part of the target'],
  ['alert', 'damaged or missing'],
] as const;

interface HistoryProps {
  steps: readonly StepLine[];
  family: number;
}

/** The meanings of the history's signs: those of the kinds of steps that it has. */
export function HistorySigns({ steps, family }: HistoryProps) {
  const kinds = new Set<string>(
    steps.filter((step) => changes(step, family)).map(({ kind }) => kind),
  );
  const known = SIGN_KINDS.filter((kind) => kinds.has(kind)).reverse();
  return (
    <ul className="lens-signs wraps bare rigid dim" aria-label="Signs of the history">
      {known.map((kind) => (
        <li key={kind} className="in-row">
          <svg width={11} height={11} viewBox="-5.5 -5.5 11 11" aria-hidden="true">
            <MarkSign kind={kind} xs={[0]} y={0} />
          </svg>{' '}
          {signWords(kind)}
        </li>
      ))}
      <li className="in-row">
        <i className="sign-written" aria-hidden="true" /> bytes written
      </li>
    </ul>
  );
}
