import './NodeTree.css';

import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { Damage } from '../../engine/protocol';
import { familyOf } from '../../model/bytes';
import { wordOfFact } from '../../model/commandWords';
import { isHit } from '../../model/damage';
import type { Node } from '../../model/engine.generated';
import type { Row } from '../../model/tree';
import { count, hex } from '../../model/words';
import { type FileTree, parentRow } from './useTree';

interface Props {
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
export function NodeTree({ tree, label, pinned, hovered, damages, onPin, onHover }: Props) {
  const { rows } = tree;
  const base = useId();
  const host = useRef<HTMLDivElement>(null);
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
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const row = rows[focus];
    if (!row || !act(event.key, row)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const act = (key: string, row: Row): boolean => {
    const page = Math.max(1, Math.floor((host.current?.clientHeight ?? 0) / ROW_HEIGHT) - 1);
    switch (key) {
      case 'ArrowDown':
        go(focus + 1);
        return true;
      case 'ArrowUp':
        go(focus - 1);
        return true;
      case 'PageDown':
        go(focus + page);
        return true;
      case 'PageUp':
        go(focus - page);
        return true;
      case 'Home':
        go(0);
        return true;
      case 'End':
        go(rows.length - 1);
        return true;
      case 'ArrowRight':
        if (row.type === 'more') tree.more(row);
        else if (row.branching && !row.open) tree.setOpen(row.path, true);
        else if (row.open) go(focus + 1);
        return true;
      case 'ArrowLeft':
        if (row.type === 'node' && row.open) tree.setOpen(row.path, false);
        else {
          const parent = parentRow(rows, row.type === 'node' ? row.path : `${row.path}/x`);
          if (parent >= 0) go(parent);
        }
        return true;
      case 'Enter':
      case ' ':
        if (row.type === 'more') tree.more(row);
        else onPin(row.path);
        return true;
      default:
        return false;
    }
  };
  return (
    <div
      className="node-tree"
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
          const style = { transform: `translateY(${item.start}px)`, height: ROW_HEIGHT };
          const common = { id: `${base}-${item.index}`, style };
          const state = item.index === focus ? ' focused' : '';
          const indent = { paddingLeft: 8 + 16 * row.depth };
          if (row.type === 'more') {
            return (
              // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and names this as its active descendant
              // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys
              <div
                key={`more ${row.path} ${row.skip}`}
                {...common}
                className={`tree-row more${state}`}
                role="treeitem"
                aria-level={row.depth + 1}
                aria-selected={false}
                onClick={() => tree.more(row)}
              >
                <span style={indent}>… {count(row.count)} more: show some</span>
              </div>
            );
          }
          const { node } = row;
          const hit = !row.decoded && isHit(damages, node.offset, node.bytes);
          return (
            // biome-ignore lint/a11y/useFocusableInteractive: as above
            // biome-ignore lint/a11y/useKeyWithClickEvents: as above
            <div
              key={row.path}
              {...common}
              className={`tree-row${row.path === pinned ? ' pinned' : ''}${row.path === hovered ? ' hovered' : ''}${state}${hit || node.kind === 'damaged' ? ' bad' : ''}`}
              role="treeitem"
              aria-level={row.depth + 1}
              aria-posinset={row.position}
              aria-setsize={row.siblings}
              aria-selected={row.path === pinned}
              {...(row.branching ? { 'aria-expanded': row.open } : {})}
              aria-label={`${rowLabel(row)}${hit ? ', damaged' : ''}`}
              data-path={row.path}
              data-at={row.decoded ? undefined : node.offset}
              data-key={wordOfFact(node.fact) ?? undefined}
              onClick={() => {
                setFocused(item.index);
                onPin(row.path);
              }}
              onPointerEnter={() => onHover(row.path, node, row.decoded)}
            >
              <span className="tree-name" style={indent}>
                <span
                  className={`twisty${row.branching ? '' : ' none'}`}
                  aria-hidden="true"
                  onClick={(event) => {
                    if (!row.branching) return;
                    event.stopPropagation();
                    tree.setOpen(row.path, !row.open);
                  }}
                >
                  {row.branching ? (row.open ? '▾' : '▸') : ''}
                </span>
                <i className={`swatch ${swatchOf(node, row.branching)}`} aria-hidden="true" />
                <span className="name">{hit ? `▲ ${node.name}` : node.name}</span>
                {node.value !== '' && <code>{node.value}</code>}
              </span>
              <span className="tree-place mono">
                {row.decoded ? '+' : ''}
                {hex(node.offset)} · {count(node.bytes)} B
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}

function rowLabel({ node, decoded }: Extract<Row, { type: 'node' }>): string {
  const place = `${count(node.bytes)} bytes at ${decoded ? 'decompressed offset ' : ''}${count(node.offset)}`;
  return `${node.name}${node.value === '' ? '' : `: ${node.value}`}, ${place}`;
}

function swatchOf(node: Node, branching: boolean): string {
  return branching && node.kind !== 'compressed' ? `part-${node.kind}` : `f-${familyOf(node)}`;
}
