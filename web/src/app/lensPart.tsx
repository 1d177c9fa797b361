// The part of the page that is fetched when a directory of another engine is opened.

import { type ReactNode, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { LENS_WORKER, trusted } from '../engine/trusted';
import { Lens, SAMPLES, type SampleName } from '../lens/lens';
import leveldb from '../lens/pkg/leveldb.zip?url';
import pebble from '../lens/pkg/pebble.zip?url';
import rocksdb from '../lens/pkg/rocksdb.zip?url';
import type { Source } from '../lens/protocol';
import { foreignSource } from '../lens/sources';
import { BUILD } from '../model/build';
import type { Listed } from '../share/entries';
import type { TerminalSession } from '../terminal/session';
import { LensView } from '../views/Lens/LensView';
import { Quiet } from '../views/shared/buttons';
import { Icon } from '../views/shared/Icon';
import { focusQuietly } from '../views/shared/pointed';
import { Docked } from './Layout';
import { lensTerminal } from './lensTerminal';
import { localStore, type Preferences } from './preferences';
import { TerminalPane } from './TerminalPane';
import { useKeys } from './useKeys';
import type { Show } from './useShow';

const ADDRESSES: Readonly<Record<SampleName, string>> = { rocksdb, pebble, leveldb };

/** The lens of this page. */
const lens = new Lens({
  start: () => new Worker(trusted(LENS_WORKER), { type: 'module', name: BUILD }),
  async sample(name) {
    const response = await fetch(ADDRESSES[name]);
    if (response.ok) return response.blob();
    throw new Error(`The sample did not come: the server answered ${response.status}.`);
  },
});

const terminal = lensTerminal(lens, localStore());

/** How the page shows its terminals, and gives them the focus. */
export interface TerminalLook {
  show: Show;
  preferences: Preferences;
  /** Whether they have their plain form. */
  plain: boolean;
  onReady(focus: () => void): void;
  focusTerminal(): void;
}

interface Props {
  /** The sample that the address leads to, or empty. */
  name: string;
  look: TerminalLook;
  onLeave(): void;
  /** Opens files in the playground. */
  onFiles(listed: readonly Listed[]): void;
}

/** The lens in its place on the page. */
export function LensPart({ name, look, onLeave, onFiles }: Props) {
  useEffect(() => {
    const sample = SAMPLES.find((known) => known === name);
    if (sample !== undefined) void lens.openSample(sample);
  }, [name]);
  const session = useSyncExternalStore(terminal.subscribe, terminal.get);
  const Place = look.show.room.isPhone ? OnPhone : Below;
  const dock = (views: ReactNode) =>
    session === null ? (
      views
    ) : (
      <Place {...look} session={session}>
        {views}
      </Place>
    );
  return (
    <LensView
      lens={lens}
      onLeave={onLeave}
      onOpenFiles={() => onFiles(filesOf(lens.source))}
      onTable={(file) => onFiles([{ path: file.name, file }])}
      dock={dock}
    />
  );
}

interface PlaceProps extends TerminalLook {
  session: TerminalSession;
  children: ReactNode;
}

/** Until its divider is moved, the terminal has half of what other things leave, within these limits [px]. */
const HEIGHT = { others: 424, least: 92, most: 320 };

/** The views with the terminal below them. */
function Below(props: PlaceProps) {
  const { show, preferences, focusTerminal, children } = props;
  const { isFolded, room, actions } = show;
  const { fold, terminalHeight: onTerminalHeight } = actions;
  const keys = useMemo(() => ({ '/': focusTerminal, t: fold }), [focusTerminal, fold]);
  useKeys(keys, preferences.singleKeys);
  const isSet = isFolded || preferences.terminalHeight !== null;
  const half = Math.round((room.height - HEIGHT.others) / 2);
  const own = Math.min(Math.max(half, HEIGHT.least), HEIGHT.most);
  const terminalHeight = isSet ? show.terminalHeight : own;
  const pane = <Pane {...props} isFolded={isFolded} onLeave={leaveToPanel} />;
  return (
    <Docked {...{ terminalHeight, onTerminalHeight }} terminal={pane}>
      {children}
    </Docked>
  );
}

/** On a phone the terminal takes the place of the views when it is asked for. */
function OnPhone(props: PlaceProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="lens-phone in-column grows">
      <div className="grows" hidden={isOpen}>
        {props.children}
      </div>
      {isOpen && (
        <div className="grows">
          <Pane {...props} isFolded={false} onLeave={() => setOpen(false)} />
        </div>
      )}
      <Quiet className="lens-raise rigid" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Terminal <Icon d={isOpen ? 'M2 5h12L8 12z' : 'M2 11h12L8 4z'} />
      </Quiet>
    </div>
  );
}

interface PaneProps extends Omit<PlaceProps, 'children'> {
  isFolded: boolean;
  onLeave(): void;
}

function Pane({ session, show, plain, isFolded, onReady, onLeave }: PaneProps) {
  return (
    <TerminalPane
      {...{ session, plain, isFolded, onReady, onLeave }}
      scale={show.scale}
      onUnfold={show.actions.unfold}
      isVeiled={false}
      onSelect={(address) => lens.place.update(() => ({ address }))}
    />
  );
}

/** To where keys move through the history. */
function leaveToPanel(): void {
  const panel = document.getElementById('lens-panel');
  if (panel) focusQuietly(panel);
}

/** The files that a source was made of, as a person gave them. */
function filesOf(source: Source | null): Listed[] {
  if (source === null) return [];
  if (source.kind === 'files')
    return source.files.map(({ path, file }) => ({ path, file: named(file, path) }));
  return [{ path: source.name, file: named(source.archive, source.name) }];
}

/** Samples come without a name. */
function named(file: Blob, path: string): File {
  return file instanceof File ? file : new File([file], path);
}

/**
 * Opens files if they are a directory of another engine; `show` is called when they look like one. `isShown`: the view of
 * directories is on show, and says also why an archive cannot be read. Returns whether they are one.
 */
export async function openForeign(
  listed: readonly Listed[],
  isShown: boolean,
  show: () => void,
): Promise<boolean> {
  const source = await foreignSource(listed, isShown);
  if (source === null) return false;
  if (!isShown) {
    show();
    await lens.open(source);
    const after = lens.store.get();
    if (after.state !== 'failed' || after.failure.kind !== 'invalid') return true;
  } else {
    const failure = await lens.replace(source);
    if (failure === null) show();
    if (failure?.kind !== 'invalid') return true;
  }
  // It only looked like one.
  lens.close();
  return false;
}
