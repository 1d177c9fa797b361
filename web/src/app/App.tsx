import { memo, useCallback, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { placeOf } from '../model/page';
import { type Page, shown } from '../model/shown';
import { BytesView } from '../views/Bytes/BytesView';
import { Header } from '../views/Header/Header';
import { Notice } from '../views/Header/Notice';
import { Inspector } from '../views/Inspector/Inspector';
import { LabsView } from '../views/Labs/LabsView';
import { ObjectMenu } from '../views/ObjectMenu/ObjectMenu';
import { Stage } from '../views/Stage/Stage';
import { StageTable } from '../views/Stage/StageTable';
import { FilesIn } from './FilesIn';
import { Layout } from './Layout';
import type { Lab } from './lab';
import { menuAt } from './menuAt';
import { Offers } from './Offers';
import { loadOpening } from './opening';
import { pageKeys } from './pageKeys';
import { localStore } from './preferences';
import { isApart, Story } from './Story';
import { SMALL, TerminalPane, TOUCH } from './TerminalPane';
import { useKeys } from './useKeys';
import { useLeaving } from './useLeaving';
import { useMedia } from './useMedia';
import { useObjectMenu } from './useObjectMenu';
import { usePreferences } from './usePreferences';
import { useViewHistory } from './useViewHistory';
import { Windows } from './Windows';

/** The picture follows every change, by itself. */
const LiveStage = memo(function LiveStage({ lab }: { lab: Lab }) {
  return <Stage page={shown(useSyncExternalStore(lab.store.subscribe, lab.store.get))} />;
});

const focusStage = () => document.getElementById('stage')?.focus();

/** The Lab: picture, inspector, narration and terminal of one database. */
export function App({ lab, onReload }: { lab: Lab; onReload(): void }) {
  const page = shown(useSyncExternalStore(lab.calm.subscribe, lab.calm.get));
  const { preferences, change } = usePreferences();
  const [asTable, setAsTable] = useState(false);
  const { why, whyAsked } = useWhy(lab);
  const frame = useRef<HTMLDivElement>(null);
  const isOpen = page.connection.state === 'open';
  const menus = useObjectMenu(frame, page.selection, isOpen);
  const menu = menuAt(page, menus.place);
  const narrow = useMedia(SMALL);
  const touch = useMedia(TOUCH);
  const plain = preferences.plainTerminal ?? (narrow || touch);
  useViewHistory(lab.store);
  useLeaving(lab.store);
  const closeFull = useCallback(() => {
    lab.closeFull();
    requestAnimationFrame(focusStage);
  }, [lab]);
  const { focusTerminal, onReady } = useTerminalFocus();
  const { openHere: openMenu } = menus;
  const keys = useMemo(
    () => pageKeys(lab, { why, closeFull, focusStage, focusTerminal, openMenu }),
    [lab, why, closeFull, focusTerminal, openMenu],
  );
  const isCovered = page.window !== null || page.asking !== null || menu !== null;
  useKeys(keys, preferences.singleKeys && !isCovered && isOpen);

  return (
    <Offers lab={lab} page={page} why={why} closeFull={closeFull}>
      <div className="app" ref={frame}>
        <Header
          page={page}
          theme={preferences.theme}
          asTable={asTable}
          onTheme={(theme) => change({ theme })}
          onAsTable={setAsTable}
        />
        <Obstacle lab={lab} page={page} onReload={onReload} />
        <Layout
          stacked={narrow}
          stage={asTable ? <StageTable page={page} /> : <LiveStage lab={lab} />}
          isPast={page.isPast}
          full={fullView(page, asTable)}
          inspector={<Inspector page={page} whyAsked={whyAsked} />}
          story={isApart(page) ? null : <Story page={page} />}
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
          <ObjectMenu menu={menu} x={menus.place.x} y={menus.place.y} onClose={menus.close} />
        )}
        <FilesIn lab={lab} isOpen={isOpen} />
        <Windows lab={lab} page={page} preferences={preferences} plain={plain} onChange={change} />
      </div>
    </Offers>
  );
}

/** Focuses the terminal; the terminal hands over the function for this once it is loaded. */
function useTerminalFocus() {
  const focus = useRef<() => void>(() => {});
  const onReady = useCallback((ready: () => void) => {
    focus.current = ready;
  }, []);
  const focusTerminal = useCallback(() => focus.current(), []);
  return { focusTerminal, onReady };
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
  return page.inspecting ? <BytesView page={page} asTable={asTable} /> : null;
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
