import { type ReactNode, useCallback } from 'react';
import type { LensFailure } from '../lens/protocol';
import { messageOf } from '../model/failures';
import { directory } from '../model/page';
import { counted } from '../model/words';
import type { Listed } from '../share/entries';
import { gather } from '../share/gather';
import { Action } from '../views/shared/buttons';
import { Lazy } from '../views/shared/Lazy';
import { lazyPart } from '../views/shared/lazyPart';
import type { Lab } from './lab';
import type { TerminalLook } from './lensPart';
import { isLesson } from './lessonControls';
import { isScript } from './sharedControls';

const part = lazyPart(() => import('./lensPart'));

/**
 * The lens in its place on the page. `screen`: the directory of another engine, while the address (`name`) leads to one;
 * `onFiles`: takes files that a person has dropped or chosen.
 */
export function useLens(lab: Lab, name: string | null, look: TerminalLook) {
  const leave = useCallback(() => lab.store.update((page) => directory(page, null)), [lab]);
  const onFiles = useCallback((listing: Promise<Listed[]>) => void receive(lab, listing), [lab]);
  const onEntries = useCallback(
    (log: File) => {
      leave();
      void lab.files.importEntries(log);
    },
    [lab, leave],
  );
  const screen: ReactNode =
    name === null ? null : (
      <Lazy part={part} name="view of directories" instead={<Missing onLeave={leave} />}>
        {({ LensPart }) => <LensPart {...{ name, look, onEntries }} onLeave={leave} />}
      </Lazy>
    );
  return { screen, onFiles };
}

/** In the place of a part that does not come. */
function Missing({ onLeave }: { onLeave(): void }) {
  return <Action onClick={onLeave}>Back to the playground</Action>;
}

/** Opens files of another engine in the lens, which decides what they are, and all others in the lab. */
async function receive(lab: Lab, listing: Promise<Listed[]>): Promise<void> {
  const listed = await listing;
  if (!(await isPlayed(listed))) {
    const failure = await openInLens(lab, listed);
    if (failure === null) return;
    if (failure.kind === 'unserved') lab.note('bad', failure.message);
  }
  lab.store.update((page) => directory(page, null));
  await lab.files.open(gather(listed));
}

/** Whether there is nothing to be recognized: no file, or a single one that is played. */
async function isPlayed(listed: readonly Listed[]): Promise<boolean> {
  const [only] = listed;
  if (only === undefined || listed.length > 1) return only === undefined;
  try {
    const bytes = new Uint8Array(await only.file.slice(0, BEGIN_BYTES).arrayBuffer());
    const file = { name: only.path, bytes };
    return isLesson(file) || isScript(file);
  } catch {
    return false;
  }
}

/** What tells a script. */
const BEGIN_BYTES = 64;
/** After so long the page says what it is doing [ms]. */
const SLOW_MS = 1000;

/** Opens files in the lens; why they are left to the lab, `null`: they are not. */
async function openInLens(lab: Lab, listed: readonly Listed[]): Promise<LensFailure | null> {
  const isShown = lab.store.get().directory !== null;
  const show = () => lab.store.update((page) => directory(page, ''));
  const tellSlow = () => lab.note('dim', `Looking into ${counted(listed.length, 'file')} …`);
  const slow = setTimeout(tellSlow, SLOW_MS);
  try {
    const { openForeign } = await part.load();
    return await openForeign(listed, isShown, show);
  } catch (error) {
    const what = 'The part of the page that reads directories did not come';
    return { kind: 'unserved', message: `${what}: ${messageOf(error)}` };
  } finally {
    clearTimeout(slow);
  }
}
