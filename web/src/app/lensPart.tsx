// The part of the page that is fetched when a directory of another engine is opened.

import { useEffect } from 'react';
import { LENS_WORKER, trusted } from '../engine/trusted';
import { Lens, SAMPLES, type SampleName } from '../lens/lens';
import leveldb from '../lens/pkg/leveldb.zip?url';
import pebble from '../lens/pkg/pebble.zip?url';
import rocksdb from '../lens/pkg/rocksdb.zip?url';
import type { Source } from '../lens/protocol';
import { foreignSource } from '../lens/sources';
import { BUILD } from '../model/build';
import type { Listed } from '../share/entries';
import { LensView } from '../views/Lens/LensView';

const ADDRESSES: Readonly<Record<SampleName, string>> = { rocksdb, pebble, leveldb };

/** The lens of this page. */
const lens = new Lens({
  start: () => new Worker(trusted(LENS_WORKER), { type: 'module', name: BUILD }),
  async sample(name) {
    const response = await fetch(ADDRESSES[name]);
    if (response.ok) return response.blob();
    throw new Error(`The sample did not come: the server answered ${response.status}.`);
  },
});

interface Props {
  /** The sample that the address leads to, or empty. */
  name: string;
  onLeave(): void;
  /** Opens files in the playground. */
  onFiles(listed: readonly Listed[]): void;
}

/** The lens in its place on the page. */
export function LensPart({ name, onLeave, onFiles }: Props) {
  useEffect(() => {
    const sample = SAMPLES.find((known) => known === name);
    if (sample !== undefined) void lens.openSample(sample);
  }, [name]);
  return (
    <LensView
      lens={lens}
      onLeave={onLeave}
      onOpenFiles={() => onFiles(filesOf(lens.source))}
      onTable={(file) => onFiles([{ path: file.name, file }])}
    />
  );
}

/** The files that a source was made of, as a person gave them. */
function filesOf(source: Source | null): Listed[] {
  if (source === null) return [];
  if (source.kind === 'files')
    return source.files.map(({ path, file }) => ({ path, file: named(file, path) }));
  return [{ path: source.name, file: named(source.archive, source.name) }];
}

/** Samples come without a name. */
function named(file: Blob, path: string): File {
  return file instanceof File ? file : new File([file], path);
}

/**
 * Opens files if they are a directory of another engine; `show` is called when they look like one. `isShown`: the view of
 * directories is on show, and says also why an archive cannot be read. Returns whether they are one.
 */
export async function openForeign(
  listed: readonly Listed[],
  isShown: boolean,
  show: () => void,
): Promise<boolean> {
  const source = await foreignSource(listed, isShown);
  if (source === null) return false;
  if (!isShown) {
    show();
    await lens.open(source);
    const after = lens.store.get();
    if (after.state !== 'failed' || after.failure.kind !== 'invalid') return true;
  } else {
    const failure = await lens.replace(source);
    if (failure === null) show();
    if (failure?.kind !== 'invalid') return true;
  }
  // It only looked like one.
  lens.close();
  return false;
}
