import './FocusStage.css';

import type { ReactNode } from 'react';
import { crashAt } from '../../model/branchHistory';
import { type Focus, type FocusChoice, focusOf, isHidden, jobInFocus } from '../../model/focus';
import type { Page } from '../../model/shown';
import { FollowChip } from '../Follow/FollowChip';
import { JobPicture } from '../Job/JobPicture';
import { AskedStage } from '../Stage/AskedStage';
import { Quiet } from '../shared/buttons';
import { useTime, useViews } from '../shared/contexts';
import { Term } from '../shared/Term';
import { Strip } from './Strip';
import { Unopened } from './Unopened';

interface Props {
  page: Page;
}

/** The stage: the whole tree, or what the step on show is about with the tree as a strip beside it. */
export function FocusStage({ page }: Props) {
  const focus = focusOf(page);
  if (page.unopened !== null) return <Unopened page={page} />;
  if (crashAt(page, page.place.step) && isHidden(page)) return <WhatIsLeft />;
  if (focus === 'levels') {
    return (
      <div className="focus-stage">
        <Offer page={page} />
        <AskedStage page={page} />
      </div>
    );
  }
  return (
    <div className="focus-stage with-strip" id="stage" tabIndex={-1}>
      <Strip page={page} />
      <div className="focus-main in-column widens">
        <Title page={page} focus={focus} />
        <div className="focus-picture grows">
          <JobPicture page={page} />
        </div>
      </div>
    </div>
  );
}

/** In place of the levels after a power failure, while one predicts. */
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

function Title({ page, focus }: { page: Page; focus: Focus }) {
  return (
    <div className="focus-title in-row rigid">
      <h2>
        <JobTitle page={page} />
      </h2>
      <FollowChip followed={page.followed} />
      <Predict page={page} />
      <FocusButton to={page.focus === focus ? 'step' : focus} pressed={page.focus === focus}>
        Pin
      </FocusButton>
      <FocusButton to="levels" pressed={false}>
        Levels <kbd>l</kbd>
      </FocusButton>
    </div>
  );
}

function JobTitle({ page }: Props) {
  const job = jobInFocus(page);
  if (!job) return null;
  return job.what === 'flush' ? (
    <>
      <Term name="flush">Flush</Term> of memtable {job.memtable} into L0
    </>
  ) : (
    <>
      <Term name="compaction">Compaction</Term> job {job.job} into L{job.outputLevel}
    </>
  );
}

/** The way back to what the step is about, while the levels are pinned. */
function Offer({ page }: Props) {
  if (page.focus !== 'levels') return null;
  return (
    <div className="focus-offer">
      <FocusButton to="step" pressed>
        Levels pinned <kbd>l</kbd>
      </FocusButton>
    </div>
  );
}

interface ButtonProps {
  to: FocusChoice;
  pressed: boolean;
  children: ReactNode;
}

function FocusButton({ to, pressed, children }: ButtonProps) {
  const { focusOn } = useViews();
  return (
    <Quiet aria-pressed={pressed} onClick={() => focusOn(to)}>
      {children}
    </Quiet>
  );
}

/** Whether verdicts are hidden until they are revealed. */
function Predict({ page }: Props) {
  const { predict } = useViews();
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
