import { type ReactNode, useCallback } from 'react';
import type { Address } from '../model/address';
import { messageOf } from '../model/failures';
import { directory } from '../model/page';
import { counted } from '../model/words';
import type { Listed } from '../share/entries';
import type { ForeignFile } from '../share/foreign';
import { Action } from '../views/shared/buttons';
import { Lazy } from '../views/shared/Lazy';
import { lazyPart } from '../views/shared/lazyPart';
import type { Lab } from './lab';
import type { TerminalLook } from './lensPart';
import { isLesson } from './lessonControls';
import { isScript } from './sharedControls';

const part = lazyPart(() => import('./lensPart'));

/**
 * The lens in its place on the page. `screen`: the directory that is open, while the address (`page`) leads to one;
 * `onFiles`: takes files that a person has dropped or chosen.
 */
export function useLens(lab: Lab, page: Address, look: TerminalLook) {
  const { directory: name, opened, inspecting } = page;
  const onDirectory = useCallback(
    (name: string | null) => lab.store.update((page) => directory(page, name)),
    [lab],
  );
  const onLeave = useCallback(() => onDirectory(null), [onDirectory]);
  const onFiles = useCallback((listing: Promise<Listed[]>) => void receive(lab, listing), [lab]);
  const onBranch = useCallback(
    (files: readonly ForeignFile[]) => {
      onLeave();
      void lab.files.importFiles(files);
    },
    [lab, onLeave],
  );
  // Shown when the part cannot be loaded.
  const missing = <Action onClick={onLeave}>Back to the playground</Action>;
  const screen: ReactNode =
    name === null ? null : (
      <Lazy part={part} name="view of directories" instead={missing}>
        {({ LensPart }) => (
          <LensPart {...{ name, look, onBranch, onDirectory, onLeave, opened, inspecting }} />
        )}
      </Lazy>
    );
  return { screen, onFiles };
}

/** Plays a lesson or a script, and opens all other files in the lens, which recognizes them. */
async function receive(lab: Lab, listing: Promise<Listed[]>): Promise<void> {
  const listed = await listing;
  const [only] = listed;
  if (only === undefined) {
    lab.note('dim', 'There was no file to open.');
    return;
  }
  if (listed.length === 1 && (await isPlayed(only))) {
    lab.store.update((page) => directory(page, null));
    await lab.files.play(only);
    return;
  }
  await openInLens(lab, listed);
}

/** Whether a file is a lesson or a script. */
async function isPlayed({ path, file }: Listed): Promise<boolean> {
  try {
    const bytes = new Uint8Array(await file.slice(0, BEGIN_BYTES).arrayBuffer());
    return isLesson({ name: path, bytes }) || isScript({ name: path, bytes });
  } catch {
    return false;
  }
}

/** Enough to detect a script [bytes]. */
const BEGIN_BYTES = 64;
/** The page reports slow work after this time [ms]. */
const SLOW_MS = 1000;

async function openInLens(lab: Lab, listed: readonly Listed[]): Promise<void> {
  const isShown = lab.store.get().directory !== null;
  const show = () => lab.store.update((page) => directory(page, ''));
  const work = `Looking into ${counted(listed.length, 'file')} …`;
  const slow = setTimeout(() => lab.note('dim', work), SLOW_MS);
  try {
    const { openForeign } = await part.load();
    await openForeign(listed, isShown, show);
  } catch (error) {
    const what = 'The part of the page that reads files did not come';
    lab.note('bad', `${what}: ${messageOf(error)}`);
  } finally {
    clearTimeout(slow);
  }
}
