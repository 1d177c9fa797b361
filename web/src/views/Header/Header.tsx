import './Header.css';

import { type ReactNode, useRef } from 'react';
import type { WindowName } from '../../model/address';
import type { LessonState } from '../../model/engine.generated';
import type { Page } from '../../model/page';
import type { Theme } from '../../model/theme';
import { size } from '../../model/words';
import { FollowChip } from '../Follow/FollowChip';
import { Quiet } from '../shared/buttons';
import { useCommands, useViews } from '../shared/contexts';
import { Icon, type IconName } from '../shared/Icon';
import { writesText } from '../shared/stallText';
import { BranchMenu } from './BranchMenu';

interface Props {
  page: Page;
  theme: Theme;
  asTable: boolean;
  onTheme(theme: Theme): void;
  onAsTable(asTable: boolean): void;
  /** Whether the page is being presented. */
  isPresented: boolean;
  /** The address of a window for the audience; `null`: there is one, or nothing is presented. */
  audience: string | null;
  /** Begins the presentation, or ends it. */
  onPresent(): void;
  /** Room for the state only: all buttons are in a menu. */
  isPhone: boolean;
}

/** A link of this name always opens the same window. */
export const AUDIENCE_WINDOW = 'levelscope-audience';

const THEMES: Readonly<Record<Theme, { next: Theme; name: string }>> = {
  system: { next: 'light', name: 'as the system' },
  light: { next: 'dark', name: 'light' },
  dark: { next: 'system', name: 'dark' },
};

/** Name, where the data is, options, and the page's own switches. */
export function Header(props: Props) {
  const { page, isPhone } = props;
  const { openWindow } = useViews();
  const isOpen = page.connection.state === 'open';
  const preset = (
    <button
      type="button"
      className="chip lesser"
      onClick={() => openWindow('options')}
      disabled={!isOpen}
    >
      <span className="roomy">preset</span> {page.preset} <span aria-hidden="true">▾</span>
    </button>
  );
  return (
    <header>
      <h1>Levelscope</h1>
      <StorageBadge page={page} />
      {!isPhone && preset}
      <BranchMenu
        branches={page.branches}
        branch={page.branch}
        disabled={!isOpen || page.busy !== null}
      />
      <WritesBadge view={page.view} />
      <FollowChip followed={page.followed} />
      <span className="spacer" />
      {isPhone ? (
        <HeaderMenu>
          <Buttons {...props} />
          {preset}
        </HeaderMenu>
      ) : (
        <Buttons {...props} />
      )}
    </header>
  );
}

type Entry = readonly [
  name: ReactNode,
  icon: IconName,
  title: string | undefined,
  /** `null`: it can do nothing now. */
  act: (() => void) | null,
  className?: string,
  /** Of a view: whether it is on show. */
  isOn?: boolean,
];

function Entries({ entries }: { entries: readonly Entry[] }) {
  return entries.map(([name, icon, title, act, className, isOn], place) => (
    <Quiet
      // biome-ignore lint/suspicious/noArrayIndexKey: the button of the colours keeps the focus when its icon changes
      key={place}
      {...{ className, title }}
      aria-pressed={isOn}
      disabled={act === null}
      onClick={() => act?.()}
    >
      <Icon name={icon} />
      {name}
    </Quiet>
  ));
}

const TITLES = {
  lessons: 'Twelve lessons, each in a database of its own',
  experiments: 'Claims about storage engines, tried on real bytes (x)',
  files: 'Every byte of every file (b)',
  open: 'Look into files of other programs; take the database with you',
  table: 'The same state as tables of text',
  share: 'A link to what you did, and other copies of it',
  window: 'A window for the projector: this one becomes yours, with notes, clock and hands',
  present: 'For a lecture hall: everything larger, the stage alone (F5); + - 0 set the size',
};

