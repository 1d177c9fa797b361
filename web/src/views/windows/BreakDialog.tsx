import { useState } from 'react';
import { wordsOfField } from '../../model/commandWords';
import type { Breakpoint } from '../../model/engine.generated';
import { renameCommand } from '../../model/ownVerbs';
import type { Timeline } from '../../model/timeline';
import { eventAt } from '../../model/timeline';
import { BOOKMARK_NAME_MAX, BOOKMARKS_MAX, type Mark } from '../../model/timelineMarks';
import { Quiet, Secondary, TextLink } from '../shared/buttons';
import { useCommands, useTime } from '../shared/contexts';
import { DataTable } from '../shared/DataTable';
import { Dialog } from '../shared/Dialog';
import { MarkSign } from '../shared/MarkSign';
import { signWords } from '../Timeline/scene/signs';

interface Props {
  breakpoints: readonly Breakpoint[];
  marks: readonly Mark[];
  timeline: Timeline;
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
  { text: 'on bloom-fp', name: 'a filter gives a false positive' },
  { text: 'on stall', name: 'writes stall' },
  { text: 'when l0 >= 4', name: 'L0 has 4 tables' },
] as const;

const MARKS_SHOWN = 200;

/** Where work stops, and the landmarks of the history as a table. */
export function BreakDialog(props: Props) {
  const { breakpoints, onClose } = props;
  const { type } = useCommands();
  const [text, setText] = useState('');
  const others = breakpoints.filter(({ text: set }) => !OFFERED.some((each) => each.text === set));
  return (
    <Dialog title="Breakpoints, bookmarks and landmarks" onClose={onClose} className="wide">
      <fieldset className="choices two">
        <legend>Stop when</legend>
        {OFFERED.map((offer) => {
          const set = breakpoints.find((known) => known.text === offer.text);
          return (
            <label key={offer.text}>
              <input
                type="checkbox"
                checked={set !== undefined}
                onChange={() => type(set ? `break delete ${set.number}` : `break ${offer.text}`)}
              />
              {offer.name} <code className="dim">{offer.text}</code>
              {set && set.hits > 0 && <span className="dim"> · {set.hits}×</span>}
            </label>
          );
        })}
        {others.map((set) => (
          <label key={set.number}>
            <input type="checkbox" checked onChange={() => type(`break delete ${set.number}`)} />
            <code>{set.text}</code>
            {set.hits > 0 && <span className="dim"> · {set.hits}×</span>}
          </label>
        ))}
      </fieldset>
      <form
        className="choice-line in-row"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() === '') return;
          type(`break ${wordsOfField(text)}`);
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
        <Secondary type="submit" disabled={text.trim() === ''}>
          Set
        </Secondary>
      </form>
      <Bookmarks {...props} />
      <Landmarks {...props} />
    </Dialog>
  );
}

/** Bookmarks with their names, and controls to visit, rename and remove them. */
function Bookmarks({ marks, timeline, onClose }: Props) {
  const { type } = useCommands();
  const bookmarks = marks.filter(({ kind }) => kind === 'bookmark');
  return (
    <section className="bookmarks" aria-label="Bookmarks">
      <h3>Bookmarks</h3>
      {bookmarks.length > 0 && (
        <DataTable
          className="landmarks"
          rows={bookmarks}
          columns={[
            ['', ({ step }) => <Visit step={step} onClose={onClose} />, 'head'],
            [
              '',
              ({ step, name = '' }) => (
                <BookmarkName key={`${step} ${name}`} step={step} name={name} />
              ),
            ],
            ['', ({ step }) => <Sentence timeline={timeline} step={step} />],
            [
              '',
              ({ step }) => (
                <Quiet
                  aria-label={`Remove the bookmark at step ${step}`}
                  onClick={() => type(`bookmark --delete --at ${step}`)}
                >
                  ✕
                </Quiet>
              ),
            ],
          ]}
        />
      )}
      <p className="dim">
        {bookmarks.length === 0 && 'There are none: the key k sets one at the step on show. '}
        They last as long as the history. At most {BOOKMARKS_MAX} on a branch.
      </p>
    </section>
  );
}

function BookmarkName(props: { step: number; name: string }) {
  const { step, name } = props;
  const { type } = useCommands();
  const [text, setText] = useState(name);
  const rename = () => {
    if (text.trim() !== name) type(renameCommand(step, text));
  };
  return (
    <input
      className="bookmark-name"
      value={text}
      maxLength={BOOKMARK_NAME_MAX}
      placeholder="no name"
      aria-label={`Name of the bookmark at step ${step}`}
      onChange={(event) => setText(event.target.value)}
      onBlur={rename}
      onKeyDown={(event) => {
        if (event.key === 'Enter') rename();
      }}
    />
  );
}

function Sentence({ timeline, step }: Pick<Props, 'timeline'> & { step: number }) {
  return <span className="dim">{eventAt(timeline, step)?.sentence}</span>;
}

function Visit({ step, onClose }: { step: number } & Pick<Props, 'onClose'>) {
  const { go } = useTime();
  return (
    <TextLink
      onClick={() => {
        go(step);
        onClose();
      }}
    >
      step {step}
    </TextLink>
  );
}

function Landmarks({ marks, timeline, onClose }: Props) {
  if (marks.length === 0) return <p className="dim">The history has no landmarks yet.</p>;
  const shown = marks.slice(-MARKS_SHOWN);
  return (
    <DataTable
      className="landmarks"
      caption={`Landmarks${shown.length < marks.length ? `, the newest ${shown.length} of ${marks.length}` : ''}`}
      rows={shown.toReversed()}
      columns={[
        [
          '',
          ({ kind }) => (
            <svg width={14} height={14} aria-hidden="true">
              <MarkSign kind={kind} xs={[7]} y={7} />
            </svg>
          ),
        ],
        ['', ({ step }) => <Visit step={step} onClose={onClose} />, 'head'],
        ['', ({ kind, name }) => `${signWords(kind)}${name ? ` “${name}”` : ''}`],
        ['', ({ step }) => <Sentence timeline={timeline} step={step} />],
      ]}
    />
  );
}
