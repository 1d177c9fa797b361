import './Signs.css';

import type { ReactNode } from 'react';
import { GaugeView } from '../Stage/LevelRows';
import { Rect } from '../Stage/Rect';
import { MarkSign } from '../shared/MarkSign';
import { SIGN_KINDS, signWords } from '../Timeline/scene/signs';
import type { StepLine } from './scene/answers';
import { changes } from './scene/history';

/** The meanings of the picture's signs. All are shown at every step, so that nothing moves. */
export function PictureSigns({ hasBlobs }: { hasBlobs: boolean }) {
  const shown = hasBlobs ? PICTURE : PICTURE.slice(0, -1);
  return (
    <ul className="lens-signs wraps bare rigid dim fine" aria-label="Signs of the picture">
      {shown.map(([words, sign]) => (
        <li key={words} className="in-row">
          <svg
            className="stage lens-stage level-1"
            width={26}
            height={14}
            viewBox="-2 -2 26 14"
            aria-hidden="true"
          >
            {sign}
          </svg>{' '}
          {words}
        </li>
      ))}
    </ul>
  );
}

const BOX = { x: 0, y: 0, w: 22, h: 10 };

function SmallTable({ className, children }: { className: string; children?: ReactNode }) {
  return (
    <g className={className}>
      <Rect className="paper" box={BOX} r={3} />
      {children}
      <Rect className="edge" box={BOX} r={3} />
    </g>
  );
}

/** Drawn as in the picture. */
const PICTURE: readonly (readonly [string, ReactNode])[] = [
  ['new', <SmallTable key="new" className="table is-new" />],
  ['left in this step', <Rect key="gone" className="gone-box" box={BOX} r={3} />],
  [
    '× tombstones',
    <SmallTable key="tombstones" className="table">
      <Rect className="tombstones" box={{ ...BOX, y: 6, w: 12, h: 3 }} />
    </SmallTable>,
  ],
  ['may overlap', <SmallTable key="overlap" className="table level-0 may-overlap" />],
  ['deleted since', <SmallTable key="deleted" className="table is-deleted" />],
  [
    'part of the target',
    <GaugeView key="gauge" gauge={{ box: { ...BOX, y: 3, h: 4 }, share: 0.6 }} />,
  ],
  [
    'damaged or missing',
    <g key="damage" className="damage">
      <Rect className="damage-edge" box={BOX} r={3} />
      <text x={11} y={8.5} textAnchor="middle" fontSize={10}>
        ▲
      </text>
    </g>,
  ],
  [
    'garbage',
    <SmallTable key="garbage" className="lens-blob">
      <Rect className="lens-garbage" box={BOX} r={3} />
    </SmallTable>,
  ],
];

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
    <ul className="lens-signs wraps bare rigid dim fine" aria-label="Signs of the history">
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
