import { useState } from 'react';
import type { BreakpointState } from '../engine/protocol';
import type { Timeline } from '../model/timeline';
import { eventAt } from '../model/timeline';
import type { Mark } from '../model/timelineMarks';
import { Dialog } from './Dialog';
import { MARK_NAMES, MarkSign } from './MarkSign';

interface Props {
  breakpoints: readonly BreakpointState[];
  marks: readonly Mark[];
  timeline: Timeline;
  onType(command: string): void;
  onGo(step: number): void;
  onClose(): void;
}

/** Offered as ticks; every other one can be typed. */
const OFFERED = [
  { text: 'before flush', name: 'a flush begins' },
  { text: 'before compaction', name: 'a compaction is picked' },
  { text: 'before manifest.append', name: 'the manifest is written' },
  { text: 'before compaction.install', name: 'a compaction is installed' },
  { text: 'on drop', name: 'an entry is dropped' },
  { text: 'on tombstone-gc', name: 'a tombstone disappears' },
  { text: 'on bloom-fp', name: 'a filter says “maybe” in vain' },
  { text: 'on stall', name: 'writes have to wait' },
  { text: 'when l0 >= 4', name: 'L0 has 4 tables' },
] as const;

const MARKS_SHOWN = 200;

/** Where work stops, and the landmarks of the history as a table. */
export function BreakDialog(props: Props) {
  const { breakpoints, onType, onClose } = props;
  const [text, setText] = useState('');
  const others = breakpoints.filter(({ text: set }) => !OFFERED.some((each) => each.text === set));
  return (
    <Dialog title="Breakpoints and landmarks" onClose={onClose} className="breaks">
      <fieldset className="choices two">
        <legend>Stop when</legend>
        {OFFERED.map((offer) => {
          const set = breakpoints.find((known) => known.text === offer.text);
          return (
            <label key={offer.text}>
              <input
                type="checkbox"
                checked={set !== undefined}
                onChange={() => onType(set ? `break delete ${set.number}` : `break ${offer.text}`)}
              />
              {offer.name} <code className="dim">{offer.text}</code>
              {set && set.hits > 0 && <span className="dim"> · {set.hits}×</span>}
            </label>
          );
        })}
        {others.map((set) => (
          <label key={set.number}>
            <input type="checkbox" checked onChange={() => onType(`break delete ${set.number}`)} />
            <code>{set.text}</code>
            {set.hits > 0 && <span className="dim"> · {set.hits}×</span>}
          </label>
        ))}
      </fieldset>
      <form
        className="choice-line"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() === '') return;
          onType(`break ${text.trim()}`);
          setText('');
        }}
      >
        <label>
          break{' '}
          <input
            className="mono"
            value={text}
            placeholder="on key user:042"
            aria-label="Another breakpoint, such as: on key user:042"
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <button type="submit" className="secondary" disabled={text.trim() === ''}>
          Set
        </button>
      </form>
      <Landmarks {...props} />
    </Dialog>
  );
}

function Landmarks({ marks, timeline, onGo, onClose }: Props) {
  if (marks.length === 0) return <p className="dim">The history has no landmarks yet.</p>;
  const shown = marks.slice(-MARKS_SHOWN);
  return (
    <table className="landmarks">
      <caption>
        Landmarks
        {marks.length > shown.length ? `, the newest ${shown.length} of ${marks.length}` : ''}
      </caption>
      <tbody>
        {shown.toReversed().map((mark) => (
          <tr key={`${mark.step} ${mark.kind}`}>
            <td>
              <svg width={14} height={14} aria-hidden="true">
                <MarkSign kind={mark.kind} xs={[7]} y={7} />
              </svg>
            </td>
            <th scope="row">
              <button
                type="button"
                className="link"
                onClick={() => {
                  onGo(mark.step);
                  onClose();
                }}
              >
                step {mark.step}
              </button>
            </th>
            <td>{MARK_NAMES[mark.kind]}</td>
            <td className="dim">{eventAt(timeline, mark.step)?.sentence}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
