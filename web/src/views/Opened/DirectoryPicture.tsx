import { useMemo } from 'react';
import type { DirectoryState, OpenedState } from '../../model/engine.generated';
import { damagedObjects } from '../../model/opened';
import { NOTHING_WRITTEN } from '../../model/writing';
import { Stage } from '../Stage/Stage';
import { SelectionProvider, useSelection } from '../shared/contexts';

interface Props {
  directory: DirectoryState;
  files: readonly OpenedState[];
}

const NOTHING: ReadonlySet<string> = new Set();

/** The levels and logs of an opened directory, on the stage of the database. An object leads to its file. */
export function DirectoryPicture({ directory, files }: Props) {
  const { select } = useSelection();
  const { view, objects } = directory;
  const toFile = useMemo(() => {
    const named = new Map(objects.map(({ object, file }) => [object, file]));
    return {
      select(object: string | null) {
        const file = object === null ? null : named.get(object);
        if (file) select(file);
      },
    };
  }, [objects, select]);
  const damages = useMemo(() => damagedObjects(directory, files), [directory, files]);
  if (view === null) return null;
  return (
    // The menus of objects are about the database that runs.
    <div className="directory-picture" data-without-menu>
      <SelectionProvider value={toFile}>
        <Stage
          page={{
            view,
            writing: NOTHING_WRITTEN,
            fresh: NOTHING,
            selection: null,
            moved: null,
            reading: null,
          }}
          damages={damages}
        />
      </SelectionProvider>
    </div>
  );
}
