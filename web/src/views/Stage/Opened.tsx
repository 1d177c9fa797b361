import './Opened.css';

import { classes } from '../../model/words';
import { hued } from './Beads';
import { Marked, type Marks } from './Marked';
import { Rect } from './Rect';
import type { Cell, Word } from './scene/cells';
import type { Opened } from './scene/opened';
import { INSIDE, STRIP } from './scene/zoom';

/** What is opened, joined to its strip in the tree. */
export function OpenedView({ opened, marks }: { opened: Opened; marks: Marks }) {
  const { box, strip, wedge, nodes, blocks, parts, words, path, unit } = opened;
  // Opened entries lie on top while they move.
  const inside = blocks.filter(({ isOpen }) => isOpen);
  const inOrder = [...blocks.filter(({ isOpen }) => !isOpen), ...inside];
  return (
    <g className="opened">
      <path className="wedge" data-moving="wedge" d={wedge} />
      {strip && (
        <Rect
          className={classes('opened-strip', opened.isKeyed && 'is-keyed')}
          data-moving={STRIP}
          box={strip}
          r={Math.min(4, strip.h / 3)}
        />
      )}
      <Rect className="opened-paper" data-moving={INSIDE} box={box} r={12} />
      <g className="nodes" data-moving="nodes">
        {nodes.map(({ id, box: own, edges }) => (
          <g key={id}>
            <path d={edges} />
            <Rect className="column" box={own} r={6} />
          </g>
        ))}
      </g>
      {[...blocks, ...parts].map((column) => (
        <Marked key={column.id} {...column} marks={marks} className={classOf(column)}>
          <Rect className="column" box={column.box} r={6} />
          {'dots' in column && column.dots && <Bits dots={column.dots} />}
        </Marked>
      ))}
      <g className="cells">
        {inOrder.flatMap(({ cells }) =>
          cells.map((cell) => <CellView key={cell.id} cell={cell} />),
        )}
      </g>
      {inside.flatMap(({ cells }) =>
        cells.map((cell) => <Entry key={cell.id} cell={cell} marks={marks} />),
      )}
      <g className="opened-words" data-moving="words" key={path} style={{ fontSize: unit }}>
        {words.map((word) => (
          <WordView key={`${word.x} ${word.y}`} word={word} />
        ))}
      </g>
    </g>
  );
}

type Column = Opened['blocks'][number] | Opened['parts'][number];

function classOf(column: Column): string {
  if ('dots' in column) return 'part';
  const { isOpen, isStrip, isLoose } = column;
  return classes('block', isOpen && 'is-open', isStrip && 'is-strip', isLoose && 'is-loose');
}

/** The bits of a filter: those that are set are darker. */
function Bits({ dots }: { dots: NonNullable<Opened['parts'][number]['dots']> }) {
  return (
    <>
      <path className="bit" d={dots.unset} />
      <path className="bit is-set" d={dots.set} />
    </>
  );
}

/** Where an entry of the opened block can be selected: once its place in the file is known. */
function Entry({ cell, marks }: { cell: Cell; marks: Marks }) {
  const { path, box } = cell;
  if (path === null) return null;
  return (
    <Marked {...cell} id={path} marks={marks} className="entry">
      <Rect className="hit" box={box} r={4} />
    </Marked>
  );
}

/** An entry in the colour of its key: a bar, and a tint under its words, or all of it. */
function CellView({ cell: { id, box, hue, isHollow, isPale, isWorded } }: { cell: Cell }) {
  const looks = [isWorded && 'is-worded', isHollow && 'is-hollow', isPale && 'is-pale'];
  const r = Math.min(4, box.h * 0.4, box.w * 0.4);
  return (
    <g className={classes('cell', ...looks)} data-moving={id} style={hued(hue)}>
      <Rect className="cell-body" box={box} r={r} />
      {isWorded && <Rect className="cell-bar" box={{ ...box, w: 4 }} r={2} />}
    </g>
  );
}

const CLASSES = {
  name: 'strong',
  key: 'mono',
  value: 'mono value',
  more: 'dim',
};

function WordView({ word: { of, text, x, y, anchor, isTurned } }: { word: Word }) {
  const turn = isTurned ? `rotate(90 ${x} ${y})` : undefined;
  return (
    <text className={CLASSES[of]} x={x} y={y} textAnchor={anchor} transform={turn}>
      {text}
    </text>
  );
}
