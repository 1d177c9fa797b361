// The part of the page that is fetched when files are opened.

import { type ReactNode, useEffect, useState } from 'react';
import { LENS_WORKER, trusted } from '../engine/trusted';
import { Lens, SAMPLES, type SampleName } from '../lens/lens';
import { addressOf } from '../lens/names';
import leveldb from '../lens/pkg/leveldb.zip?url';
import pebble from '../lens/pkg/pebble.zip?url';
import rocksdb from '../lens/pkg/rocksdb.zip?url';
import { chosenSource } from '../lens/sources';
import { BUILD } from '../model/build';
import type { Listed } from '../share/entries';
import type { ForeignFile } from '../share/foreign';
import type { TerminalSession } from '../terminal/session';
import { LensView } from '../views/Lens/LensView';
import type { Named } from '../views/Lens/useAddress';
import { Quiet } from '../views/shared/buttons';
import { Icon } from '../views/shared/Icon';
import { focusQuietly } from '../views/shared/pointed';
import { useKeys } from '../views/shared/useKeys';
import { useStore } from '../views/shared/useStore';
import { Docked } from './Layout';
import { lensTerminal } from './lensTerminal';
import { localStore, type Preferences } from './preferences';
import { TerminalPane } from './TerminalPane';
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

interface Props extends Named {
  look: TerminalLook;
  /** What the picture shows from inside. */
  opened: string | null;
  inspecting: boolean;
  onLeave(): void;
  /** Opens the files of a database, or a log of entries, as a branch of the playground. */
  onBranch(files: readonly ForeignFile[]): void;
}

/** The lens in its place on the page. */
export function LensPart({ name, look, ...others }: Props) {
  useEffect(() => {
    const sample = SAMPLES.find((known) => known === name);
    const isOpen = addressOf(lens.store.get(), lens.source) === sample;
    if (sample !== undefined && !isOpen) void lens.openSample(sample);
  }, [name]);
  const session = useStore(terminal);
  const Place = look.show.room.isPhone ? OnPhone : Below;
  const dock = (views: ReactNode) =>
    session === null ? (
      views
    ) : (
      <Place {...look} session={session}>
        {views}
      </Place>
    );
  return <LensView {...{ ...others, name, lens, dock }} />;
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
  useKeys({ '/': focusTerminal, t: fold }, preferences.singleKeys);
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
        Terminal <Icon name={isOpen ? 'down' : 'up'} />
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

/**
 * Opens files; `isShown`: the view of directories is on show, else `show` is called when there is something to be seen of
 * them. The view shows why they cannot be opened.
 */
export async function openForeign(
  listed: readonly Listed[],
  isShown: boolean,
  show: () => void,
): Promise<void> {
  const source = await chosenSource(listed);
  // Where no directory is on show, its place shows how far the new one has come.
  const isEmpty = isShown && lens.store.get().state !== 'open';
  const failure = await (isEmpty ? lens.open(source) : lens.replace(source));
  if (failure?.kind === 'stopped') return;
  if (failure !== null) lens.showFailure(source.name, failure);
  if (!isShown) show();
}
