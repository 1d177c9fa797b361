import './Header.css';

import type { LessonState } from '../../model/engine.generated';
import type { Page } from '../../model/page';
import type { Theme } from '../../model/theme';
import { size } from '../../model/words';
import { Quiet } from '../shared/buttons';
import { useCommands, useViews } from '../shared/contexts';
import { writesText } from '../shared/stallText';
import { BranchMenu } from './BranchMenu';
import { HeaderMenu } from './HeaderMenu';

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
  /** There is room for the state only: everything else is in a menu. */
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

/** Everything that one can press. */
function Buttons(props: Props) {
  const { page, theme, asTable } = props;
  const { openWindow } = useViews();
  const open = page.connection.state === 'open';
  return (
    <>
      <ViewButtons page={page} disabled={!open} />
      <Quiet
        className="optional"
        aria-pressed={asTable}
        onClick={() => props.onAsTable(!asTable)}
        title="The same state as tables of text"
      >
        {asTable ? 'Picture' : 'As table'}
      </Quiet>
      <Quiet className="spare" onClick={() => openWindow('reset')} disabled={!open}>
        Reset
      </Quiet>
      <PresentButtons {...props} />
      <Quiet
        className="optional"
        onClick={() => props.onTheme(THEMES[theme].next)}
        title={`Colours: ${THEMES[theme].name}`}
      >
        <ThemeIcon theme={theme} />
        <span className="visually-hidden">Colours: {THEMES[theme].name}</span>
      </Quiet>
      <Quiet onClick={() => openWindow('help')} aria-label="Help and keys">
        {props.isPhone ? 'Help and keys' : '?'}
      </Quiet>
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
          Second window
        </a>
      )}
      <Quiet
        aria-pressed={isPresented}
        onClick={onPresent}
        title="For a lecture hall: everything larger, the stage alone (F5); + - 0 set the size"
      >
        {isPresented ? 'End' : 'Present'}
      </Quiet>
    </>
  );
}

/** Buttons for the other views: bytes, experiments, opened files. */
function ViewButtons({ page, disabled }: Pick<Props, 'page'> & { disabled: boolean }) {
  const { openWindow, inspect, experiment } = useViews();
  const { type } = useCommands();
  return (
    <>
      <Quiet
        onClick={() => openWindow('lessons')}
        disabled={disabled}
        title="Twelve lessons, each in a database of its own"
      >
        Lessons
      </Quiet>
      <Quiet
        className="lesser"
        onClick={() => type('share')}
        disabled={disabled || page.busy !== null}
        title="A link to what you did, and other copies of it"
      >
        Share
      </Quiet>
      <Quiet
        className="lesser"
        aria-pressed={page.inspecting}
        onClick={() => inspect(!page.inspecting)}
        disabled={disabled}
        title="Every byte of every file (b)"
      >
        Files
      </Quiet>
      <Quiet
        className="lesser"
        aria-pressed={page.experiment !== null}
        onClick={() => experiment(page.experiment === null ? '' : null)}
        disabled={disabled}
        title="Claims about storage engines, tried on real bytes (x)"
      >
        Experiments
      </Quiet>
      <Quiet
        className="optional"
        onClick={() => openWindow('open')}
        disabled={disabled}
        title="Look into files of other programs; take the database with you"
      >
        Open …
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
  if (connection.state === 'starting') return <span className="chip plain">Starting …</span>;
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
    <span className="chip plain" title={kept}>
      <span className="dot" aria-hidden="true">
        ●
      </span>
      Saved<span className="roomy"> in this browser</span>
      <span className="lesser file-bytes"> · {size(storage.fileBytes)}</span>
    </span>
  );
}

function ThemeIcon({ theme }: { theme: Theme }) {
  const d = {
    light:
      'M8 4.5a3.5 3.5 0 1 1 0 7a3.5 3.5 0 0 1 0-7zM7.3 0h1.4v3H7.3zM7.3 13h1.4v3H7.3zM0 7.3h3v1.4H0zM13 7.3h3v1.4h-3z',
    dark: 'M6 1.5a6.8 6.8 0 1 0 8.5 8.7A6 6 0 0 1 6 1.5z',
    system: 'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1zM8 2.6v10.8a5.4 5.4 0 0 0 0-10.8z',
  }[theme];
  return (
    <svg viewBox="0 0 16 16" width={16} height={16} aria-hidden="true">
      <path d={d} fill="currentColor" fillRule="evenodd" />
    </svg>
  );
}
