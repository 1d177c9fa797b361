import './PageStage.css';

import { useMemo } from 'react';
import { crashAt } from '../../model/branchHistory';
import { damageWords } from '../../model/damage';
import type { Page } from '../../model/shown';
import { isHidden, verdictAt } from '../../model/verdicts';
import { FollowChip } from '../Follow/FollowChip';
import { useFollowed } from '../Follow/following';
import { Quiet } from '../shared/buttons';
import { useTime, useViews } from '../shared/contexts';
import { Stage } from './Stage';
import type { Merge } from './scene/sweep';
import { Unopened } from './Unopened';
import { useContents } from './useContents';
import { useRecent } from './useRecent';

/** The picture of the database on show, or what stands in its place. */
export function PageStage({ page }: { page: Page }) {
  if (page.unopened !== null) return <Unopened page={page} />;
  if (crashAt(page, page.place.step) && isHidden(page)) return <WhatIsLeft />;
  return (
    <div className="focus-stage">
      <AskedStage page={page} />
    </div>
  );
}

/** The picture with the entries that the engine tells when it is asked. */
function AskedStage({ page }: { page: Page }) {
  const { view, event, judged, followed } = page;
  const damages = useMemo(() => damageWords(page.damages), [page.damages]);
  const recent = useRecent(page);
  const isCovered = isHidden(page);
  const merge = useMemo((): Merge | null => {
    const job = view.jobs.find((known) => known.job === judged.job);
    if (job?.what !== 'compaction') return null;
    const isJudging = event?.merge !== undefined;
    return { job, judged, isJudging, isHidden: isCovered && isJudging };
  }, [view, judged, isCovered, event]);
  return (
    <Stage
      page={page}
      damages={damages}
      recent={recent}
      contents={useContents(page, recent, merge)}
      merge={merge}
      followed={useFollowed()}
      isHidden={isCovered}
      moves={page.came.from < page.place.step}
      aside={
        <>
          <FollowChip followed={followed} />
          <Predict page={page} />
        </>
      }
    />
  );
}

/** Whether verdicts are hidden until they are revealed. */
function Predict({ page }: { page: Page }) {
  const { predict } = useViews();
  if (verdictAt(page) === null) return null;
  return (
    <Quiet
      aria-pressed={page.predicts}
      title="Hides each verdict until → or Reveal"
      onClick={() => predict(!page.predicts)}
    >
      Predict <kbd>v</kbd>
    </Quiet>
  );
}

/** In place of the picture after a power failure, while one predicts. */
function WhatIsLeft() {
  const { reveal } = useTime();
  return (
    <div className="focus-stage with-card" id="stage" tabIndex={-1}>
      <button type="button" className="focus-card" onClick={reveal}>
        Which acknowledged writes are lost? <small>Reveal (→ or PgDn)</small>
      </button>
    </div>
  );
}
