import './Jobs.css';

import { useMemo } from 'react';
import { type JobStory, jobStory, jobTitle, stagesText, stageText } from '../../model/jobStory';
import { historyOf, type Page } from '../../model/page';
import { detailsAt, snapshotAt, type Timeline } from '../../model/timeline';
import { eraAt } from '../../model/timelineMarks';
import { count, counted, ratio, size } from '../../model/words';
import { MergePicture } from '../Merge/MergePicture';
import { type MergeEvent, mergeOf } from '../Merge/scene';
import { useTime } from '../shared/contexts';
import { Command } from '../shared/Facts';

interface Props {
  page: Page;
}

/** The background job at work at the step shown, stage by stage. */
export function JobsTab({ page }: Props) {
  const { timeline } = historyOf(page);
  const { step } = page.place;
  // A deleted database has no job at work.
  const { from } = eraAt(page.marks, step, page.last);
  const story = useMemo(() => jobStory(timeline, step, from), [timeline, step, from]);
  const { detail } = page.place;
  const job = story?.job ?? null;
  const merged = useMemo(
    () => mergedUpTo(timeline, step, detail).filter((event) => event.job === job),
    [timeline, step, detail, job],
  );
  if (!story) {
    return (
      <>
        <p>No background job is near this step.</p>
        <div className="commands">
          <Command line="flush" />
          <Command line="compact --plan" />
        </div>
      </>
    );
  }
  const merging = story.what === 'compaction' && !story.over;
  return (
    <>
      <h2>
        {jobTitle(story)} <small>{stagesText(story)}</small>
      </h2>
      <p>{sentence(story.reason)}</p>
      {story.failure !== '' && <p className="problem">{story.failure}</p>}
      {merging && merged.length > 0 && <MergePicture events={merged} />}
      <Stages story={story} />
      {merging && merged.length === 0 && <MergePicture events={merged} />}
      {story.what === 'compaction' && <Scores timeline={timeline} step={story.begun} />}
      <div className="commands">
        <Command line={story.over ? 'compact --plan' : 'step'} />
      </div>
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
    <table className="scores">
      <caption>
        Scores of the levels when it was picked, at step {count(step)}; compaction is due at 1
      </caption>
      <tbody>
        {levels
          .filter(({ score }) => score.limit > 0 && score.runs > 0)
          .map(({ score }) => (
            <tr key={score.level} className={score.due ? 'due' : ''}>
              <th scope="row">L{score.level}</th>
              <td>
                <meter
                  aria-label={`score of L${score.level}`}
                  value={Math.min(score.score, 2)}
                  max={2}
                  high={1}
                />
              </td>
              <td>{ratio(score.score)}</td>
              <td className="dim">
                {score.unit === 'runs'
                  ? `${counted(score.runs, 'run')} of ${count(score.limit)}`
                  : `${size(score.bytes)} of ${size(score.limit)}`}
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}

function Stages({ story }: { story: JobStory }) {
  const { go } = useTime();
  return (
    <ol className="stages">
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
                <button type="button" className="link" onClick={() => go(stage.step ?? 0)}>
                  {stage.name}
                </button>
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

/** Between entries and the block that they fill there are few steps. */
const MERGED_BACK = 3;

/** The entries judged last: those up to the detail shown, or those that led to the step. */
function mergedUpTo(timeline: Timeline, step: number, detail: number): readonly MergeEvent[] {
  const judged = (at: number) => detailsAt(timeline, at).flatMap(mergeOf);
  if (detail > 0) return judged(step).filter((event) => event.detail <= detail);
  for (let at = step - 1; at >= step - MERGED_BACK; at -= 1) {
    const entries = judged(at);
    if (entries.length > 0) return entries;
  }
  return [];
}

function sentence(text: string): string {
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
