import './PageStage.css';

import { useMemo } from 'react';
import { crashAt } from '../../model/branchHistory';
import { damageWords } from '../../model/damage';
import { isIn } from '../../model/files';
import { wayOf } from '../../model/page';
import type { Page } from '../../model/shown';
import { isHidden, verdictAt } from '../../model/verdicts';
import { useFollowed } from '../Follow/following';
import { Quiet } from '../shared/buttons';
import { useSelection, useTime, useViews } from '../shared/contexts';
import { LINES } from './lines';
import { Stage } from './Stage';
import { lookupPart } from './scene/plumb';
import { type MergePart, mergePart } from './scene/sweep';
import { Unopened } from './Unopened';
import { useContents } from './useContents';
import { useFall } from './useFall';
import { useInside } from './useInside';
import { useRecent } from './useRecent';

/** The picture of the database on show, or what stands in its place. */
export function PageStage({ page }: { page: Page }) {
  if (page.unopened !== null) return <Unopened page={page} />;
  if (crashAt(page, page.place.step) && isHidden(page)) return <WhatIsLeft />;
  return (
    <div className="page-stage placed">
      <AskedStage page={page} />
    </div>
  );
}

/** The picture with the entries that the engine returns on request. */
function AskedStage({ page }: { page: Page }) {
  const damages = useMemo(() => damageWords(page.damages), [page.damages]);
  const recent = useRecent(page);
  const merge = useMerge(page);
  const contents = useContents(page, recent, merge);
  const { lookInside, inspect } = useViews();
  const { select } = useSelection();
  useFall(page);
  return (
    <Stage
      page={page}
      damages={damages}
      recent={recent}
      contents={contents}
      inside={useInside(page, recent)}
      openers={{
        has: (id) => isIn(page.view, id),
        lookInside,
        showBytes: (id) => {
          select(id);
          inspect(true);
        },
      }}
      lookup={useLookup(page)}
      merge={merge}
      lines={LINES}
      followed={useFollowed()}
      moves={wayOf(page)}
      aside={<Predict page={page} />}
    />
  );
}

/** The compaction at work, with its verdicts. */
function useMerge(page: Page): MergePart | null {
  const { view, event, judged, reading } = page;
  const isCovered = isHidden(page);
  return useMemo(() => {
    const job = view.jobs.find((known) => known.job === judged.job);
    if (job?.what !== 'compaction') return null;
    const isJudging = event?.merge !== undefined;
    const merge = { job, judged, isJudging, isHidden: isCovered && isJudging };
    return mergePart(view, merge, reading === null);
  }, [view, judged, isCovered, event, reading]);
}

/** The lookup on show. */
function useLookup(page: Page) {
  const { reading: read, readingStop: at } = page;
  const isCovered = isHidden(page);
  return useMemo(
    () => (read ? lookupPart({ read, at, isHidden: isCovered }) : null),
    [read, at, isCovered],
  );
}

/** Whether verdicts are hidden until they are revealed. */
function Predict({ page }: { page: Page }) {
  const { predict } = useViews();
  if (verdictAt(page) === null) return null;
  return (
    <Quiet
      className="predict"
      aria-pressed={page.predicts}
      title="Hides each verdict until → or Reveal"
      onClick={() => predict(!page.predicts)}
    >
      Predict <kbd>v</kbd>
    </Quiet>
  );
}

/** In place of the picture after a power failure, until the learner has predicted its outcome. */
function WhatIsLeft() {
  const { reveal } = useTime();
  return (
    <div className="page-stage placed with-card" id="stage" tabIndex={-1}>
      <button type="button" className="stage-card" onClick={reveal}>
        Which acknowledged writes are lost? <small>Reveal (→ or PgDn)</small>
      </button>
    </div>
  );
}
