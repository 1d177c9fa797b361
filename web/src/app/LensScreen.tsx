import { lazy, type ReactNode, Suspense, useCallback, useEffect } from 'react';
import { type Lens, SAMPLES, type SampleName } from '../lens/lens';
import { foreignSource } from '../lens/sources';
import { directory } from '../model/page';
import type { Listed } from '../share/entries';
import { gather } from '../share/gather';
import type { Lab } from './lab';

/** Fetched when a directory of another engine is opened. */
const LensView = lazy(() =>
  import('../views/Lens/LensView').then(({ LensView }) => ({ default: LensView })),
);

/**
 * The lens in its place on the page. `screen`: the directory of another engine, while the address (`name`) leads to one;
 * `onFiles`: takes files that a person has dropped or chosen.
 */
export function useLens(lab: Lab, lens: Lens, name: string | null) {
  useEffect(() => {
    const sample = SAMPLES.find((known): known is SampleName => known === name);
    if (sample !== undefined) void lens.openSample(sample);
  }, [lens, name]);
  const leave = useCallback(() => lab.store.update((page) => directory(page, null)), [lab]);
  const onFiles = useCallback(
    (listing: Promise<Listed[]>) => void receive(lab, lens, listing),
    [lab, lens],
  );
  const screen: ReactNode =
    name === null ? null : (
      <Suspense fallback={null}>
        <LensView lens={lens} onLeave={leave} />
      </Suspense>
    );
  return { screen, onFiles };
}

/** Opens a directory of another engine in the lens, and all other files in the lab. */
async function receive(lab: Lab, lens: Lens, listing: Promise<Listed[]>): Promise<void> {
  const listed = await listing;
  const source = await foreignSource(listed);
  if (source !== null) {
    lab.store.update((page) => directory(page, ''));
    await lens.open(source);
    const after = lens.store.get();
    // It only looked like one.
    if (after.state !== 'failed' || after.failure.kind !== 'invalid') return;
    lens.close();
  }
  lab.store.update((page) => directory(page, null));
  await lab.openFiles(gather(listed));
}
