import './Now.css';

import { useMemo } from 'react';
import type { ExplainResult, LevelView } from '../../model/engine.generated';
import { type JobStory, jobStory, jobTitle, stagesText, stageText } from '../../model/jobStory';
import { capital } from '../../model/labs';
import { jobOnShow } from '../../model/needs';
import { historyOf, type Page } from '../../model/page';
import { pendingOf } from '../../model/pending';
import { parseSelection } from '../../model/selection';
import { snapshotAt, type Timeline } from '../../model/timeline';
import { lookupOnShow } from '../../model/verdicts';
import { count, counted, ratio, size } from '../../model/words';
import { TextLink } from '../shared/buttons';
import { useTime } from '../shared/contexts';
import { DataTable } from '../shared/DataTable';
import { Commands, Pick } from '../shared/Facts';

interface Props {
  page: Page;
}

/** The subject of the step on show: the objects that it changed, and its background job, stage by stage. */
export function NowTab({ page }: Props) {
  const { timeline } = historyOf(page);
  const { step } = page.place;
  const job = jobOnShow(page);
  const { story, missing } = useMemo(
    () => (job === null ? NO_STORY : jobStory(timeline, step, job)),
    [timeline, step, job],
  );
  const lookup = lookupOnShow(page);
  if (lookup) return <Lookup read={lookup} stop={page.readingStop} />;
  return (
    <>
      <Changed page={page} />
      {story && <Job story={story} page={page} />}
      {!story && missing && <p>…</p>}
      {!story && !missing && <Ahead page={page} />}
    </>
  );
}

const NO_STORY = { story: null, missing: null };

/** The objects that stand out in the picture, and the steps that made or changed them. */
function Changed({ page: { event, fresh, freshFrom, place } }: Props) {
  const ids = [...fresh].filter((id) => parseSelection(id) !== null);
  const steps =
    freshFrom < place.step ? `Steps ${count(freshFrom)} to ${count(place.step)}` : 'This step';
  return (
    <div className="changed">
      <h2>
        {place.step === 0
          ? 'Nothing has happened yet.'
          : event && ids.length === 0
            ? 'Nothing changed in this step'
            : steps}
      </h2>
      {ids.length > 0 && (
        <p>
          Changed:{' '}
          {ids.map((id, index) => (
            <span key={id}>
              {index > 0 && ', '}
              <Pick to={id}>{id.replace(':', ' ')}</Pick>
            </span>
          ))}
        </p>
      )}
    </div>
  );
}

function Job({ story, page }: { story: JobStory; page: Page }) {
  const { timeline } = historyOf(page);
  return (
    <>
      <h2>
        {jobTitle(story)} <small>{stagesText(story)}</small>
      </h2>
      <p>{story.reason && `${capital(story.reason)}.`}</p>
      {story.failure !== '' && <p className="problem">{story.failure}</p>}
      <Stages story={story} />
      {story.what === 'compaction' && <Scores timeline={timeline} step={story.begun} />}
      <Commands lines={[story.over ? 'compact --plan' : 'step']} />
    </>
  );
}

/** Pending work, the active memtable, and commands to try. */
function Ahead({ page: { view, unopened } }: Props) {
  if (unopened !== null) return null;
  const [active] = view.memtables;
  return (
    <>
      {pendingOf(view).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {active && (
        <p>
          <Pick to={`memtable:${active.memtable}`}>memtable {active.memtable}</Pick> holds{' '}
          {counted(active.entries, 'entry')}, {size(active.bytes)} of {size(active.limitBytes)}.
        </p>
      )}
      <Commands lines={view.lastSequence === 0 ? ['put apple red'] : ['flush', 'compact --plan']} />
    </>
  );
}

/** The lookup on the stage, in a few words. */
function Lookup({ read: { lookup, key, stops }, stop }: { read: ExplainResult; stop: number }) {
  return (
    <>
      <h2>
        {lookup} <code>{key}</code>
      </h2>
      <p>
        Stop {stop + 1} of {stops.length}. The stage shows it; → and ← go from stop to stop. The tab
        Read has all of them.
      </p>
    </>
  );
}

/** The scores of the levels at `step`, with the due levels marked. */
function Scores({ timeline, step }: { timeline: Timeline; step: number }) {
  const levels = useMemo(
    () => snapshotAt(timeline, step)?.snapshot.view.levels ?? null,
    [timeline, step],
  );
  if (!levels) return null;
  return (
    <DataTable
      className="scores"
      caption={`Scores of the levels when it was picked, at step ${count(step)}; compaction is due at 1`}
      rows={levels.filter(({ score }) => score.limit > 0 && score.runs > 0)}
      rowProps={({ score }) => ({ className: score.due ? 'due' : '' })}
      columns={[
        ['', ({ score }) => `L${score.level}`, 'head'],
        ['', ScoreMeter],
        ['', ({ score }) => ratio(score.score)],
        ['', ({ score }) => <span className="dim">{limitText(score)}</span>],
      ]}
    />
  );
}

function ScoreMeter({ score: { level, score } }: LevelView) {
  return <meter aria-label={`score of L${level}`} value={Math.min(score, 2)} max={2} high={1} />;
}

function limitText({ unit, runs, limit, bytes }: LevelView['score']): string {
  if (unit === 'runs') return `${counted(runs, 'run')} of ${count(limit)}`;
  return `${size(bytes)} of ${size(limit)}`;
}

function Stages({ story }: { story: JobStory }) {
  const { go } = useTime();
  return (
    <ol className="stages placed">
      {story.stages.map((stage, index) => {
        const state = stage.times === 0 ? 'todo' : index === story.now ? 'now' : 'done';
        return (
          <li
            key={stage.name}
            className={state}
            aria-current={state === 'now' ? 'step' : undefined}
          >
            <span className="stage-name">
              {stage.step === null ? (
                stage.name
              ) : (
                <TextLink onClick={() => go(stage.step ?? 0)}>{stage.name}</TextLink>
              )}
            </span>{' '}
            <span className="dim">
              {stageText(stage, story)}
              {state === 'now' && `: ${stage.sentence}`}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
