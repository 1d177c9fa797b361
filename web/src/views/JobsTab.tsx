import { useMemo } from 'react';
import { type JobStory, jobStory, jobTitle, stagesText, stageText } from '../model/jobStory';
import { historyOf, type Page } from '../model/page';
import type { Ask } from './ask';
import { Command } from './Facts';

interface Props {
  page: Page;
  ask: Ask;
  onGo(step: number): void;
  onType(command: string): void;
}

/** The background job at work at the step shown, stage by stage. */
export function JobsTab({ page, onGo, onType }: Props) {
  const { timeline } = historyOf(page);
  const { step } = page.place;
  const story = useMemo(() => jobStory(timeline, step), [timeline, step]);
  if (!story) {
    return (
      <>
        <p>No background job is near this step.</p>
        <div className="commands">
          <Command line="flush" onType={onType} />
          <Command line="compact --plan" onType={onType} />
        </div>
      </>
    );
  }
  return (
    <>
      <h2>
        {jobTitle(story)} <small>{stagesText(story)}</small>
      </h2>
      <p>{sentence(story.reason)}</p>
      {story.failure !== '' && <p className="problem">{sentence(story.failure)}</p>}
      <Stages story={story} onGo={onGo} />
      <div className="commands">
        <Command line={story.over ? 'compact --plan' : 'step'} onType={onType} />
      </div>
    </>
  );
}

function Stages({ story, onGo }: { story: JobStory; onGo: Props['onGo'] }) {
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
                <button type="button" className="link" onClick={() => onGo(stage.step ?? 0)}>
                  {stage.name}
                </button>
              )}
            </span>{' '}
            <span className="dim">
              {stageText(stage)}
              {state === 'now' && `: ${stage.sentence}`}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function sentence(text: string): string {
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
