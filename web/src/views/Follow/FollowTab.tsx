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
      <Unread tables={unread} />
      <Without tables={found.without.filter((table) => !unread.includes(table))} />
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

/** Tables that may hold more versions, and cannot be read. */
function Unread({ tables }: { tables: KeyVersions['without'] }) {
  if (tables.length === 0) return null;
  return (
    <>
      <h3>Cannot be read</h3>
      <ul className="plain-list">
        {tables.map(({ level, table, unread }) => (
          <li key={table}>
            <Pick to={`table:${table}`}>
              L{level} table {table}
            </Pick>
            : {unread}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Tables whose key range has the key, but that hold no version of it. */
function Without({ tables }: { tables: KeyVersions['without'] }) {
  if (tables.length === 0) return null;
  return (
    <>
      <h3>In range, without a version</h3>
      <ul className="plain-list">
        {tables.map(({ level, table, maybe }) => (
          <li key={table}>
            <Pick to={`table:${table}`}>
              L{level} table {table}
            </Pick>{' '}
            {maybe === null
              ? 'has no filter'
              : maybe
                ? 'false positive of its filter'
                : 'its filter excludes the key'}
          </li>
        ))}
      </ul>
    </>
  );
}
