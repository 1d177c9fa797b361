import {
  memo,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { type MenuTarget, objectMenu } from '../model/objectMenu';
import { historyOf, type Page, placeOf } from '../model/page';
import { objectOf } from '../model/selection';
import { momentOf, shown } from '../model/shown';
import { lastTouched } from '../model/touched';
import type { Goal } from '../model/travel';
import { gatherChosen, gatherDropped } from '../share/gather';
import { BytesView } from '../views/Bytes/BytesView';
import { Header } from '../views/Header/Header';
import { Notice } from '../views/Header/Notice';
import { Inspector } from '../views/Inspector/Inspector';
import { LabsView } from '../views/Labs/LabsView';
import { ObjectMenu } from '../views/ObjectMenu/ObjectMenu';
import { Stage } from '../views/Stage/Stage';
import { StageTable } from '../views/Stage/StageTable';
import { Narration } from '../views/Timeline/Narration';
import { TimelineBar } from '../views/Timeline/TimelineBar';
import { BreakDialog } from '../views/windows/BreakDialog';
import { CrashDialog } from '../views/windows/CrashDialog';
import { ForkDialog } from '../views/windows/ForkDialog';
import { HelpPanel } from '../views/windows/HelpPanel';
import { OpenDialog } from '../views/windows/OpenDialog';
import { OptionsPanel } from '../views/windows/OptionsPanel';
import { ResetDialog } from '../views/windows/ResetDialog';
import { Layout } from './Layout';
import type { Lab } from './lab';
import { loadOpening } from './opening';
import { localStore } from './preferences';
import { SMALL, TerminalPane, TOUCH } from './TerminalPane';
import { timeKeys } from './timeKeys';
import { useDrop } from './useDrop';
import { type KeyMap, useKeys } from './useKeys';
import { useLeaving } from './useLeaving';
import { useMedia } from './useMedia';
import { useObjectMenu } from './useObjectMenu';
import { usePreferences } from './usePreferences';
import { ViewHistory } from './viewHistory';
import { KEYS } from './welcome';

/** The picture follows every change, by itself. */
const LiveStage = memo(function LiveStage({ lab }: { lab: Lab }) {
  const page = shown(useSyncExternalStore(lab.store.subscribe, lab.store.get));
  return <Stage page={page} onSelect={lab.select} />;
});

/** The Lab: picture, inspector, narration and terminal of one database. */
export function App({ lab, onReload }: { lab: Lab; onReload(): void }) {
  const page = shown(useSyncExternalStore(lab.calm.subscribe, lab.calm.get));
  const { preferences, change } = usePreferences();
  const [whyAsked, setWhyAsked] = useState(0);
  const [asTable, setAsTable] = useState(false);
  const focusTerminal = useRef<() => void>(() => {});
  const open = page.window;
  const close = useCallback(() => lab.openWindow(null), [lab]);
  const focusStage = useCallback(() => document.getElementById('stage')?.focus(), []);
  const onReady = useCallback((focus: () => void) => {
    focusTerminal.current = focus;
  }, []);
  const frame = useRef<HTMLDivElement>(null);
  const menus = useObjectMenu(frame, page.selection, page.connection.state === 'open');
  const menu = menus.place && menuOf(page, menus.place.target);
  useEffect(() => {
    const views = new ViewHistory(window, lab.store);
    return () => views.dispose();
  }, [lab]);
  useLeaving(lab.store);
  const closeFull = useCallback(() => {
    lab.closeFull();
    requestAnimationFrame(focusStage);
  }, [lab, focusStage]);

  const goTo = useCallback((step: number) => lab.go({ to: 'step', step }, 'jump'), [lab]);
  const why = useCallback(() => {
    const { step } = placeOf(lab.store.get());
    if (step < 1) return;
    setWhyAsked((asked) => asked + 1);
    lab.type(`why ${step}`);
  }, [lab]);
  const keys: KeyMap = useMemo(() => {
    const jump = (goal: Goal) => () => lab.go(goal, 'jump');
    return {
      ...timeKeys(lab),
      r: () => lab.type('run'),
      w: why,
      '[': jump({ to: 'mark', direction: -1 }),
      ']': jump({ to: 'mark', direction: 1 }),
      '/': () => focusTerminal.current(),
      g: focusStage,
      b: () => lab.inspect(true),
      Escape: closeFull,
      x: () => lab.experiment(''),
      '?': () => lab.openWindow('help'),
      m: menus.openHere,
    };
  }, [lab, closeFull, focusStage, why, menus.openHere]);
  const windowOpen = open !== null || page.asking !== null || menu !== null;
  useKeys(keys, preferences.singleKeys && !windowOpen && page.connection.state === 'open');

  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    lab.pick = () => input.current?.click();
  }, [lab]);
  const isOpen = page.connection.state === 'open';
  const isDropping = useDrop(isOpen, (transfer) => {
    close();
    void lab.openFiles(gatherDropped(transfer));
  });

  const narrow = useMedia(SMALL);
  const touch = useMedia(TOUCH);
  const plain = preferences.plainTerminal ?? (narrow || touch);
  const reopen = (storage: 'auto' | 'memory', takeOver: boolean) =>
    void lab.open({ ...loadOpening(localStore()), storage, takeOver });

  return (
    <div className="app" ref={frame}>
      <Header
        page={page}
        theme={preferences.theme}
        asTable={asTable}
        onTheme={(theme) => change({ theme })}
        onAsTable={setAsTable}
        onBytes={() => lab.inspect(!page.inspecting)}
        onExperiments={() => lab.experiment(page.experiment === null ? '' : null)}
        onOpen={() => lab.openWindow('open')}
        onOptions={() => lab.openWindow('options')}
        onHelp={() => lab.openWindow('help')}
        onReset={() => lab.openWindow('reset')}
        onType={lab.type}
      />
      <Notice
        connection={page.connection}
        readOnly={page.view.readOnly}
        inMemory={page.branch !== 0 || page.storage.kind !== 'opfs'}
        onTakeOver={() => reopen('auto', true)}
        onOpenInMemory={() => reopen('memory', false)}
        onReload={onReload}
      />
      <Layout
        stacked={narrow}
        stage={asTable ? <StageTable page={page} onSelect={lab.select} /> : <LiveStage lab={lab} />}
        isPast={page.isPast}
        full={
          page.connection.state !== 'open' ? null : page.experiment !== null ? (
            <LabsView
              page={page}
              lab={page.experiment}
              ask={lab.ask}
              onPick={lab.experiment}
              onType={lab.type}
              onStop={lab.stopCommand}
              onClose={closeFull}
            />
          ) : page.inspecting ? (
            <BytesView
              page={page}
              moment={momentOf(page)}
              ask={lab.ask}
              asTable={asTable}
              onSelect={lab.select}
              onType={lab.type}
              onOpen={() => lab.openWindow('open')}
              onClose={closeFull}
            />
          ) : null
        }
        inspector={
          <Inspector
            page={page}
            ask={lab.ask}
            onSelect={lab.select}
            onType={lab.type}
            onGo={goTo}
            whyAsked={whyAsked}
            onBytes={() => lab.inspect(true)}
          />
        }
        story={
          isApart(page) ? null : (
            <section className={page.isPast ? 'story past' : 'story'} aria-label="What happened">
              <Narration
                event={page.event}
                cause={page.cause}
                place={page.place}
                last={page.last}
                isPast={page.isPast}
                isBookmarked={page.marks.some(
                  ({ step, kind }) => kind === 'bookmark' && step === page.place.step,
                )}
                breakpoints={page.breakpoints.length}
                next={page.next}
                announcement={page.announcement}
                disabled={page.connection.state !== 'open'}
                onType={lab.type}
                onGo={goTo}
                onWhy={why}
                onBookmark={lab.toggleBookmark}
                onBreakpoints={() => lab.openWindow('break')}
                onCrash={() => lab.openWindow('crash')}
              />
              <TimelineBar
                page={page}
                onType={lab.type}
                onGo={lab.go}
                onForward={lab.forward}
                onTogglePlay={lab.togglePlay}
                onStop={lab.stopCommand}
                onGrain={lab.setGrain}
                onSpeed={lab.setSpeed}
              />
            </section>
          )
        }
        terminal={
          <TerminalPane
            session={lab.terminal}
            plain={plain}
            onSelect={lab.select}
            onLeave={focusStage}
            onReady={onReady}
          />
        }
      />
      {menus.place && menu && (
        <ObjectMenu
          menu={menu}
          x={menus.place.x}
          y={menus.place.y}
          onType={lab.type}
          onClose={menus.close}
        />
      )}
      <input
        ref={input}
        className="visually-hidden"
        type="file"
        multiple
        tabIndex={-1}
        aria-hidden="true"
        onChange={({ target }) => {
          if (target.files) void lab.openFiles(gatherChosen([...target.files]));
          target.value = '';
        }}
      />
      {isDropping && (
        <div className="drop-target">
          <p>
            Drop files to look inside them
            <small>tables, logs, directories and zip archives; nothing is sent anywhere</small>
          </p>
        </div>
      )}
      {open === 'open' && (
        <OpenDialog
          ask={lab.ask}
          onFiles={(files) => void lab.openFiles(gatherChosen(files))}
          onType={(command) => {
            close();
            lab.type(command);
          }}
          onClose={close}
        />
      )}
      {open === 'options' && (
        <OptionsPanel
          options={page.options}
          presets={page.presets}
          preset={page.preset}
          onType={lab.type}
          onClose={close}
        />
      )}
      {open === 'help' && (
        <HelpPanel
          keys={KEYS}
          singleKeys={preferences.singleKeys}
          plainTerminal={plain}
          onSingleKeys={(singleKeys) => change({ singleKeys })}
          onPlainTerminal={(plainTerminal) => change({ plainTerminal })}
          onClose={close}
        />
      )}
      {open === 'break' && (
        <BreakDialog
          breakpoints={page.breakpoints}
          marks={page.marks}
          timeline={historyOf(page).timeline}
          onType={lab.type}
          onGo={goTo}
          onClose={close}
        />
      )}
      {open === 'crash' && <CrashDialog onType={lab.type} onClose={close} />}
      {page.asking && (
        <ForkDialog command={page.asking.command} step={page.asking.step} onChoose={lab.answer} />
      )}
      {open === 'reset' && (
        <ResetDialog
          view={page.view}
          fileBytes={page.storage.fileBytes}
          onConfirm={() => {
            lab.type('reset --yes');
            close();
          }}
          onClose={close}
        />
      )}
    </div>
  );
}

/** The menu of an object at the step shown. */
function menuOf(page: Page, target: MenuTarget) {
  const { step } = page.place;
  const id = objectOf(target.selection);
  return objectMenu(target, {
    view: page.view,
    step,
    isBookmarked: page.marks.some((mark) => mark.kind === 'bookmark' && mark.step === step),
    touchedAt: id === null ? null : lastTouched(historyOf(page).timeline, id, step),
  });
}

/** Whether what is shown is no part of the history: an experiment, or a file from outside. */
function isApart({ experiment, inspecting, selection }: Page): boolean {
  return experiment !== null || (inspecting && selection?.startsWith('@') === true);
}
