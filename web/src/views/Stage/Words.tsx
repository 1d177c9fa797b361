import './Words.css';

import type { ReactNode } from 'react';
import { Rect } from './Rect';
import type { Tag } from './scene/tags';

interface Props {
  tag: Pick<Tag, 'box'>;
  unit: number;
  /** `tag`: a remark. `head`: the key of a line. */
  className: string;
  children: ReactNode;
}

/** A few words of the picture on paper of their own. */
export function Words({ tag: { box }, unit, className, children }: Props) {
  const { x, y, w, h } = box;
  return (
    <g className={`words ${className}`}>
      <Rect box={box} r={6} />
      <text x={x + w / 2} y={y + h / 2 + unit * 0.36} textAnchor="middle">
        {children}
      </text>
    </g>
  );
}
