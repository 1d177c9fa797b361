import { useRef } from 'react';
import { type MergeEvent, mergeScene, reasonText } from '../scene/merge';
import { SavePicture } from './SavePicture';
import { useSize } from './useSize';

interface Props {
  /** The entries judged since the last step, up to the one shown. */
  events: readonly MergeEvent[];
}

const FIRST_SIZE = { width: 350, height: 10 };
const SIZE_MIN = { width: 260, height: 1 };
const BOX_H = 36;

/** Where the inputs of a merge stand, which one comes first, and what became of it. */
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
          <ul className="visually-hidden">
            {last.heads.map((head) => (
              <li key={head.table}>
                table {head.table} stands on {head.key.head}, sequence {head.sequence}, {head.entry}
                {head.first && ', and comes first'}
              </li>
            ))}
            {events.map((event) => (
              <li key={event.detail}>
                {event.key.head}, sequence {event.sequence}: {reasonText(event.verdict)}
              </li>
            ))}
          </ul>
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
