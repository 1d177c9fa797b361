import '../views/windows/windows.css';

import { historyOf } from '../model/page';
import type { Page } from '../model/shown';
import { type Listed, listChosen } from '../share/entries';
import type { Copy } from '../views/Header/NewVersion';
import { LessonsDialog } from '../views/Lesson/LessonsDialog';
import { OfferedDialog } from '../views/Share/OfferedDialog';
import { pictureWords } from '../views/Share/pictureWords';
import { ShareDialog } from '../views/Share/ShareDialog';
import { useStore } from '../views/shared/useStore';
import { BreakDialog } from '../views/windows/BreakDialog';
import { CrashDialog } from '../views/windows/CrashDialog';
import { ForkDialog } from '../views/windows/ForkDialog';
import { HelpPanel } from '../views/windows/HelpPanel';
import { OpenDialog } from '../views/windows/OpenDialog';
import { OptionsPanel } from '../views/windows/OptionsPanel';
import { ResetDialog } from '../views/windows/ResetDialog';
import type { Lab } from './lab';
import type { Preferences } from './preferences';
import { KEYS } from './welcome';

interface Props {
  lab: Lab;
  page: Page;
  preferences: Preferences;
  /** Whether the terminal has its plain form. */
  plain: boolean;
  copy: Copy;
  onChange(preferences: Partial<Preferences>): void;
  /** Takes files that a person has chosen. */
  onFiles(listing: Promise<Listed[]>): void;
}

/** The window in front of the page, and the dialog about a command in the past. */
export function Windows(props: Props) {
  const { lab, page } = props;
  return (
    <>
      <Open {...props} />
      {page.asking && <ForkDialog {...page.asking} onChoose={lab.answer} />}
      <Shared lab={lab} page={page} />
    </>
  );
}

/** The windows of an opened link and of a share. */
function Shared({ lab: { shared }, page }: Pick<Props, 'lab' | 'page'>) {
  const offered = useStore(shared.offered);
  const handedOut = useStore(shared.handedOut);
  return (
    <>
      {handedOut && (
        <ShareDialog {...handedOut} words={pictureWords(page)} onClose={shared.close} />
      )}
      {offered && <OfferedDialog {...offered} onRun={shared.accept} onClose={shared.refuse} />}
    </>
  );
}

function Open({ lab, page, preferences, plain, copy, onChange, onFiles }: Props) {
  const { isComplete } = useStore(copy);
  const close = () => lab.openWindow(null);
  const { options, presets, preset, breakpoints, marks } = page;
  const { timeline } = historyOf(page);
  switch (page.window) {
    case null:
      return null;
    case 'open':
      return (
        <OpenDialog
          onFiles={(files) => onFiles(Promise.resolve(listChosen(files)))}
          onClose={close}
        />
      );
    case 'options':
      return <OptionsPanel {...{ options, presets, preset }} onClose={close} />;
    case 'help':
      return (
        <HelpPanel
          keys={KEYS}
          singleKeys={preferences.singleKeys}
          plainTerminal={plain}
          worksOffline={isComplete}
          onSingleKeys={(singleKeys) => onChange({ singleKeys })}
          onPlainTerminal={(plainTerminal) => onChange({ plainTerminal })}
          onClose={close}
        />
      );
    case 'break':
      return <BreakDialog {...{ breakpoints, marks, timeline }} onClose={close} />;
    case 'crash':
      return <CrashDialog at={page.cursor?.step ?? null} onClose={close} />;
    case 'lessons':
      return <LessonsDialog onClose={close} />;
    case 'reset':
      return (
        <ResetDialog
          view={page.view}
          onConfirm={() => {
            lab.type('reset --yes');
            close();
          }}
          onClose={close}
        />
      );
  }
}
