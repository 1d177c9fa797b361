import type { RefObject } from 'react';
import { useSelection } from '../shared/contexts';
import {
  type BlockScene,
  type EntryScene,
  type FilterScene,
  LINE_H,
  type ReadPathScene,
  ROW_H,
  type SearchScene,
  STOP_X,
  type StopScene,
} from './scene';

interface Props {
  scene: ReadPathScene;
  picture: RefObject<SVGSVGElement | null>;
}

/** The path of a lookup, drawn: filters, searches and blocks with their details. */
export function ReadPicture({ scene, picture }: Props) {
  return (
    <svg
      ref={picture}
      className="read-path"
      width={scene.width}
      height={scene.height}
      aria-hidden="true"
    >
      {scene.stops.map((stop, index) => (
        <Stop
          key={stop.order}
          stop={stop}
          width={scene.width}
          last={index === scene.stops.length - 1}
        />
      ))}
    </svg>
  );
}

function Stop(props: { stop: StopScene; width: number; last: boolean }) {
  const { stop, width, last } = props;
  const { select } = useSelection();
  const level = stop.level === null ? 'memory' : `level-${Math.min(stop.level, 3)}`;
  return (
    <g className={`stop ${level} ${stop.outcome}`}>
      {!last && <path className="rail" d={`M14 ${stop.y + 24}V${stop.end + 4}`} />}
      <circle cx={14} cy={stop.y + 14} r={11} />
      <text className="order" x={14} y={stop.y + 18.5} textAnchor="middle">
        {stop.order}
      </text>
      <a
        href={`#${stop.selection}`}
        tabIndex={-1}
        onClick={(event) => {
          event.preventDefault();
          select(stop.selection);
        }}
      >
        <text className="title" x={STOP_X} y={stop.y + 19}>
          {stop.title}
        </text>
      </a>
      <text className="verdict" x={STOP_X} y={stop.y + 19 + LINE_H}>
        {stop.verdict}
      </text>
      {stop.costBelow ? (
        <text className="cost" x={STOP_X} y={stop.y + 19 + 2 * LINE_H}>
          {stop.cost}
        </text>
      ) : (
        <text className="cost" x={width - 4} y={stop.y + 19} textAnchor="end">
          {stop.cost}
        </text>
      )}
      {stop.filter && <Filter filter={stop.filter} />}
      {stop.searches.map((search) => (
        <Search key={search.y} search={search} />
      ))}
      {stop.blocks.map((block) => (
        <Block key={block.y} block={block} width={width} />
      ))}
    </g>
  );
}

function Filter({ filter }: { filter: FilterScene }) {
  const { bar } = filter;
  return (
    <g className="bloom">
      <text className="caption" x={STOP_X} y={filter.y + 14}>
        {filter.caption}
      </text>
      <rect className="whole" x={bar.x} y={bar.y} width={bar.width} height={12} rx={3} />
      {filter.ticks.map((tick, index) => (
        <path
          // biome-ignore lint/suspicious/noArrayIndexKey: probes have no name but their position
          key={index}
          className={tick.set ? 'set' : 'clear'}
          d={`M${tick.x.toFixed(1)} ${bar.y - 2}V${bar.y + 14}`}
        />
      ))}
      {filter.bytes.map((byte, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <g key={index} className={byte.set ? 'set' : 'clear'}>
          {byte.bits.map((bit) => (
            <rect
              key={bit.x}
              className={`bit${bit.on ? ' on' : ''}`}
              x={bit.x + 1}
              y={byte.y}
              width={7}
              height={14}
            />
          ))}
          {byte.bits
            .filter((bit) => bit.asked)
            .map((bit) => (
              <rect
                key={bit.x}
                className="asked"
                x={bit.x - 1}
                y={byte.y - 2}
                width={11}
                height={18}
              />
            ))}
          <text x={byte.x} y={byte.y + 29}>
            {byte.label} {byte.set ? '' : '✗'}
          </text>
          <title>{`${byte.label} is ${byte.set ? 'set' : 'not set'}`}</title>
        </g>
      ))}
    </g>
  );
}

function Search({ search }: { search: SearchScene }) {
  const { bar, found } = search;
  const turns = search.turns.length > 0;
  return (
    <g className="search">
      <text className="caption" x={STOP_X} y={search.y + 15}>
        {search.caption}
      </text>
      {turns &&
        search.headings.map(({ x, text }) => (
          <text key={text} className="heading" x={x} y={search.y + ROW_H + 15} textAnchor="end">
            {text}
          </text>
        ))}
      {turns && (
        <text className="heading" x={search.keyX} y={search.y + ROW_H + 15}>
          key
        </text>
      )}
      {search.turns.map((turn) => (
        <g key={turn.y} className={turn.again ? 'again' : ''}>
          <rect className="whole" x={bar.x} y={turn.y + 4} width={bar.width} height={13} />
          <rect
            className="open"
            x={turn.open.x}
            y={turn.y + 4}
            width={Math.max(turn.open.width, 0)}
            height={13}
          />
          <rect
            className="middle"
            x={turn.middle.x}
            y={turn.y + 2}
            width={Math.max(turn.middle.width, 3)}
            height={17}
          />
          {turn.numbers.map(({ x, text }) => (
            <text key={x} className="number" x={x} y={turn.y + 15} textAnchor="end">
              {text}
            </text>
          ))}
          <text className="key" x={search.keyX} y={turn.y + 15}>
            {turn.key} <tspan className="turn">{turn.verdict}</tspan>
          </text>
        </g>
      ))}
      <rect className="whole" x={bar.x} y={found.y + 4} width={bar.width} height={13} />
      <rect
        className="found"
        x={found.x}
        y={found.y + 4}
        width={Math.max(found.width, 3)}
        height={13}
      />
      <text x={bar.x + bar.width + 12} y={found.y + 15}>
        {found.text}
      </text>
    </g>
  );
}

function Block({ block, width }: { block: BlockScene; width: number }) {
  return (
    <g className="block">
      <text className="caption" x={STOP_X} y={block.y + 15}>
        {block.caption}
      </text>
      {block.search && <Search search={block.search} />}
      {block.note && (
        <text x={STOP_X} y={block.note.y + 15}>
          {block.note.text}
        </text>
      )}
      {block.entries.map((entry) => (
        <Entry key={entry.y} entry={entry} width={width} />
      ))}
    </g>
  );
}

function Entry({ entry, width }: { entry: EntryScene; width: number }) {
  return (
    <g className={`entry ${entry.order}`}>
      <rect x={STOP_X} y={entry.y + 1} width={width - STOP_X - 4} height={ROW_H - 2} rx={3} />
      <text className="number" x={STOP_X + 44} y={entry.y + 15} textAnchor="end">
        {entry.offset}
      </text>
      <text className="key" x={STOP_X + 52} y={entry.y + 15}>
        <tspan className="shared">{entry.shared}</tspan>
        {entry.rest}
      </text>
      <text className="number" x={width - 60} y={entry.y + 15} textAnchor="end">
        {entry.sequence}
      </text>
      <text x={width - 8} y={entry.y + 15} textAnchor="end">
        {entry.order}
      </text>
    </g>
  );
}
