import { Rect } from './Rect';
import type { Rows } from './scene/geometry';
import type { TransactionScene } from './scene/transactions';

interface Props {
  scene: TransactionScene;
  rows: Rows;
}

/** Open transactions: the sequence number that each one reads at, and the number of its private writes. */
export function TransactionRow({ scene, rows }: Props) {
  const { unit } = rows;
  return (
    <>
      {scene.shapes.map(({ id, box, title, detail, label, transaction }) => (
        <g key={id} className={transaction.writes > 0 ? 'transaction has-writes' : 'transaction'}>
          <title>{label}</title>
          <Rect className="transaction-body" box={box} r={Math.min(box.h / 2, unit)} />
          <text className="strong" x={box.x + unit * 0.75} y={box.y + box.h / 2 + unit * 0.36}>
            {title}
            <tspan className="detail" dx={unit * 0.4}>
              {detail}
            </tspan>
          </text>
        </g>
      ))}
      {scene.more && (
        <text className="dim" x={scene.more.x} y={scene.more.y}>
          {scene.more.text}
        </text>
      )}
    </>
  );
}
