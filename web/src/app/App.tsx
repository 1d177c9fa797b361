import { memo, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { comparisonShown } from '../model/comparison';
import type { LessonState } from '../model/engine.generated';
import { lessonLink } from '../model/lessonLink';
import { placeOf } from '../model/page';
import { type Page, shown } from '../model/shown';
import { isHidden, isOutcomeHidden } from '../model/verdicts';
import { classes } from '../model/words';
import { typedShown } from '../present/typedShown';
import { BytesView } from '../views/Bytes/BytesView';
import { CompareView } from '../views/Compare/CompareView';
import { Header } from '../views/Header/Header';
import { type Copy, NewVersion } from '../views/Header/NewVersion';
import { Notice } from '../views/Header/Notice';
import { Inspector } from '../views/Inspector/Inspector';
import { LabsView } from '../views/Labs/LabsView';
import { LessonColumn } from '../views/Lesson/LessonColumn';
import { ObjectMenu } from '../views/ObjectMenu/ObjectMenu';
import { PageStage } from '../views/Stage/PageStage';
import { StageTable } from '../views/Stage/StageTable';
import { StartCard } from '../views/Start/StartCard';
import { Action } from '../views/shared/buttons';
import { focusQuietly } from '../views/shared/pointed';
import { TOUCH, useMedia } from '../views/shared/useMedia';
import { zoomed } from '../views/shared/usePageScale';
import { useStore } from '../views/shared/useStore';
import { Narration } from '../views/Timeline/Narration';
import { TimelineBar } from '../views/Timeline/TimelineBar';
import { useCompareTravel } from './compareTravel';
import { FilesIn } from './FilesIn';
import { useAppKeys } from './keys';
import { Layout } from './Layout';
import { useLens } from './LensScreen';
import type { Lab } from './lab';
import type { TerminalLook } from './lensPart';
import { Offers } from './Offers';
import { menuAt, useObjectMenu } from './objectMenus';
import { loadOpening } from './opening';
import { Phone } from './Phone';
import { audienceOf, Presenter, presenterKeys, presents } from './Presenter';
import { localStore, usePreferences } from './preferences';
import { TerminalPane } from './TerminalPane';
import { useLeaving } from './useLeaving';
import { useLessonShow } from './useLessonShow';
import { usePresentation } from './usePresentation';
import { type Sheet, useSheet } from './useSheet';
import { type Show, useShow } from './useShow';
import { useTaskFocus } from './useTaskFocus';
import { useViewHistory } from './viewHistory';
import { Windows } from './Windows';

/** The picture follows every change, by itself. */
const LiveStage = memo(function LiveStage({ lab }: { lab: Lab }) {
  return <PageStage page={shown(useStore(lab.store))} />;
});

function focusStage() {
  const stage = document.getElementById('stage');
  stage?.blur();
  stage?.focus();
}

/** Focuses the picture, where keys move through time; its focus ring appears only after keyboard use. */
function leaveToStage() {
  const stage = document.getElementById('stage');
  if (stage) focusQuietly(stage);
  else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

interface Props {
  lab: Lab;
  /** The copy of the page for times without a network. */
  copy: Copy;
  onReload(): void;
}

/** The Lab: picture, inspector, narration and terminal of one database. */
export function App({ lab, copy, onReload }: Props) {
  const page = shown(useStore(lab.calm));
  const { preferences, change } = usePreferences();
  const [asTable, setAsTable] = useState(false);
  const { why, whyAsked } = useWhy(lab);
  const frame = useRef<HTMLDivElement>(null);
  const isOpen = page.connection.state === 'open';
  // The menus are those of the lab's database, not of a directory on show.
  const menus = useObjectMenu(frame, page.selection, isOpen && page.directory === null);
  const menu = menuAt(page, menus.place);
  const touch = useMedia(TOUCH);
  const presented = usePresentation(lab);
  const show = useShow(preferences, change, presented, page.lesson !== null);
  const { isPhone } = show.room;
  const plain = preferences.plainTerminal ?? (isPhone || touch);
  const sheet = useSheet(page);
  useViewHistory(lab.store, lab.links);
  useLeaving(lab.store);
  useCompareTravel(lab);
  useUncovered(comparisonShown(page) !== null, show.actions.watch);
  useTold(lab, page.told, show);
  const closeFull = useCloseFull(lab);
  const { focusTerminal, onReady } = useTerminalFocus(isPhone ? sheet : null);
  // On a phone that would raise its keyboard over the task.
  useTaskFocus(page.lesson, plain || show.isFolded ? null : focusTerminal);
  const { openHere: openMenu } = menus;
  const isAnswering = show.isPresented && !show.isFolded && !show.isDark;
  const own = { why, closeFull, focusStage, focusTerminal, openMenu, isAnswering };
  const actions = { ...presenterKeys(presented, show, lab), ...own, leaveTerminal: leaveToStage };
  const isCovered = useShared(lab) || page.window !== null || page.asking !== null || menu !== null;
  const look = { show, preferences, plain, onReady, focusTerminal };
  const { screen, onFiles } = useLens(lab, page, look);
  useAppKeys(lab, actions, !isCovered && isOpen && screen === null, preferences.singleKeys);

  return (
    <Offers {...{ lab, page, why, closeFull }} presents={presents(presented)}>
      <div
        className={classOf(show)}
        ref={frame}
        style={zoomed(show.scale)}
        data-room={show.room.name}
      >
        {screen ?? (
          <>
            <Header
              {...{ page, asTable, isPhone }}
              theme={preferences.theme}
              onTheme={(theme) => change({ theme })}
              onAsTable={setAsTable}
              isPresented={show.isBegun}
              audience={audienceOf(presented, show)}
              onPresent={show.actions.present}
            />
            <Presenter {...{ presented, show, page, asTable }} />
            <NewVersion copy={copy} />
            <Obstacle lab={lab} page={page} onReload={onReload} />
            <Work {...{ lab, page, sheet, asTable, whyAsked }} {...look} />
          </>
        )}
        {menus.place && menu && <ObjectMenu {...menus.place} menu={menu} onClose={menus.close} />}
        <FilesIn lab={lab} isOpen={isOpen || screen !== null} onFiles={onFiles} />
        {show.isDark && <Curtain onEnd={show.actions.curtain} />}
        <Windows {...{ lab, copy, page, preferences, plain, onFiles }} onChange={change} />
      </div>
    </Offers>
  );
}

/** The looks of the whole page. */
function classOf({ isPresented, room }: Show): string {
  return classes('app', isPresented && 'presented', room.isPhone && 'phone');
}

interface WorkProps extends TerminalLook {
  lab: Lab;
  page: Page;
  sheet: Sheet;
  asTable: boolean;
  whyAsked: number;
}

/** Everything below the header, in its layout. */
function Work(props: WorkProps) {
  const { lab, page, show, sheet, asTable, whyAsked, plain, onReady } = props;
  const { isPhone, isLying } = show.room;
  const isLow = show.room.isLow || isPhone;
  // In a lecture hall, bytes also take the height of sentence and time.
  const isOutside = page.experiment !== null || comparisonShown(page) !== null;
  const apart = isOutside || (show.isPresented && page.inspecting);
  const column = page.lesson && <Side {...props} lesson={page.lesson} />;
  // Beside a lesson the picture takes the inspector's place, unless there is room for both.
  const hasRoom = column === null || show.room.width >= BOTH_MIN;
  const hasPanel = (show.hasPanel && hasRoom) || isPhone;
  useLessonShow(lab, page.lesson);
  const parts = {
    stage: (
      <>
        {asTable ? <StageTable page={page} /> : <LiveStage lab={lab} />}
        <StartCard page={page} />
      </>
    ),
    isPast: page.isPast,
    full: fullView(page, asTable),
    inspector: hasPanel ? <Inspector page={page} whyAsked={whyAsked} /> : null,
    column,
    narration: apart ? null : <Narration page={page} isLow={isLow} />,
    timeline: apart ? null : <TimelineBar page={page} />,
    terminal: (
      <TerminalPane
        session={lab.terminal}
        plain={plain}
        scale={show.scale}
        isFolded={show.isFolded && !isPhone}
        onUnfold={show.actions.unfold}
        isVeiled={isHidden(page) || isOutcomeHidden(page)}
        onSelect={lab.select}
        onLeave={() => {
          show.actions.leave();
          leaveToStage();
        }}
        onReady={onReady}
      />
    ),
  };
  if (isPhone) {
    const { selection } = page;
    // A phone on its side has room for the sheet at any time.
    const own: Sheet = isLying ? { ...sheet, size: 'half' } : sheet;
    return <Phone {...{ ...parts, selection }} sheet={own} onSwipe={lab.type} />;
  }
  const { terminalHeight, actions } = show;
  return (
    <Layout {...parts} terminalHeight={terminalHeight} onTerminalHeight={actions.terminalHeight} />
  );
}

/** Width from which lesson and inspector both have a place [px]. */
const BOTH_MIN = 1600;

type SideProps = WorkProps & { lesson: LessonState };

/** The lesson that is played, or the inspector in its place. */
function Side({ lab, page, show, lesson, whyAsked, focusTerminal }: SideProps) {
  const { inspects, inspect } = lab.lesson;
  if (!useStore(inspects)) {
    const onInspect = show.room.isPhone ? null : () => inspect(true);
    const onType = () => {
      show.actions.unfold();
      focusTerminal();
    };
    const isBusy = page.busy !== null;
    const onLink = lessonLink(lesson) === null ? null : lab.lesson.copyLink;
    return <LessonColumn {...{ lesson, isBusy, onInspect, onType, onLink }} />;
  }
  return (
    <div className="beside-lesson in-column">
      <Action className="rigid" onClick={() => inspect(false)}>
        Back to the lesson: {lesson.head.title}
      </Action>
      <Inspector page={page} whyAsked={whyAsked} />
    </div>
  );
}

/** A dark page: the room looks at the lecturer. */
function Curtain({ onEnd }: { onEnd(): void }) {
  return (
    <button type="button" className="curtain" onClick={onEnd}>
      <span className="visually-hidden">Show the page again</span>
    </button>
  );
}

/** Folds a terminal that was opened for one `compare` when its comparison appears. */
function useUncovered(isCompared: boolean, watch: () => void) {
  const fold = useEffectEvent(watch);
  useEffect(() => {
    if (isCompared) fold();
  }, [isCompared]);
}

/** In a hall, the terminal opens for the answer to a button that stands nowhere else; a person who types has it open. */
function useTold(lab: Lab, told: number, { isPresented, actions }: Show) {
  const open = useEffectEvent(() => {
    const answered = typedShown(lab.terminal.log)?.command;
    if (isPresented && answered === lab.pressed) actions.unfold();
  });
  useEffect(() => {
    if (told > 0) open();
  }, [told]);
}

/** Focuses the terminal, by a function that the terminal provides once it is loaded. On a phone, its sheet opens first. */
function useTerminalFocus(sheet: Sheet | null) {
  const focus = useRef<() => void>(() => {});
  const raise = useRef(sheet);
  useEffect(() => {
    raise.current = sheet;
  });
  const onReady = useCallback((ready: () => void) => {
    focus.current = ready;
  }, []);
  const focusTerminal = useCallback(() => {
    raise.current?.show('terminal');
    focus.current();
  }, []);
  return { focusTerminal, onReady };
}

/** Shows the picture again, with the keyboard in it. */
function useCloseFull(lab: Lab) {
  return useCallback(() => {
    lab.closeFull();
    requestAnimationFrame(leaveToStage);
  }, [lab]);
}

/** Whether the window of a share or of an opened link is on show. */
function useShared({ shared: { offered, handedOut } }: Lab): boolean {
  const isOffered = useStore(offered) !== null;
  return useStore(handedOut) !== null || isOffered;
}

/** Asks for the causes of the step shown; `whyAsked` counts how often. */
function useWhy(lab: Lab) {
  const [whyAsked, setWhyAsked] = useState(0);
  const why = useCallback(() => {
    const { step } = placeOf(lab.store.get());
    if (step < 1) return;
    setWhyAsked((asked) => asked + 1);
    lab.type(`why ${step}`);
  }, [lab]);
  return { why, whyAsked };
}

/** The view that takes the place of picture and inspector, if there is one. */
function fullView(page: Page, asTable: boolean) {
  if (page.connection.state !== 'open') return null;
  if (page.experiment !== null) return <LabsView page={page} lab={page.experiment} />;
  if (page.inspecting) return <BytesView page={page} asTable={asTable} />;
  const comparison = comparisonShown(page);
  return comparison && <CompareView page={page} comparison={comparison} />;
}

/** The problem that keeps the page from working as usual. */
function Obstacle({ lab, page, onReload }: { lab: Lab; page: Page; onReload(): void }) {
  const reopen = (storage: 'auto' | 'memory', takeOver: boolean) =>
    void lab.open({ ...loadOpening(localStore()), storage, takeOver });
  return (
    <Notice
      connection={page.connection}
      readOnly={page.view.readOnly}
      inMemory={page.branch !== 0 || page.storage.kind !== 'opfs'}
      onTakeOver={() => reopen('auto', true)}
      onOpenInMemory={() => reopen('memory', false)}
      onReload={onReload}
    />
  );
}
