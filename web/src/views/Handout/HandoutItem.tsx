import type { Inline, LessonItem, LessonQuestion, LessonTask } from '../../model/engine.generated';
import type { HandoutPicture, HandoutReader } from '../../model/handout';
import { PaperWords } from './PaperWords';

interface Props {
  item: LessonItem;
  /** The tree after its commands. */
  picture: HandoutPicture | null;
  reader: HandoutReader;
}

/** One part of a lesson on paper. */
export function HandoutItem({ item: { what }, picture, reader }: Props) {
  switch (what.is) {
    case 'say':
      return <Paragraphs all={[what.prose]} />;
    case 'list': {
      const List = what.ordered ? 'ol' : 'ul';
      return (
        <List>
          {what.items.map((prose, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the items of a list never change
            <li key={index}>
              <PaperWords prose={prose} />
            </li>
          ))}
        </List>
      );
    }
    case 'note':
      if (reader === 'learner') return null;
      return (
        <aside className="handout-note" aria-label="For the teacher">
          <Paragraphs all={what.paragraphs} />
        </aside>
      );
    case 'run':
      return (
        <>
          <pre>{what.lines.join('\n')}</pre>
          {picture && <Figure picture={picture} />}
        </>
      );
    case 'ask':
      return <Ask question={what} reader={reader} />;
    case 'try':
      return <Try task={what} reader={reader} />;
    case 'start':
      return (
        <p>
          <em>An empty database begins here.</em>
        </p>
      );
    default:
      return null;
  }
}

function Paragraphs({ all }: { all: readonly (readonly Inline[])[] }) {
  return all.map((prose, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs never change places
    <p key={index}>
      <PaperWords prose={prose} />
    </p>
  ));
}

/** The picture with the sentence of its step. */
function Figure({ picture: { svg, title, description } }: { picture: HandoutPicture }) {
  return (
    <figure>
      <img
        src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`}
        alt={`The tree: ${description}`}
      />
      <figcaption>{title}</figcaption>
    </figure>
  );
}

function Ask({ question, reader }: { question: LessonQuestion; reader: HandoutReader }) {
  const { text, choices, revealed } = question;
  const told = reader === 'teacher' ? revealed : null;
  return (
    <div className="handout-box">
      <b>Predict</b>
      <Paragraphs all={[text]} />
      <ul className="handout-choices">
        {choices.map((choice, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: choices never change places
          <li key={index}>
            <span aria-hidden="true">{told?.choice === index + 1 ? '☑' : '☐'}</span>{' '}
            <PaperWords prose={choice} />
          </li>
        ))}
      </ul>
      {told ? (
        <>
          <p>
            The engine: <b>{told.words}</b>
          </p>
          {told.because && <Paragraphs all={[told.because]} />}
        </>
      ) : (
        <p className="handout-write">
          {choices.length > 0 ? 'I think so because' : 'I think it is'}
        </p>
      )}
    </div>
  );
}

function Try({ task, reader }: { task: LessonTask; reader: HandoutReader }) {
  return (
    <div className="handout-box">
      <b>Task</b>
      <Paragraphs all={[task.text]} />
      {reader === 'teacher' ? (
        task.solution.length > 0 && <pre>{task.solution.join('\n')}</pre>
      ) : (
        <>
          <p className="handout-write">My commands</p>
          <p className="handout-write" />
        </>
      )}
    </div>
  );
}
