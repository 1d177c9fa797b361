import { type KeyboardEvent, useRef } from 'react';
import { count, hex } from '../../model/words';
import { Action, TextLink } from '../shared/buttons';
import type { BytePart, OpenedBytes } from './scene/answers';
import { lookOf } from './scene/bytes';

interface Props {
  opened: OpenedBytes;
  /** The place of the chosen part. */
  chosen: number | null;
  onChoose(place: number): void;
  /** Opens a part that has parts of its own. */
  onOpen(place: number): void;
  /** Shows the list from a place on. */
  onPage(from: number): void;
}

/** The parts of the opened part, in order; Enter opens one, or chooses one that has none. */
export function PartTable({ opened, chosen, onChoose, onOpen, onPage }: Props) {
  const { parts, from, count: all } = opened;
  const table = useRef<HTMLTableElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const buttons = [...(table.current?.querySelectorAll('button') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    buttons[Math.min(Math.max(at + step, 0), buttons.length - 1)]?.focus();
    event.preventDefault();
  };
  return (
    <div className="lens-parts-list widens">
      {parts.length === 0 && <p className="dim">It has no parts: its bytes are beside.</p>}
      <table className="chart-table" ref={table} onKeyDown={onKeyDown}>
        <caption className="visually-hidden">
          Parts {count(from)} to {count(from + parts.length)}
          {all !== null && ` of ${count(all)}`}
        </caption>
        <thead>
          <tr>
            <th scope="col">part</th>
            <th scope="col">says</th>
            <th scope="col" className="number">
              offset
            </th>
            <th scope="col" className="number">
              bytes
            </th>
          </tr>
        </thead>
        <tbody>
          {parts.map((part, index) => (
            <PartRow
              // biome-ignore lint/suspicious/noArrayIndexKey: parts have no name but their place
              key={from + index}
              part={part}
              isChosen={chosen === from + index}
              onPress={() => (part.opens ? onOpen : onChoose)(from + index)}
              onPoint={() => onChoose(from + index)}
            />
          ))}
        </tbody>
      </table>
      <Pages opened={opened} onPage={onPage} />
    </div>
  );
}

/** Leads through a long list. */
function Pages({ opened, onPage }: Pick<Props, 'opened' | 'onPage'>) {
  const { from, next, count: all } = opened;
  if (from === 0 && next === null) return null;
  return (
    <p className="commands">
      <Action disabled={from === 0} onClick={() => onPage(Math.max(from - 200, 0))}>
        ← Before
      </Action>
      <Action disabled={next === null} onClick={() => next !== null && onPage(next)}>
        After →
      </Action>
      <span className="dim">
        from {count(from)}
        {all !== null && ` of ${count(all)}`}
      </span>
    </p>
  );
}

interface RowProps {
  part: BytePart;
  isChosen: boolean;
  onPress(): void;
  onPoint(): void;
}

const SIGNS = { sound: '', damaged: '▲ damaged', not_read: '◇ not read' };

function PartRow({ part, isChosen, onPress, onPoint }: RowProps) {
  const { name, value, offset, bytes, opens, state, problem, decoded } = part;
  return (
    <tr className={isChosen ? 'is-chosen' : ''} aria-current={isChosen || undefined}>
      <th scope="row">
        <i className={`lens-swatch ${lookOf(part)}`} aria-hidden="true" />
        <TextLink onClick={onPress} onFocus={onPoint}>
          {name}
          {opens && <span aria-hidden="true"> ▸</span>}
        </TextLink>
      </th>
      <td>
        {state !== 'sound' && (
          <strong className={state === 'damaged' ? 'problem' : 'dim'}>{SIGNS[state]} </strong>
        )}
        {problem ?? value}
      </td>
      <td className="number" title={hex(offset)}>
        {decoded && <span className="dim">decoded </span>}
        {count(offset)}
      </td>
      <td className="number">{count(bytes)}</td>
    </tr>
  );
}
