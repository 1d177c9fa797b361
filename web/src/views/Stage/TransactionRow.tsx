import type { Rows } from './scene/geometry';
import type { TransactionScene } from './scene/transactions';

interface Props {
  scene: TransactionScene;
  rows: Rows;
}

/** Open transactions: the sequence number that each one reads at, and the number of its private writes. */
export function TransactionRow({ scene, rows }: Props) {
  const row = rows.transactions;
  if (!row || scene.shapes.length === 0) return null;
  const baseline = row.y + row.h / 2 + 5;
  return (
    <>
      <text className="row-label" x={16} y={baseline}>
        Transactions
      </text>
      {scene.shapes.map(({ id, box, title, detail, label, transaction }) => (
        <g key={id} className={transaction.writes > 0 ? 'transaction has-writes' : 'transaction'}>
          <title>{label}</title>
          <rect
            className="transaction-body"
            x={box.x}
            y={box.y}
            width={box.w}
            height={box.h}
            rx={box.h / 2}
          />
          <text className="strong" x={box.x + 12} y={baseline}>
            {title}
            <tspan className="t13 detail" dx={8}>
              {detail}
            </tspan>
          </text>
        </g>
      ))}
      {scene.hidden > 0 && (
        <text className="dim t13" x={scene.hiddenX} y={baseline}>
          {scene.hidden} more …
        </text>
      )}
    </>
  );
}
