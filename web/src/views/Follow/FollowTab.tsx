import './Follow.css';

import type { KeyVersion, KeyVersions } from '../../model/engine.generated';
import { followSign, isFound, placeText, selectionOf, versionVerdict } from '../../model/followed';
import { keyText, rangeText } from '../../model/keys';
import { count, counted } from '../../model/words';
import { Commands, Pick } from '../shared/Facts';
import { useFollowed } from './following';

const LETTERS = 24;

/** Every version of the followed key at the step on show, the newest first. */
export function FollowTab() {
  const followed = useFollowed();
  if (followed === null) return <p className="dim">Looking for its versions …</p>;
  const { key, found } = followed;
  const unread = found.without.filter((table) => table.unread !== null);
  return (
    <>
      <h2>
        <code>{key}</code> <small>{counted(found.versions.length + found.more, 'version')}</small>
      </h2>
      {found.versions.length === 0 && unread.length === 0 && (
        <p>No version exists at this step. A read finds nothing.</p>
      )}
      <ol className="follow-versions bare">
        {found.versions.map((version) => (
          <Version key={version.sequence} version={version} />
        ))}
      </ol>
      {found.more > 0 && <p className="dim">and {counted(found.more, 'older version')}</p>}
      {/* They may hold more versions. */}
      <Tables title="Cannot be read" tables={unread} note={(table) => `: ${table.unread}`} />
      <Tables
        title="In range, without a version"
        tables={found.without.filter((table) => !unread.includes(table))}
        note={whyWithout}
      />
      <Commands lines={['follow --off']} />
    </>
  );
}

function Version({ version }: { version: KeyVersion }) {
  const { sequence, entry, value, range, places } = version;
  const isRead = isFound(version);
  return (
    <li className={isRead ? 'is-read' : ''}>
      <b>#{count(sequence)}</b>{' '}
      {entry === 'put' ? (
        <code>{keyText(value, LETTERS)}</code>
      ) : (
        <i>{range ? `range deleted ${rangeText(range, LETTERS)}` : 'deleted'}</i>
      )}
      <span className="follow-verdict">
        {followSign(isRead)} {versionVerdict(version)}
      </span>
      <ul className="plain-list">
        {places.map((place) => (
          <li key={selectionOf(place)}>
            <Pick to={selectionOf(place)}>{placeText(place)}</Pick>
          </li>
        ))}
      </ul>
    </li>
  );
}

interface TablesProps {
  title: string;
  tables: KeyVersions['without'];
  /** The words after each table. */
  note(table: KeyVersions['without'][number]): string;
}

/** Tables in which no version was found. */
function Tables({ title, tables, note }: TablesProps) {
  if (tables.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul className="plain-list">
        {tables.map((each) => (
          <li key={each.table}>
            <Pick to={`table:${each.table}`}>
              L{each.level} table {each.table}
            </Pick>
            {note(each)}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Why a table whose key range has the key holds no version of it. */
function whyWithout({ maybe }: KeyVersions['without'][number]): string {
  if (maybe === null) return ' has no filter';
  return maybe ? ' false positive of its filter' : ' its filter excludes the key';
}
