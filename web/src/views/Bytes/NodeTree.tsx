import './NodeTree.css';

import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { isHit } from '../../model/damage';
import type { Damage, Node } from '../../model/engine.generated';
import { signIn } from '../../model/followed';
import type { Row } from '../../model/tree';
import { useFollowed } from '../Follow/following';
import { MoreRow, NodeRow } from './NodeRow';
import { actInTree } from './treeKeys';
import type { FileTree } from './useTree';

interface Props {
  /** The file as a selection. */
  file: string;
  tree: FileTree;
  label: string;
  /** Path of the pinned node, and of the one under the pointer. */
  pinned: string | null;
  hovered: string | null;
  /** Bytes of the file that were flipped. */
  damages: readonly Damage[];
  onPin(path: string): void;
  onHover(path: string | null, node: Node | null, decoded: boolean): void;
}

const ROW_HEIGHT = 28;

/** The parts of a file, as a tree: one tab stop, arrow keys walk, Enter pins. */
export function NodeTree(props: Props) {
  const { file, tree, label, pinned, hovered, damages, onPin, onHover } = props;
  const { rows } = tree;
  const followed = useFollowed();
  const base = useId();
  const host = useRef<HTMLDivElement>(null);
  const { virtual, focus, setFocused, go } = useRows(host, rows, pinned, onHover);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const row = rows[focus];
    const page = Math.max(1, Math.floor((host.current?.clientHeight ?? 0) / ROW_HEIGHT) - 1);
    if (!row || !actInTree(event.key, row, { tree, focus, page, go, onPin })) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      className="node-tree grows"
      ref={host}
      role="tree"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={rows.length > 0 ? `${base}-${focus}` : undefined}
      onKeyDown={onKeyDown}
      onPointerLeave={() => onHover(null, null, false)}
      onBlur={() => onHover(null, null, false)}
    >
      <div role="presentation" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index];
          if (!row) return null;
          const place = {
            id: `${base}-${item.index}`,
            style: { transform: `translateY(${item.start}px)`, height: ROW_HEIGHT },
            focused: item.index === focus,
          };
          if (row.type === 'more') {
            const key = `more ${row.path} ${row.skip}`;
            return <MoreRow key={key} {...place} row={row} onMore={() => tree.more(row)} />;
          }
          const { path, node, decoded } = row;
          return (
            <NodeRow
              key={path}
              {...place}
              row={row}
              pinned={path === pinned}
              hovered={path === hovered}
              hit={tree.damaged.has(path) || (!decoded && isHit(damages, node.offset, node.bytes))}
              followed={signIn(followed, file, path)}
              onPin={() => {
                setFocused(item.index);
                onPin(path);
              }}
              onHover={() => onHover(path, node, decoded)}
              onOpen={(open) => tree.setOpen(path, open)}
            />
          );
        })}
      </div>
    </div>
  );
}

/** The rows that are drawn, and the row with the keyboard focus, which follows the pinned node. */
function useRows(
  host: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  pinned: string | null,
  onHover: Props['onHover'],
) {
  const [focused, setFocused] = useState(0);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => host.current,
    estimateSize: () => ROW_HEIGHT,
    initialRect: { width: 360, height: 600 },
    overscan: 12,
  });
  const at = rows.findIndex((row) => row.type === 'node' && row.path === pinned);
  useEffect(() => {
    if (at < 0) return;
    setFocused(at);
    virtual.scrollToIndex(at, { align: 'auto' });
  }, [at, virtual]);
  const focus = Math.min(focused, Math.max(rows.length - 1, 0));
  const go = (index: number) => {
    const next = Math.min(Math.max(index, 0), rows.length - 1);
    setFocused(next);
    virtual.scrollToIndex(next, { align: 'auto' });
    const row = rows[next];
    if (row?.type === 'node') onHover(row.path, row.node, row.decoded);
  };
  return { virtual, focus, setFocused, go };
}
