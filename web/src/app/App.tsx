import { useCallback, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { causeOf } from '../model/page';
import { Header } from '../views/Header';
import { HelpPanel } from '../views/HelpPanel';
import { Inspector } from '../views/Inspector';
import { Narration } from '../views/Narration';
import { Notice } from '../views/Notice';
import { OptionsPanel } from '../views/OptionsPanel';
import { ResetDialog } from '../views/ResetDialog';
import { Stage } from '../views/Stage';
import { StageTable } from '../views/StageTable';
import { Transport } from '../views/Transport';
import { Layout } from './Layout';
import type { Lab } from './lab';
import { loadOpening } from './opening';
import { localStore } from './preferences';
import { SMALL, TerminalPane, TOUCH } from './TerminalPane';
import { useFragment } from './useFragment';
import { type KeyMap, useKeys } from './useKeys';
import { useMedia } from './useMedia';
import { usePreferences } from './usePreferences';
import { KEYS } from './welcome';

type Window = 'options' | 'help' | 'reset' | null;

/** The Lab: picture, inspector, narration and terminal of one database. */
export function App({ lab, onReload }: { lab: Lab; onReload(): void }) {
  const page = useSyncExternalStore(lab.store.subscribe, lab.store.get);
  const { preferences, change } = usePreferences();
  const [open, setOpen] = useState<Window>(null);
  const [asTable, setAsTable] = useState(false);
  const focusTerminal = useRef<() => void>(() => {});
  const close = useCallback(() => setOpen(null), []);
  const focusStage = useCallback(() => document.getElementById('stage')?.focus(), []);
  const onReady = useCallback((focus: () => void) => {
    focusTerminal.current = focus;
  }, []);
  useFragment(page.selection, lab.select);

  const keys: KeyMap = useMemo(
    () => ({
      s: () => {
        const { grain } = lab.store.get();
        lab.type(grain === 'phase' ? 'step' : `step ${grain}`);
      },
      p: lab.togglePlay,
      r: () => lab.type('run'),
      '/': () => focusTerminal.current(),
      g: focusStage,
      '?': () => setOpen('help'),
    }),
    [lab, focusStage],
  );
  useKeys(keys, preferences.singleKeys && open === null && page.connection.state === 'open');

  const narrow = useMedia(SMALL);
  const touch = useMedia(TOUCH);
  const plain = preferences.plainTerminal ?? (narrow || touch);
  const reopen = (storage: 'auto' | 'memory', takeOver: boolean) =>
    void lab.open({ ...loadOpening(localStore()), storage, takeOver });

  return (
    <div className="app">
      <Header
        page={page}
        theme={preferences.theme}
        asTable={asTable}
        onTheme={(theme) => change({ theme })}
        onAsTable={setAsTable}
        onOptions={() => setOpen('options')}
        onHelp={() => setOpen('help')}
        onReset={() => setOpen('reset')}
      />
      <Notice
        connection={page.connection}
        readOnly={page.view.readOnly}
        onTakeOver={() => reopen('auto', true)}
        onOpenInMemory={() => reopen('memory', false)}
        onReload={onReload}
      />
      <Layout
        stacked={narrow}
        stage={
          asTable ? (
            <StageTable page={page} onSelect={lab.select} />
          ) : (
            <Stage page={page} onSelect={lab.select} />
          )
        }
        inspector={<Inspector page={page} ask={lab.ask} onSelect={lab.select} onType={lab.type} />}
        story={
          <section className="story" aria-label="What happened">
            <Narration
              event={page.events[page.events.length - 1] ?? null}
              cause={causeOf(page)}
              next={page.next}
              announcement={page.announcement}
            />
            <Transport
              page={page}
              onType={lab.type}
              onTogglePlay={lab.togglePlay}
              onStop={lab.stopCommand}
              onGrain={lab.setGrain}
              onSpeed={lab.setSpeed}
            />
          </section>
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
