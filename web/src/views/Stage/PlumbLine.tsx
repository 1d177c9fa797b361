import './Plumb.css';

import { Rect } from './Rect';
import type { Plumb } from './scene/plumb';
import { Words } from './Words';

/** A lookup: its line, its key, and a mark with a few words at every stop. */
export function PlumbLine({ plumb, unit }: { plumb: Plumb; unit: number }) {
  const { line, parts, head, marks, frames } = plumb;
  const isBand = line.w > 0;
  return (
    <g className="plumb">
      {frames.map((box) => (
        <Rect key={`${box.x} ${box.y}`} className="plumb-block" box={box} r={4} />
      ))}
      <clipPath id="plumb-parts">
        {parts.map(({ y, h }) => (
          <rect key={y} x={line.x - 2} y={y} width={line.w + 4} height={h} />
        ))}
      </clipPath>
      <g clipPath="url(#plumb-parts)">
        <Rect
          className={isBand ? 'plumb-band' : 'plumb-line'}
          data-moving="plumb"
          box={isBand ? line : { ...line, x: line.x - 1, w: 2 }}
        />
      </g>
      {marks.map(({ id, sign, x, y, r, tag }) => (
        <g key={id} className={`sign-${sign}`} data-moving={id}>
          <circle cx={x} cy={y} r={r} />
          <path d={SIGNS[sign]} transform={`translate(${x} ${y}) scale(${r / 10})`} />
          {tag && sign !== 'hidden' && <Words tag={tag} unit={unit} className="tag" />}
        </g>
      ))}
      <Words tag={head} unit={unit} className={`head mono${head.isFound ? ' is-found' : ''}`}>
        <tspan className="strong">{head.text}</tspan>
        {head.answer}
      </Words>
    </g>
  );
}

/** In a circle with a radius of 10. */
const SIGNS: Readonly<Record<Plumb['marks'][number]['sign'], string>> = {
  found: 'M-4.5 .5L-1.5 3.5L4.5 -3.5',
  deleted: 'M-3.5 -3.5L3.5 3.5M3.5 -3.5L-3.5 3.5',
  wrong: 'M-3.5 -3.5L3.5 3.5M3.5 -3.5L-3.5 3.5',
  no: 'M-4.5 0H4.5',
  miss: 'M-4.5 0H4.5',
  outside: '',
  hidden: '',
};
