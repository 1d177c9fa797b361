import './Merge.css';

import { useRef } from 'react';
import { wordOfKey } from '../../model/commandWords';
import type { MergeHead } from '../../model/engine.generated';
import { keyText } from '../../model/keys';
import { count } from '../../model/words';
import { SavePicture } from '../shared/SavePicture';
import { useSize } from '../shared/useSize';
import { isKept, type MergeEvent, mergeScene, reasonText } from './scene';

interface Props {
  /** The entries judged since the last step, up to the one shown. */
  events: readonly MergeEvent[];
}

const FIRST_SIZE = { width: 350, height: 10 };
const SIZE_MIN = { width: 260, height: 1 };
const BOX_H = 36;
/** Entries that the table lists. */
const JUDGED_MAX = 50;

/** The positions of a merge's inputs, the first one, and the verdict on its entry. */
export function MergePicture({ events }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const picture = useRef<SVGSVGElement>(null);
  const { width } = useSize(host, FIRST_SIZE, SIZE_MIN);
  const scene = mergeScene(events, width);
  const last = events[events.length - 1];
  return (
    <div className="merge" ref={host}>
      <h3>Merge</h3>
      {scene && last ? (
        <>
          <p>{last.sentence}</p>
          <svg ref={picture} width={width} height={scene.height} aria-hidden="true">
            <text className="heading" x={0} y={15}>
              inputs
            </text>
            <text className="heading" x={scene.outX} y={15}>
              judged, newest first
            </text>
            {scene.lanes.map((lane) => (
              <g key={lane.table} className={lane.first ? 'lane first' : 'lane'}>
                <rect x={1} y={lane.y} width={scene.outX - 40} height={BOX_H} rx={5} />
                <text x={9} y={lane.y + 15}>
                  <tspan className="key">{lane.key}</tspan>
                  {lane.tombstone && ' ×'}
                </text>
                <text className="dim" x={9} y={lane.y + 31}>
                  table {lane.table} · {lane.sequence}
                </text>
              </g>
            ))}
            {scene.arrow !== '' && <path className="arrow" d={scene.arrow} />}
            {scene.judged.map((entry) => (
              <g
                key={entry.detail}
                className={`${entry.kept ? 'kept' : 'dropped'}${entry.now ? ' now' : ''}`}
              >
                <rect
                  x={scene.outX}
                  y={entry.y}
                  width={width - scene.outX - 2}
                  height={BOX_H}
                  rx={5}
                />
                <text x={scene.outX + 8} y={entry.y + 15}>
                  {entry.kept ? '✓ ' : '✗ '}
                  <tspan className="key">{entry.key}</tspan>
                  {entry.tombstone && ' ×'}
                </text>
                <text className="dim" x={scene.outX + 8} y={entry.y + 31}>
                  {entry.sequence} · {entry.reason}
                </text>
              </g>
            ))}
          </svg>
          <div className="chart-tools">
            <SavePicture picture={picture} name="levelscope-merge" />
          </div>
          <Inputs heads={last.heads} />
          <Judged events={events} />
        </>
      ) : (
        <p className="dim">
          With the grain detail, each step is one entry: it shows where the inputs stand and what
          becomes of the first.
        </p>
      )}
    </div>
  );
}

/** The position of each input. */
function Inputs({ heads }: { heads: readonly MergeHead[] }) {
  return (
    <table className="chart-table">
      <caption>Inputs; the one that comes first is judged</caption>
      <thead>
        <tr>
          <th scope="col">input</th>
          <th scope="col">stands on</th>
          <th scope="col">sequence</th>
        </tr>
      </thead>
      <tbody>
        {heads.map((head) => (
          <tr key={head.table} className={head.first ? 'on-path' : ''}>
            <th scope="row" data-object={`table:${head.table}`}>
              table {head.table}
              {head.first && (
                <>
                  {' '}
                  <span aria-hidden="true">✓</span>
                  <span className="visually-hidden">comes first</span>
                </>
              )}
            </th>
            <td data-key={wordOfKey(head.key) ?? undefined}>
              <code>{keyText(head.key)}</code>
              {head.entry === 'delete' && ' ×'}
            </td>
            <td>{count(head.sequence)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The verdicts on the entries, newest first. */
function Judged({ events }: { events: readonly MergeEvent[] }) {
  const shown = events.slice(-JUDGED_MAX).toReversed();
  const hidden = events.length - shown.length;
  return (
    <table className="chart-table">
      <caption>
        What became of the entries since the last step, newest first
        {hidden > 0 && `; ${count(hidden)} earlier ones are not listed`}
      </caption>
      <thead>
        <tr>
          <th scope="col">key</th>
          <th scope="col">sequence</th>
          <th scope="col">becomes</th>
        </tr>
      </thead>
      <tbody>
        {shown.map((event) => (
          <tr key={event.detail}>
            <th scope="row" data-key={wordOfKey(event.key) ?? undefined}>
              <code>{keyText(event.key)}</code>
              {event.entry === 'delete' && ' ×'}
            </th>
            <td>{count(event.sequence)}</td>
            <td>
              {isKept(event.verdict) ? '✓ kept: ' : '✗ dropped: '}
              {reasonText(event.verdict)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
