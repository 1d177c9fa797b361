import type { CSSProperties } from 'react';
import { familyOf } from '../../model/bytes';
import { wordOfFact } from '../../model/commandWords';
import type { Node } from '../../model/engine.generated';
import type { Row } from '../../model/tree';
import { classes, count, hex, joined } from '../../model/words';

type NodeOf = Extract<Row, { type: 'node' }>;

interface Props<Of = Row> {
  row: Of;
  id: string;
  style: CSSProperties;
  /** Whether the row has the keyboard focus. */
  focused: boolean;
  pinned: boolean;
  hovered: boolean;
  /** Whether it, or a part of it, is damaged. */
  hit: boolean;
  /** The sign of the version of the followed key that it holds; `null`: it holds none. */
  followed: string | null;
  onChoose(): void;
  onHover(): void;
  onOpen(path: string, open: boolean): void;
}

/** A part of the file: its name, its value and its offset; or parts that are not fetched yet. */
export function NodeRow(props: Props) {
  const { row, pinned, hovered, focused, hit, followed } = props;
  const part = row.type === 'node' ? row : null;
  const label =
    part && joined([rowLabel(part), hit && 'damaged', followed && 'has the followed key']);
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and names this as its active descendant
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys
    <div
      id={props.id}
      style={props.style}
      className={classes(
        'tree-row in-row',
        !part && 'more',
        pinned && 'pinned',
        hovered && 'hovered',
        focused && 'focused',
        hit && 'bad',
      )}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-posinset={part?.position}
      aria-setsize={part?.siblings}
      aria-selected={pinned}
      aria-expanded={part?.branching ? part.open : undefined}
      aria-label={label ?? undefined}
      data-path={part?.path}
      data-at={part?.decoded ? undefined : part?.node.offset}
      data-key={(part && wordOfFact(part.node.fact)) ?? undefined}
      onClick={props.onChoose}
      onPointerEnter={props.onHover}
    >
      {row.type === 'node' ? (
        <Cells {...props} row={row} />
      ) : (
        <span style={indent(row)}>… {count(row.count)} more: show some</span>
      )}
    </div>
  );
}

function Cells({ row, hit, followed, onOpen }: Props<NodeOf>) {
  const { node, path, branching, open } = row;
  return (
    <>
      <span className="tree-name in-row widens" style={indent(row)}>
        {/* Opens and closes a branch by pointer. */}
        <span
          className={classes('twisty rigid dim', !branching && 'none')}
          aria-hidden="true"
          onClick={(event) => {
            if (!branching) return;
            event.stopPropagation();
            onOpen(path, !open);
          }}
        >
          {branching ? (open ? '▾' : '▸') : ''}
        </span>
        <i className={`swatch rigid ${swatchOf(node, branching)}`} aria-hidden="true" />
        <span className="name">{hit ? `▲ ${node.name}` : node.name}</span>
        {followed && <b aria-hidden="true">{followed}</b>}
        {hit && !node.name.includes('damaged') && <strong>damaged</strong>}
        {node.value !== '' && <code className="clipped dim">{node.value}</code>}
      </span>
      <span className="tree-place rigid mono dim">
        {row.decoded ? '+' : ''}
        {hex(node.offset)}
        <span className="tree-bytes"> · {count(node.bytes)} B</span>
      </span>
    </>
  );
}

/** The indent of a row; deep rows are indented less, so that their names have room. */
function indent({ depth }: Row): CSSProperties {
  return { paddingLeft: 8 + 16 * Math.min(depth, 3) + 8 * Math.max(depth - 3, 0) };
}

function rowLabel({ node, decoded }: NodeOf): string {
  const place = `${count(node.bytes)} bytes at ${decoded ? 'decompressed offset ' : ''}${count(node.offset)}`;
  return joined([joined([node.name, node.value], ': '), place]);
}

function swatchOf(node: Node, branching: boolean): string {
  return branching && node.kind !== 'compressed' ? `part-${node.kind}` : `f-${familyOf(node)}`;
}
