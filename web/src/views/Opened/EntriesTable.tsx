import { useState } from 'react';
import { ENTRIES_AT_ONCE } from '../../model/ask';
import type { FileEntryResult, OpenedState } from '../../model/engine.generated';
import { count, counted } from '../../model/words';
import { Quiet, TextLink } from '../shared/buttons';
import { useSelection } from '../shared/contexts';
import { useAnswer } from '../shared/useAnswer';
import { PlaceText } from './PlaceText';

interface Props {
  file: OpenedState;
  onLookUp(key: string): void;
}

/** The entries of an opened file, some hundred at a time. */
export function EntriesTable({ file, onLookUp }: Props) {
  const { select } = useSelection();
  const [skip, setSkip] = useState(0);
  const answer = useAnswer({ ask: 'entries', file: file.id, skip, limit: ENTRIES_AT_ONCE });
  if (answer.state === 'failed') return <p className="problem">{answer.message}</p>;
  if (answer.state !== 'ready') return <p className="dim">Reading …</p>;
  const { entries, damage, unread, more, count: all } = answer.result;
  const toByte = (offset: number) => select(`${file.id}/bytes:${offset}-${offset}`);
  const hasSequence = entries.some(({ sequence }) => sequence !== null);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="entries" aria-label="Entries" tabIndex={0} data-pages>
      <Pages skip={skip} shown={entries.length} all={all} more={more} onSkip={setSkip} />
      {damage.map((place) => (
        <p className="problem" key={`${place.offset} ${place.why}`}>
          <PlaceText what="Damaged" place={place} onOffset={toByte} />
        </p>
      ))}
      {unread.map((place) => (
        <p className="dim" key={`${place.offset} ${place.why}`}>
          <PlaceText what="Not read" place={place} onOffset={toByte} />
        </p>
      ))}
      <table className="parts">
        <caption className="visually-hidden">
          {counted(entries.length, 'entry')} of {file.name}
        </caption>
        <thead>
          <tr>
            <th scope="col">stored at</th>
            <th scope="col">key</th>
            <th scope="col">value</th>
            <th scope="col">bytes</th>
            {hasSequence && <th scope="col">sequence or time</th>}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry, index) => (
            <EntryRow
              // biome-ignore lint/suspicious/noArrayIndexKey: entries have no name but their position
              key={index}
              entry={entry}
              hasSequence={hasSequence}
              onBytes={() => select(`${file.id}/bytes:${entry.offset}-${entry.offset}`)}
              onLookUp={() => onLookUp(entry.key)}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface PagesProps {
  /** Entries before those that are shown. */
  skip: number;
  shown: number;
  all: number;
  more: boolean;
  onSkip(skip: number): void;
}

function Pages({ skip, shown, all, more, onSkip }: PagesProps) {
  return (
    <p className="entries-head in-row">
      <span>
        {shown === 0
          ? 'No entries.'
          : `Entries ${count(skip + 1)} to ${count(skip + shown)} of ${count(all)}, in the order of the file.`}
      </span>
      <Quiet disabled={skip === 0} onClick={() => onSkip(Math.max(skip - ENTRIES_AT_ONCE, 0))}>
        ← Before
      </Quiet>
      <Quiet disabled={!more} onClick={() => onSkip(skip + ENTRIES_AT_ONCE)}>
        After →
      </Quiet>
    </p>
  );
}

interface RowProps {
  entry: FileEntryResult;
  hasSequence: boolean;
  onBytes(): void;
  onLookUp(): void;
}

function EntryRow({ entry, hasSequence, onBytes, onLookUp }: RowProps) {
  const { offset, key, value, valueBytes, sequence } = entry;
  return (
    <tr className={value === null ? 'tombstone' : ''}>
      <td className="mono">
        <TextLink title="Its bytes" onClick={onBytes}>
          {count(offset)}
        </TextLink>
      </td>
      <th scope="row">
        <TextLink title="Look this key up" onClick={onLookUp}>
          <code>{key === '' ? '""' : key}</code>
        </TextLink>
      </th>
      <td>
        {value === null ? <strong>× deleted</strong> : <code className="entry-value">{value}</code>}
      </td>
      <td className="mono">{value === null ? '' : count(valueBytes)}</td>
      {hasSequence && <td className="mono">{sequence === null ? '' : count(sequence)}</td>}
    </tr>
  );
}
