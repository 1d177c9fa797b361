import { Fragment } from 'react';
import { Dialog } from '../shared/Dialog';

interface Props {
  keys: readonly { where: string; keys: readonly (readonly [string, string])[] }[];
  singleKeys: boolean;
  plainTerminal: boolean;
  /** Whether this browser has all files of the page. */
  worksOffline: boolean;
  onSingleKeys(on: boolean): void;
  onPlainTerminal(on: boolean): void;
  onClose(): void;
}

/** The page's purpose, its keys, and two switches for people who need them. */
export function HelpPanel(props: Props) {
  return (
    <Dialog title="Help" onClose={props.onClose}>
      <p>
        Writes go to a log (WAL) and a memtable. A full memtable becomes immutable and is flushed to
        a table in L0; compactions merge tables into deeper levels. The picture shows what the
        engine in this page really did; each button types its command into the terminal, where{' '}
        <code>help</code> lists all commands.
      </p>
      {props.keys.map((group) => (
        <table className="keys" key={group.where}>
          <caption>{group.where}</caption>
          <tbody>
            {group.keys.map(([keys, meaning]) => (
              <tr key={meaning}>
                <th scope="row">
                  {keys.split(' ').map((key) => (
                    <Fragment key={key}>{key === 'or' ? ' or ' : <kbd>{key}</kbd>} </Fragment>
                  ))}
                </th>
                <td>{meaning}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
      <label className="switch in-row">
        <input
          type="checkbox"
          checked={props.singleKeys}
          onChange={(event) => props.onSingleKeys(event.target.checked)}
        />
        Single-letter keys work when nothing is being typed
      </label>
      <label className="switch in-row">
        <input
          type="checkbox"
          checked={props.plainTerminal}
          onChange={(event) => props.onPlainTerminal(event.target.checked)}
        />
        Plain terminal: an input field and a log, for touch and screen readers
      </label>
      {props.worksOffline && (
        <p>
          <b>Works offline.</b> This browser keeps a copy of the page. The browser’s menu can
          install it in a window of its own (“Install”, “Add to Home Screen”). On iOS the installed
          page has its own database, and Safari deletes the data of a site after seven days without
          a visit: install the page, open it once with a network, and download what you want to
          keep.
        </p>
      )}
    </Dialog>
  );
}
