import './Opened.css';

import { wordOfText } from '../../model/commandWords';
import type { OpenedState } from '../../model/engine.generated';
import { Action, TextLink } from '../shared/buttons';
import { useCommands, useSelection } from '../shared/contexts';
import { PlaceText } from './PlaceText';

export const LOOKS = ['Bytes', 'Entries', 'Look up'] as const;
/** The tab on show of an opened file. */
export type Look = (typeof LOOKS)[number];

interface Props {
  file: OpenedState;
  look: Look;
  onLook(look: Look): void;
}

/** The recognized format of an opened file, its damage, and its tabs. */
export function OpenedHead({ file, look, onLook }: Props) {
  const { select } = useSelection();
  const { type } = useCommands();
  const { id, damage, unread, others, format, database } = file;
  const word = wordOfText(id);
  const toByte = (offset: number) => {
    onLook('Bytes');
    select(`${id}/bytes:${offset}-${offset}`);
  };
  const hasEntries = format !== null && format.searches.length > 0;
  return (
    <div className="opened-head in-row wraps rigid">
      {hasEntries && <LookSwitch look={look} onLook={onLook} />}
      <span className="opened-what">{file.what}</span>
      {damage && (
        <span className="opened-damage">
          <span aria-hidden="true">▲</span>{' '}
          <PlaceText what="Damaged" place={damage} onOffset={toByte} />
        </span>
      )}
      {unread && (
        <span className="dim">
          <PlaceText what="Not read" place={unread} onOffset={toByte} />
        </span>
      )}
      {others.length > 0 && (
        <span className="dim">
          Could also be{' '}
          {others.slice(0, 3).map(({ format: other }, index) => (
            <span key={other}>
              {index > 0 && ', '}
              <TextLink
                title={`Read it as ${other}`}
                onClick={() => type(`open ${word} --as ${other}`)}
              >
                {other}
              </TextLink>
            </span>
          ))}
        </span>
      )}
      {database !== null && (
        <Action onClick={() => type(`import ${wordOfText(database)}`)}>
          Open this database as a branch
        </Action>
      )}
      {database === null && hasEntries && (
        <Action onClick={() => type(`import ${word}`)}>Open its entries as a branch</Action>
      )}
      <Action onClick={() => type(`export ${word}`)}>Save a copy</Action>
      <Action onClick={() => type(`close ${word}`)}>Close the file</Action>
    </div>
  );
}

function LookSwitch({ look, onLook }: Pick<Props, 'look' | 'onLook'>) {
  return (
    <fieldset className="look-switch" aria-label="What is shown of the file">
      {LOOKS.map((name) => (
        <button type="button" key={name} aria-pressed={look === name} onClick={() => onLook(name)}>
          {name}
        </button>
      ))}
    </fieldset>
  );
}