/** All buttons, in groups: to learn, to look, to share and present, the page itself. */
function Buttons(props: Props) {
  const { page, asTable, onAsTable, audience, isPresented, onPresent, onTheme, isPhone } = props;
  const { openWindow, inspect, experiment } = useViews();
  const { type } = useCommands();
  const whenOpen = (act: () => void) => (page.connection.state === 'open' ? act : null);
  const toWindow = (name: WindowName) => whenOpen(() => openWindow(name));
  const isTrying = page.experiment !== null;
  const toTrials = whenOpen(() => experiment(isTrying ? null : ''));
  const toFiles = whenOpen(() => inspect(!page.inspecting));
  const share = page.busy === null ? whenOpen(() => type('share')) : null;
  const { next, name } = THEMES[props.theme];
  const colours = `Colours: ${name}`;
  const hidden = <span className="visually-hidden">{colours}</span>;
  const [look, help] = [asTable ? 'Picture' : 'As table', isPhone && 'Help and keys'];
  const views: Entry[] = [
    ['Lessons', 'lessons', TITLES.lessons, toWindow('lessons')],
    ['Experiments', 'experiments', TITLES.experiments, toTrials, 'lesser', isTrying],
    ['Files', 'files', TITLES.files, toFiles, 'lesser begins', page.inspecting],
    ['Open …', 'open', TITLES.open, toWindow('open'), 'optional'],
    [look, 'table', TITLES.table, () => onAsTable(!asTable), 'optional', asTable],
    ['Share', 'share', TITLES.share, share, 'lesser begins'],
  ];
  const own: Entry[] = [
    [isPresented ? 'End' : 'Present', 'present', TITLES.present, onPresent, '', isPresented],
    ['Reset', 'reset', undefined, toWindow('reset'), 'spare begins'],
    [hidden, props.theme, colours, () => onTheme(next), 'optional begins'],
  ];
  return (
    <>
      <Entries entries={views} />
      {audience !== null && (
        <a className="quiet" href={audience} target={AUDIENCE_WINDOW} title={TITLES.window}>
          <Icon name="window" />
          Second window
        </a>
      )}
      <Entries entries={own} />
      <Quiet onClick={() => openWindow('help')} aria-label="Help and keys">
        <Icon name="help" />
        {help}
      </Quiet>
    </>
  );
}

/** Whether writes wait or slow down, and why. */
function WritesBadge({ view }: { view: Props['page']['view'] }) {
  const writes = writesText(view);
  if (!writes) return null;
  return (
    <span className="chip plain warn writes" title={writes.why}>
      <span className="dot" aria-hidden="true">
        ▲
      </span>
      <span className="words">
        {writes.words}
        <span className="visually-hidden">: {writes.why}</span>
      </span>
    </span>
  );
}

const BADGES: Readonly<Record<LessonState['kind'], string>> = {
  lesson: 'Lesson',
  recap: 'Lesson',
  read: 'From outside',
  script: 'From a link',
};

function StorageBadge({ page }: { page: Props['page'] }) {
  const { storage, connection, lesson } = page;
  if (connection.state === 'starting') return <span className="chip plain state">Starting …</span>;
  if (connection.state !== 'open') return <span className="chip plain bad">Not connected</span>;
  if (lesson !== null) {
    const of = lesson.kind === 'script' ? 'link' : 'lesson';
    const kept = `This database is of the ${of} and in memory; your own is as you left it.`;
    return (
      <span className="chip plain" title={kept}>
        {BADGES[lesson.kind]}
        <span className="visually-hidden">: a database in memory</span>
      </span>
    );
  }
  if (storage.kind === 'memory') {
    return (
      <span className="chip plain warn" title={storage.why ?? undefined}>
        <span className="dot" aria-hidden="true">
          ▲
        </span>
        <span className="words">
          Not saved
          <span className="roomy">: memory only</span>
          {storage.why && <span className="visually-hidden"> ({storage.why})</span>}
        </span>
      </span>
    );
  }
  const kept = storage.persisted
    ? 'The browser has promised to keep these files.'
    : 'The browser may clear these files when space runs short.';
  return (
    <span className="chip plain state" title={kept}>
      <span className="dot" aria-hidden="true">
        ●
      </span>
      Saved<span className="roomy"> in this browser</span>
      <span className="lesser file-bytes"> · {size(storage.fileBytes)}</span>
    </span>
  );
}

/** The buttons of the header in a menu, for a room that is too narrow for them. */
function HeaderMenu({ children }: { children: ReactNode }) {
  const menu = useRef<HTMLDivElement>(null);
  return (
    <>
      <Quiet className="more" popoverTarget="header-menu">
        <Icon name="more" />
        <span className="visually-hidden">Menu</span>
      </Quiet>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys fire clicks as well */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: its buttons are what is pressed */}
      <div
        ref={menu}
        id="header-menu"
        className="more-menu"
        popover="auto"
        onClick={() => menu.current?.hidePopover()}
      >
        {children}
      </div>
    </>
  );
}
