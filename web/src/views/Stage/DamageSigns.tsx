import { Rect } from './Rect';
import type { DamageMark } from './scene/damage';

interface Props {
  damaged: readonly DamageMark[];
  unit: number;
}

/** Drawn above all objects: neighbours must not cover the words. */
export function DamageSigns({ damaged, unit }: Props) {
  return damaged.map(({ id, box, sign }) => (
    <g className="damage" key={id}>
      <Rect className="damage-edge" box={box} r={6} />
      <Rect className="damage-sign" box={sign.box} r={4} />
      <text
        x={sign.box.x + sign.box.w / 2}
        y={sign.box.y + sign.box.h / 2 + unit * 0.36}
        textAnchor="middle"
      >
        {sign.text}
      </text>
    </g>
  ));
}
