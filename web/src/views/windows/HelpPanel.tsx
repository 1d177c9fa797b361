import { Fragment, type ReactNode } from 'react';
import { DataTable } from '../shared/DataTable';
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
        <DataTable
          key={group.where}
          className="keys"
          caption={group.where}
          rows={group.keys}
          columns={[
            ['', ([keys]) => keys.split(' ').map(keyView), 'head'],
            ['', ([, meaning]) => meaning],
          ]}
        />
      ))}
      <Switch isOn={props.singleKeys} onSwitch={props.onSingleKeys}>
        Single-letter keys work when nothing is being typed
      </Switch>
      <Switch isOn={props.plainTerminal} onSwitch={props.onPlainTerminal}>
        Plain terminal: an input field and a log, for touch and screen readers
      </Switch>
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

function keyView(key: string) {
  return <Fragment key={key}>{key === 'or' ? ' or ' : <kbd>{key}</kbd>} </Fragment>;
}

function Switch(props: { isOn: boolean; onSwitch(on: boolean): void; children: ReactNode }) {
  const { isOn, onSwitch, children } = props;
  return (
    <label className="switch in-row">
      <input type="checkbox" checked={isOn} onChange={({ target }) => onSwitch(target.checked)} />
      {children}
    </label>
  );
}
