import { useMemo } from 'react';
import { damageWords } from '../../model/damage';
import { isHidden } from '../../model/focus';
import type { Page } from '../../model/shown';
import { useFollowed } from '../Follow/following';
import { Stage } from './Stage';
import { useContents } from './useContents';
import { useRecent } from './useRecent';

/** The picture of the database on show, with the entries that the engine tells when it is asked. */
export function AskedStage({ page }: { page: Page }) {
  const damages = useMemo(() => damageWords(page.damages), [page.damages]);
  const recent = useRecent(page);
  return (
    <Stage
      page={page}
      damages={damages}
      recent={recent}
      contents={useContents(page, recent)}
      followed={useFollowed()}
      isHidden={isHidden(page)}
      moves={page.came.from < page.place.step}
    />
  );
}
