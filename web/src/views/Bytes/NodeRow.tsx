import type { CSSProperties } from 'react';
import { familyOf } from '../../model/bytes';
import { wordOfFact } from '../../model/commandWords';
import type { Node } from '../../model/engine.generated';
import type { Row } from '../../model/tree';
import { classes, count, hex, joined } from '../../model/words';

type NodeOf = Extract<Row, { type: 'node' }>;
type MoreOf = Extract<Row, { type: 'more' }>;

interface Place<Of> {
  row: Of;
  id: string;
  style: CSSProperties;
  /** Whether the row has the keyboard focus. */
  focused: boolean;
  onChoose(): void;
}

/** Parts that are not fetched yet. */
export function MoreRow({ row, id, style, focused, onChoose }: Place<MoreOf>) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and names this as its active descendant
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys
    <div
      id={id}
      style={style}
      className={classes('tree-row in-row more', focused && 'focused')}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-selected={false}
      onClick={onChoose}
    >
      <span style={indent(row)}>… {count(row.count)} more: show some</span>
    </div>
  );
}

interface NodeProps extends Place<NodeOf> {
  pinned: boolean;
  hovered: boolean;
  /** Whether it, or a part of it, is damaged. */
  hit: boolean;
  /** The sign of the version of the followed key that it holds; `null`: it holds none. */
  followed: string | null;
  onHover(): void;
  onOpen(path: string, open: boolean): void;
}

/** A part of the file: its name, its value and its offset. */
export function NodeRow(props: NodeProps) {
  const { row, pinned, hit, followed } = props;
  const { node } = row;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: as above
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above
    <div
      id={props.id}
      style={props.style}
      className={classes(
        'tree-row in-row',
        pinned && 'pinned',
        props.hovered && 'hovered',
        props.focused && 'focused',
        hit && 'bad',
      )}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-selected={pinned}
      aria-expanded={row.branching ? row.open : undefined}
      aria-label={joined([rowLabel(row), hit && 'damaged', followed && 'has the followed key'])}
      data-path={row.path}
      data-at={row.decoded ? undefined : node.offset}
      data-key={wordOfFact(node.fact) ?? undefined}
      onClick={props.onChoose}
      onPointerEnter={props.onHover}
    >
      <span className="tree-name in-row widens" style={indent(row)}>
        <Twisty row={row} onOpen={props.onOpen} />
        <i className={`swatch rigid ${swatchOf(node, row.branching)}`} aria-hidden="true" />
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
    </div>
  );
}

/** Opens and closes a branch by pointer. */
function Twisty({ row: { path, branching, open }, onOpen }: Pick<NodeProps, 'row' | 'onOpen'>) {
  return (
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
  );
}

/** The indent of a row; deep rows are indented less, so that their names have room. */
function indent({ depth }: Row): CSSProperties {
  return { paddingLeft: 8 + 16 * Math.min(depth, 3) + 8 * Math.max(depth - 3, 0) };
}

function rowLabel({ node, decoded }: NodeOf): string {
  const place = `${count(node.bytes)} bytes at ${decoded ? 'decompressed offset ' : ''}${count(node.offset)}`;
  return `${node.name}${node.value === '' ? '' : `: ${node.value}`}, ${place}`;
}

function swatchOf(node: Node, branching: boolean): string {
  return branching && node.kind !== 'compressed' ? `part-${node.kind}` : `f-${familyOf(node)}`;
}
