import './Parts.css';

import { useId, useRef } from 'react';
import { isHit } from '../../model/damage';
import type { Damage } from '../../model/engine.generated';
import { signIn } from '../../model/followed';
import { useFollowed } from '../Follow/following';
import { NodeRow } from './NodeRow';
import { ROW_HEIGHT, useWalk, type Walk } from './useWalk';

interface Props extends Walk {
  /** Path of the node under the pointer. */
  hovered?: string | null;
  /** Bytes of the file that were flipped. */
  damages: readonly Damage[];
}

/** The parts of a file, as a tree: one tab stop, arrow keys walk, Enter pins. */
export function NodeTree(props: Props) {
  const { file, tree, hovered, damages, onHover } = props;
  const { rows, damaged } = tree;
  const followed = useFollowed();
  const base = useId();
  const host = useRef<HTMLDivElement>(null);
  const { scroll, focus, at, hover, onChoose, onKeyDown } = useWalk(host, props);
  const leave = () => onHover?.(null);
  return (
    <div
      className="node-tree grows"
      ref={host}
      role="tree"
      tabIndex={0}
      aria-label="Parts of the file"
      aria-activedescendant={rows.length > 0 ? `${base}-${focus}` : undefined}
      onScroll={scroll.onScroll}
      onKeyDown={onKeyDown}
      onPointerLeave={leave}
      onBlur={leave}
    >
      <div role="presentation" style={{ height: scroll.height }}>
        {rows.slice(scroll.first, scroll.end).map((row, place) => {
          const index = scroll.first + place;
          const y = index * ROW_HEIGHT + scroll.shift;
          const part = row.type === 'node' ? row : null;
          const isFlipped =
            part?.decoded === false && isHit(damages, part.node.offset, part.node.bytes);
          return (
            <NodeRow
              key={row.type === 'node' ? row.path : `more ${row.path} ${row.skip}`}
              row={row}
              id={`${base}-${index}`}
              style={{ transform: `translateY(${y}px)`, height: ROW_HEIGHT }}
              focused={index === focus}
              pinned={index === at}
              hovered={part !== null && part.path === hovered}
              hit={isFlipped || (part !== null && damaged.has(part.path))}
              followed={part && signIn(followed, file, part.path)}
              onChoose={() => onChoose(index)}
              onHover={() => hover(index)}
              onOpen={tree.setOpen}
            />
          );
        })}
      </div>
    </div>
  );
}
