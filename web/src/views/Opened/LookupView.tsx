import { useId, useState } from 'react';
import type { Access, LookupResult, OpenedState, Stretch } from '../../model/engine.generated';
import { lookupCommand } from '../../model/opened';
import { count, counted } from '../../model/words';
import { SearchTable, WalkedTable } from '../Read/ReadDetails';
import { ribbonParts, ribbonX } from '../Ribbon/scene';
import { Action, Primary, TextLink } from '../shared/buttons';
import { useCommands, useSelection } from '../shared/contexts';
import { useAnswer } from '../shared/useAnswer';

interface Props {
  file: OpenedState;
  /** The key that was looked up, as it is shown; `null`: none yet. */
  wanted: { key: string; search: string } | null;
  stretches: readonly Stretch[];
  onWant(wanted: { key: string; search: string }): void;
}

/** Reads that are drawn one below the other; all are in the table. */
const DRAWN_MAX = 16;

const SEARCHES: Readonly<Record<string, string>> = {
  sequential: 'by a linear scan',
  binary: 'by binary search',
  hash: 'by the hash of its prefix',
};

/** One key in one opened file: every read to scale under the ribbon, every comparison as a table. */
export function LookupView(props: Props) {
  const { file, wanted, stretches, onWant } = props;
  const { type } = useCommands();
  const searches = file.format?.searches ?? [];
  const [key, setKey] = useState(wanted?.key ?? '');
  const [search, setSearch] = useState(wanted?.search ?? searches[0] ?? 'sequential');
  const [shown, setShown] = useState(wanted);
  if (wanted !== shown) {
    setShown(wanted);
    if (wanted) setKey(wanted.key);
  }
  const base = useId();
  const tell = () =>
    wanted && type(`${lookupCommand(file.id, wanted.key, wanted.search)} --detail`);
  const answer = useAnswer(wanted && { ask: 'lookup', file: file.id, ...wanted });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="lookup" aria-label="Look up a key" tabIndex={0} data-pages>
      <form
        className="lookup-form in-row wraps"
        onSubmit={(event) => {
          event.preventDefault();
          onWant({ key, search });
        }}
      >
        <label htmlFor={`${base}-key`}>Key</label>
        <input
          id={`${base}-key`}
          value={key}
          maxLength={1024}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setKey(event.target.value)}
        />
        <label htmlFor={`${base}-search`}>searched</label>
        <select
          id={`${base}-search`}
          value={search}
          onChange={(event) => {
            setSearch(event.target.value);
            if (wanted) onWant({ key: wanted.key, search: event.target.value });
          }}
        >
          {searches.map((word) => (
            <option key={word} value={word}>
              {SEARCHES[word] ?? word}
            </option>
          ))}
        </select>
        <Primary type="submit">Look up</Primary>
        {wanted && <Action onClick={tell}>Print it in the terminal</Action>}
      </form>
      {answer.state === 'none' && (
        <p className="dim">
          Choose a key here or under Entries. Other bytes are written as \x00, quotes are not
          needed.
        </p>
      )}
      {answer.state === 'asking' && <p className="dim">Searching …</p>}
      {answer.state === 'failed' && <p className="problem">{answer.message}</p>}
      {answer.state === 'ready' && <Found found={answer.result} stretches={stretches} />}
    </section>
  );
}

function Found(props: { found: LookupResult; stretches: readonly Stretch[] }) {
  const { found, stretches } = props;
  const { select } = useSelection();
  const { accesses, comparisons } = found.trail;
  const read = accesses.reduce((sum, { bytes }) => sum + bytes, 0);
  const share = found.fileBytes === 0 ? 0 : (100 * read) / found.fileBytes;
  const at = found.offset;
  return (
    <>
      <p className="lookup-verdict" role="status">
        <code>{found.key === '' ? '""' : found.key}</code>{' '}
        {found.found ? (
          <>
            = <code className="entry-value">{found.value}</code>
          </>
        ) : (
          <strong>{found.outcome}</strong>
        )}
        {at !== null && (
          <>
            {' '}
            <TextLink onClick={() => select(`${found.file}/bytes:${at}-${at}`)}>
              stored at {count(at)}
            </TextLink>
          </>
        )}
        <span className="dim lookup-cost">
          {counted(accesses.length, 'read')}, {counted(read, 'byte')} (
          {share < 10 ? share.toFixed(1) : share.toFixed(0)} % of the file),{' '}
          {counted(comparisons, 'comparison')}
        </span>
      </p>
      <Reads accesses={accesses} stretches={stretches} total={found.fileBytes} />
      <ol className="stops">
        {accesses.map((access, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: reads have no name but their position
          <li key={index}>
            <AccessDetails access={access} file={found.file} />
          </li>
        ))}
      </ol>
    </>
  );
}

/** The reads one below the other, each where it stands in the ribbon above. */
function Reads(props: {
  accesses: readonly Access[];
  stretches: readonly Stretch[];
  total: number;
}) {
  const { accesses, stretches, total } = props;
  const parts = ribbonParts(stretches, total);
  if (parts.length === 0) return null;
  const drawn = accesses.slice(0, DRAWN_MAX);
  return (
    <div className="reads" aria-hidden="true">
      {drawn.map(({ what, offset, bytes }, index) => {
        const from = ribbonX(parts, offset);
        const to = ribbonX(parts, offset + bytes);
        const left = Math.min(100 * from, 99.4);
        const isLate = from > 0.75;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: reads have no name but their position
          <div className="read-row" key={index}>
            <i style={{ left: `${left}%`, width: `max(${100 * (to - from)}%, 4px)` }} />
            <span
              style={
                isLate ? { right: `${100 - left}%` } : { left: `${Math.min(100 * to + 0.6, 99)}%` }
              }
            >
              {index + 1} {what}
            </span>
          </div>
        );
      })}
      {accesses.length > drawn.length && (
        <p className="dim">{counted(accesses.length - drawn.length, 'read')} more</p>
      )}
    </div>
  );
}

function AccessDetails(props: { access: Access; file: string }) {
  const { access, file } = props;
  const { select } = useSelection();
  const { what, offset, bytes, comparisons, searches, entries } = access;
  const end = offset + Math.max(bytes, 1) - 1;
  const hasMore = searches.length > 0 || entries.length > 0;
  return (
    <>
      <TextLink onClick={() => select(`${file}/bytes:${offset}-${end}`)}>{what}</TextLink> at{' '}
      {count(offset)}, {counted(bytes, 'byte')}
      {comparisons > 0 && `, ${counted(comparisons, 'comparison')}`}
      {hasMore && (
        <details open={searches.length > 0 || entries.length <= 8}>
          <summary>
            {[
              ...searches.map(
                ({ turns }) => `a binary search with ${counted(turns.length, 'turn')}`,
              ),
              ...(entries.length > 0 ? [`${counted(entries.length, 'entry')} walked over`] : []),
            ].join(', ')}
          </summary>
          {searches.map((search, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: searches have no name but their position
            <SearchTable key={index} search={search} />
          ))}
          {entries.length > 0 && <WalkedTable entries={entries} />}
        </details>
      )}
    </>
  );
}
