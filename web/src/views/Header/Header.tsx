import './Header.css';

import { type ComponentProps, type ReactNode, useRef } from 'react';
import type { LessonState } from '../../model/engine.generated';
import type { Page } from '../../model/page';
import type { Theme } from '../../model/theme';
import { size } from '../../model/words';
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
  const open = page.connection.state === 'open';
  const preset = <PresetButton preset={page.preset} disabled={!open} />;
  return (
    <header>
      <h1>Levelscope</h1>
      <StorageBadge page={page} />
      {!isPhone && preset}
      <BranchMenu
        branches={page.branches}
        branch={page.branch}
        disabled={!open || page.busy !== null}
      />
      <WritesBadge view={page.view} />
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

function PresetButton({ preset, disabled }: { preset: string; disabled: boolean }) {
  const { openWindow } = useViews();
  return (
    <button
      type="button"
      className="chip lesser"
      onClick={() => openWindow('options')}
      disabled={disabled}
    >
      <span className="roomy">preset</span> {preset} <span aria-hidden="true">▾</span>
    </button>
  );
}

/** All buttons, in groups: to learn, to look, to share, to present. */
function Buttons(props: Props) {
  return (
    <>
      <ViewButtons {...props} />
      <PresentButtons {...props} />
      <PageButtons {...props} />
    </>
  );
}

interface HeaderButtonProps extends ComponentProps<typeof Quiet> {
  icon: IconName;
}

function HeaderButton({ icon, children, ...rest }: HeaderButtonProps) {
  return (
    <Quiet {...rest}>
      <Icon name={icon} />
      {children}
    </Quiet>
  );
}

/** The other views, and copies of the session. */
function ViewButtons({ page, asTable, onAsTable }: Props) {
  const { openWindow, inspect, experiment } = useViews();
  const { type } = useCommands();
  const disabled = page.connection.state !== 'open';
  return (
    <>
      <HeaderButton
        icon="lessons"
        onClick={() => openWindow('lessons')}
        disabled={disabled}
        title="Twelve lessons, each in a database of its own"
      >
        Lessons
      </HeaderButton>
      <HeaderButton
        icon="experiments"
        className="lesser"
        aria-pressed={page.experiment !== null}
        onClick={() => experiment(page.experiment === null ? '' : null)}
        disabled={disabled}
        title="Claims about storage engines, tried on real bytes (x)"
      >
        Experiments
      </HeaderButton>
      <HeaderButton
        icon="files"
        className="lesser begins"
        aria-pressed={page.inspecting}
        onClick={() => inspect(!page.inspecting)}
        disabled={disabled}
        title="Every byte of every file (b)"
      >
        Files
      </HeaderButton>
      <HeaderButton
        icon="open"
        className="optional"
        onClick={() => openWindow('open')}
        disabled={disabled}
        title="Look into files of other programs; take the database with you"
      >
        Open …
      </HeaderButton>
      <HeaderButton
        icon="table"
        className="optional"
        aria-pressed={asTable}
        onClick={() => onAsTable(!asTable)}
        title="The same state as tables of text"
      >
        {asTable ? 'Picture' : 'As table'}
      </HeaderButton>
      <HeaderButton
        icon="share"
        className="lesser begins"
        onClick={() => type('share')}
        disabled={disabled || page.busy !== null}
        title="A link to what you did, and other copies of it"
      >
        Share
      </HeaderButton>
    </>
  );
}

/** Begins and ends a presentation, in one window or in two. */
function PresentButtons({ audience, isPresented, onPresent }: Props) {
  return (
    <>
      {audience !== null && (
        <a
          className="quiet"
          href={audience}
          target={AUDIENCE_WINDOW}
          title="A window for the projector: this one becomes yours, with notes, clock and hands"
        >
          <Icon name="window" />
          Second window
        </a>
      )}
      <HeaderButton
        icon="present"
        aria-pressed={isPresented}
        onClick={onPresent}
        title="For a lecture hall: everything larger, the stage alone (F5); + - 0 set the size"
      >
        {isPresented ? 'End' : 'Present'}
      </HeaderButton>
    </>
  );
}

/** The buttons of the page itself. */
function PageButtons({ page, theme, onTheme, isPhone }: Props) {
  const { openWindow } = useViews();
  return (
    <>
      <HeaderButton
        icon="reset"
        className="spare begins"
        onClick={() => openWindow('reset')}
        disabled={page.connection.state !== 'open'}
      >
        Reset
      </HeaderButton>
      <HeaderButton
        icon={theme}
        className="optional begins"
        onClick={() => onTheme(THEMES[theme].next)}
        title={`Colours: ${THEMES[theme].name}`}
      >
        <span className="visually-hidden">Colours: {THEMES[theme].name}</span>
      </HeaderButton>
      <HeaderButton icon="help" onClick={() => openWindow('help')} aria-label="Help and keys">
        {isPhone && 'Help and keys'}
      </HeaderButton>
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
