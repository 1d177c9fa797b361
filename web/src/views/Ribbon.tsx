import { count } from '../model/words';
import { joined, type Stretch } from '../scene/ribbon';

interface Props {
  stretches: readonly Stretch[];
  /** Length of the whole file [bytes]. */
  total: number;
  level: number;
  selected: number | null;
  onBlock?(block: number): void;
}

/** A whole file to scale, part by part. */
export function Ribbon({ stretches, total, level, selected, onBlock }: Props) {
  const parts = joined(stretches);
  return (
    <div className={`ribbon-box level-${Math.min(level, 3)}`}>
      <div className="ribbon">
        {parts.map((part) => {
          const { block } = part;
          const style = { width: `${(100 * part.bytes) / Math.max(total, 1)}%` };
          const title = `${part.name}: ${count(part.bytes)} bytes at ${count(part.offset)}`;
          const classes = `part part-${part.kind}${block !== null && block === selected ? ' on' : ''}`;
          return block !== null && onBlock ? (
            <button
              type="button"
              key={part.offset}
              className={classes}
              style={style}
              title={title}
              aria-label={title}
              aria-pressed={block === selected}
              onClick={() => onBlock(block)}
            />
          ) : (
            <i key={part.offset} className={classes} style={style} title={title} />
          );
        })}
      </div>
      <div className="ribbon-legend" aria-hidden="true">
        <span>0</span>
        <span>
          <i className="key part-data" /> data <i className="key part-filter" /> filter{' '}
          <i className="key part-meta" /> index, footer
        </span>
        <span>{count(Math.round(total))}</span>
      </div>
    </div>
  );
}
