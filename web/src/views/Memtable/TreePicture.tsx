import './Memtable.css';

import { type FormEvent, type RefObject, useMemo, useRef, useState } from 'react';
import { wordOfKey } from '../../model/commandWords';
import type { MemtableTree } from '../../model/engine.generated';
import { idOfBytes, keyId, keyText } from '../../model/keys';
import { count, counted } from '../../model/words';
import { Secondary } from '../shared/buttons';
import { DataTable } from '../shared/DataTable';

import { SavePicture } from '../shared/SavePicture';
import { useAnswer } from '../shared/useAnswer';
import { useSize } from '../shared/useSize';
import { NODE_H, type TreeScene, treeScene, wayText } from './scene';

const FIRST_SIZE = { width: 340, height: 10 };
const SIZE_MIN = { width: 200, height: 1 };

/** The tree of a memtable, and the path to a key in it. */
export function TreePicture({ memtable }: { memtable: number }) {
  const host = useRef<HTMLDivElement>(null);
  const picture = useRef<SVGSVGElement>(null);
  const { width } = useSize(host, FIRST_SIZE, SIZE_MIN);
  const [key, setKey] = useState('');
  const wanted = useMemo(() => new TextEncoder().encode(key), [key]);
  const answer = useAnswer({ ask: 'memtable', memtable, key: key === '' ? null : [...wanted] });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setKey(String(new FormData(event.currentTarget).get('key') ?? ''));
  };
  const tree = answer.state === 'ready' ? answer.result : null;
  const scene = tree && treeScene(tree, width);
  return (
    <div className="tree-picture" ref={host}>
      <h3>
        Tree{' '}
        {tree && (
          <small>
            {counted(tree.entries, 'entry')} in {counted(tree.leaves, 'leaf node')},{' '}
            {counted(tree.inners, 'inner node')}
          </small>
        )}
      </h3>
      <form className="tree-form in-row" onSubmit={submit}>
        <label>
          Way to key <input name="key" defaultValue="" autoComplete="off" spellCheck={false} />
        </label>
        <Secondary type="submit">Show</Secondary>
      </form>
      {answer.state === 'failed' && <p className="problem">{answer.message}</p>}
      {tree && scene && (
        <>
          {key !== '' && <p>{wayText(tree)}</p>}
          <Drawing scene={scene} width={width} picture={picture} />
          <div className="chart-tools">
            <SavePicture picture={picture} name={`levelscope-mem-${memtable}`} />
          </div>
          <Entries tree={tree} wanted={idOfBytes(wanted)} />
        </>
      )}
    </div>
  );
}

interface DrawingProps {
  scene: TreeScene;
  width: number;
  picture: RefObject<SVGSVGElement | null>;
}

/** Nodes from the root down, the way to the key among them. */
function Drawing({ scene, width, picture }: DrawingProps) {
  return (
    <svg ref={picture} width={width} height={scene.height} aria-hidden="true">
      {scene.edges.map((path) => (
        <path key={path} className="edge" d={path} />
      ))}
      {scene.nodes.map((node) => (
        <g key={`${node.x} ${node.y}`} className={node.onPath ? 'node on-path' : 'node'}>
          <rect x={node.x} y={node.y} width={node.width} height={NODE_H} rx={5} />
          <rect
            className="fill"
            x={node.x + 2}
            y={node.y + NODE_H - 5}
            width={(node.width - 4) * node.fill}
            height={3}
          />
          <text x={node.x + 6} y={node.y + 15}>
            {node.title}
          </text>
          <text className="key" x={node.x + 6} y={node.y + 32}>
            {node.first}
          </text>
        </g>
      ))}
      {scene.notes.map((note) => (
        <text key={note.y} className="dim" x={width - 2} y={note.y} textAnchor="end">
          {note.text}
        </text>
      ))}
    </svg>
  );
}

/** `wanted`: the key on the way, as [`keyId`] has it. */
function Entries({ tree, wanted }: { tree: MemtableTree; wanted: string }) {
  return (
    <DataTable
      caption={`Entries of the leaf on the way, newest version of a key first${
        tree.common.bytes > 0 ? `; all keys begin with ${keyText(tree.common, 20)}` : ''
      }`}
      rows={tree.window}
      rowProps={({ key }) => ({ className: keyId(key) === wanted ? 'on-path' : '' })}
      columns={[
        [
          'key',
          ({ key }) => <code data-key={wordOfKey(key) ?? undefined}>{keyText(key)}</code>,
          'head',
        ],
        ['sequence', ({ sequence }) => count(sequence)],
        ['value', (of) => (of.entry === 'delete' ? 'tombstone' : `${count(of.valueBytes)} B`)],
      ]}
    />
  );
}
