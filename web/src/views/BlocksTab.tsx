import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState } from 'react';
import { readNode } from '../model/answers';
import { LAYOUT_BYTES_MAX, type Question } from '../model/ask';
import type { Node } from '../model/engine.generated';
import type { Selection } from '../model/selection';
import { count, size } from '../model/words';
import { kindOf, tableStretches } from '../scene/ribbon';
import type { Ask } from './ask';
import { BlockDetail } from './BlockDetail';
import { useAnswer } from './useAnswer';

interface Props {
  selection: Selection | null;
  question: Question | null;
  ask: Ask;
  onSelect(selection: string | null): void;
}

/** The parts of the selected file, one below the other. */
export function BlocksTab({ selection, question, ask, onSelect }: Props) {
  const [wanted, setWanted] = useState('');
  const large = question !== null && question.bytes > LAYOUT_BYTES_MAX;
  const command = question && (!large || wanted === question.key) ? question.command : null;
  const answer = useAnswer(ask, command, question?.key ?? '', readNode);
  if (!question) {
    return (
      <p className="dim">
        {selection
          ? 'There is no finished file behind this.'
          : 'Select a table, a log or a memtable to see the bytes of its file.'}
      </p>
    );
  }
  if (large && wanted !== question.key) {
    return (
      <p>
        The file has {size(question.bytes)}.{' '}
        <button type="button" className="link" onClick={() => setWanted(question.key)}>
          Take it apart
        </button>
      </p>
    );
  }
  if (answer.state === 'failed') return <p className="problem">{answer.message}</p>;
  if (answer.state !== 'ready') return <p className="dim">Reading …</p>;
  return <Parts root={answer.result} selection={selection} onSelect={onSelect} />;
}

interface PartsProps {
  root: Node;
  selection: Selection | null;
  onSelect(selection: string | null): void;
}

function Parts({ root, selection, onSelect }: PartsProps) {
  const [open, setOpen] = useState<number | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const numbers = new Map(tableStretches(root).map((part) => [part.offset, part.block]));
  const rows = useVirtualizer({
    count: root.children.length,
    getScrollElement: () => list.current?.closest<HTMLElement>('.panel') ?? null,
    estimateSize: () => 34,
    initialRect: { width: 360, height: 600 },
    overscan: 20,
  });
  const isOpen = (node: Node) => {
    const block = numbers.get(node.offset) ?? null;
    if (selection?.kind === 'table' && block !== null) return selection.block === block;
    return open === node.offset;
  };
  const toggle = (node: Node) => {
    const block = numbers.get(node.offset) ?? null;
    if (selection?.kind === 'table' && block !== null) {
      const shut = selection.block === block;
      onSelect(shut ? `table:${selection.number}` : `table:${selection.number}/block:${block}`);
    } else {
      setOpen(open === node.offset ? null : node.offset);
    }
  };
  return (
    <>
      <h2>
        <code>{root.name}</code> <small>{count(root.bytes)} B</small>
      </h2>
      <div ref={list} className="blocks" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map((item) => {
          const node = root.children[item.index];
          if (!node) return null;
          return (
            <div
              key={item.key}
              data-index={item.index}
              ref={rows.measureElement}
              className="block-row"
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <button type="button" aria-expanded={isOpen(node)} onClick={() => toggle(node)}>
                <span
                  className={`swatch ${numbers.size > 0 && node.kind !== 'record' ? `part-${kindOf(node)}` : ''} kind-${node.kind}`}
                  aria-hidden="true"
                />
                <span className="block-name">{node.name}</span>
                <span className="dim mono">
                  {count(node.bytes)} B at {count(node.offset)}
                </span>
              </button>
              {isOpen(node) && (
                <div className="block-body">
                  {node.value !== '' && <p className="dim">{node.value}</p>}
                  <BlockDetail node={node} />
                </div>
              )}
            </div>
          );
        })}
      </div>
    </>
  );
}
