import { type ReactNode, useCallback } from 'react';
import { looksForeign } from '../lens/looks';
import { messageOf } from '../model/failures';
import { directory } from '../model/page';
import { isArchive } from '../share/archive';
import type { Listed } from '../share/entries';
import { gather } from '../share/gather';
import { Action } from '../views/shared/buttons';
import { Lazy } from '../views/shared/Lazy';
import { lazyPart } from '../views/shared/lazyPart';
import type { Lab } from './lab';
import type { TerminalLook } from './lensPart';

const part = lazyPart(() => import('./lensPart'));

/**
 * The lens in its place on the page. `screen`: the directory of another engine, while the address (`name`) leads to one;
 * `onFiles`: takes files that a person has dropped or chosen.
 */
export function useLens(lab: Lab, name: string | null, look: TerminalLook) {
  const leave = useCallback(() => lab.store.update((page) => directory(page, null)), [lab]);
  const onFiles = useCallback((listing: Promise<Listed[]>) => void receive(lab, listing), [lab]);
  const openInLab = useCallback(
    (listed: readonly Listed[]) => {
      leave();
      void lab.openFiles(gather(listed));
    },
    [lab, leave],
  );
  const screen: ReactNode =
    name === null ? null : (
      <Lazy part={part} name="view of directories" instead={<Missing onLeave={leave} />}>
        {({ LensPart }) => <LensPart {...{ name, look }} onLeave={leave} onFiles={openInLab} />}
      </Lazy>
    );
  return { screen, onFiles };
}

/** In the place of a part that does not come. */
function Missing({ onLeave }: { onLeave(): void }) {
  return <Action onClick={onLeave}>Back to the playground</Action>;
}

/** Opens a directory of another engine in the lens, and all other files in the lab. */
async function receive(lab: Lab, listing: Promise<Listed[]>): Promise<void> {
  const listed = await listing;
  const isShown = lab.store.get().directory !== null;
  if (isNamedArchive(listed, isShown) || (await mayBeForeign(listed))) {
    const show = () => lab.store.update((page) => directory(page, ''));
    try {
      const { openForeign } = await part.load();
      if (await openForeign(listed, isShown, show)) return;
    } catch (error) {
      lab.note(
        'bad',
        `The part of the page that reads directories did not come: ${messageOf(error)}`,
      );
    }
  }
  lab.store.update((page) => directory(page, null));
  await lab.openFiles(gather(listed));
}

/** A broken archive, which the view of directories is to tell of, may not begin as one. */
function isNamedArchive(listed: readonly Listed[], isShown: boolean): boolean {
  const [only] = listed;
  return isShown && only !== undefined && listed.length === 1 && /\.zip$/i.test(only.path);
}

/** Whether the part is worth fetching: an archive may hold a directory. */
async function mayBeForeign(listed: readonly Listed[]): Promise<boolean> {
  const [only] = listed;
  if (only === undefined || listed.length > 1) return looksForeign(listed.map(({ path }) => path));
  try {
    return isArchive({ bytes: new Uint8Array(await only.file.slice(0, 4).arrayBuffer()) });
  } catch {
    return false;
  }
}
