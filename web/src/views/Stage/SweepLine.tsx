import type { Sweep } from './scene/sweep';
import { Words } from './Words';

/** A merge: its line, the entry that each input stands on, the last verdict, and the number of each kind of them. */
export function SweepLine({ sweep: { line, tally }, unit }: { sweep: Sweep; unit: number }) {
  return (
    <g className="sweep">
      {line && <Line line={line} unit={unit} />}
      <Words tag={tally} unit={unit} className="tag" />
    </g>
  );
}

function Line({ line, unit }: { line: NonNullable<Sweep['line']>; unit: number }) {
  const { x, y, h, head, fronts, tag, verdict } = line;
  return (
    <>
      <g data-moving="sweep">
        <rect className="sweep-line" x={x - 1} y={y} width={2} height={h} />
        <Words tag={head} unit={unit} className="head mono" />
      </g>
      {fronts.map((front) => (
        <path
          key={front.table}
          className={front.isFirst ? 'front is-first' : 'front'}
          data-moving={`front-${front.table}`}
          d={`M${front.x - 6} ${front.y - 9}h12l-6 9z`}
        />
      ))}
      {tag && verdict !== 'hidden' && (
        <Words tag={tag} unit={unit} className={`tag verdict-${verdict}`} />
      )}
    </>
  );
}
