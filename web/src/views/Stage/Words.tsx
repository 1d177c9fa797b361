import './Words.css';

import type { ReactNode } from 'react';
import { Rect } from './Rect';
import type { Tag } from './scene/tags';

interface Props {
  tag: Tag;
  unit: number;
  /** `tag`: a remark. `head`: the key of a line. */
  className: string;
  /** In place of its text. */
  children?: ReactNode;
}

/** A few words of the picture on paper of their own. */
export function Words({ tag: { box, text }, unit, className, children }: Props) {
  const { x, y, w, h } = box;
  return (
    <g className={`words ${className}`}>
      <Rect box={box} r={6} />
      <text x={x + w / 2} y={y + h / 2 + unit * 0.36} textAnchor="middle">
        {children ?? text}
      </text>
    </g>
  );
}
