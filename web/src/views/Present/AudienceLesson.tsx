import type { LessonQuestion } from '../../model/engine.generated';
import { counted } from '../../model/words';
import type { LessonShown } from '../../present/lessonShown';
import { Words } from '../Lesson/Words';

/** The audience's part of a lesson: the question with its counted hands, or the current task. */
export function AudienceLesson({ lesson }: { lesson: LessonShown }) {
  const { question, task, title, scene } = lesson;
  return (
    <section className="audience-lesson rigid on-panel" aria-label={`Lesson: ${title}`}>
      {question ? (
        <RoomQuestion lesson={lesson} question={question} />
      ) : task ? (
        <p>
          <b>Task:</b> <Words prose={task.text} />
        </p>
      ) : (
        <p className="dim">
          {title}
          {scene.length > 0 && ' · '}
          <Words prose={scene} />
        </p>
      )}
    </section>
  );
}

function RoomQuestion({ lesson, question }: { lesson: LessonShown; question: LessonQuestion }) {
  const { choices, revealed, text } = question;
  return (
    <>
      <Words prose={text} as="h2" />
      {choices.length > 0 && (
        <ol className="audience-choices">
          {choices.map((choice, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the choices of a question never change places
            <li key={index} className={revealed?.choice === index + 1 ? 'holds' : undefined}>
              <Words prose={choice} as="span" />
              {lesson.counts.map((round, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rounds never change places
                <Bar key={at} hands={round[index] ?? 0} most={Math.max(1, ...round)} round={at} />
              ))}
            </li>
          ))}
        </ol>
      )}
      {lesson.discusses && (
        <p>
          <b>Discuss</b> with your neighbour; then hands are counted again.
        </p>
      )}
      {revealed && (
        <div className="audience-answer" role="status">
          <p>
            <b>The engine’s answer:</b> {revealed.words}
          </p>
          {revealed.because && <Words prose={revealed.because} as="p" />}
        </div>
      )}
    </>
  );
}

/** The hands of one choice in one round. */
function Bar({ hands, most, round }: { hands: number; most: number; round: number }) {
  const name = round === 0 ? 'first count' : 'second count';
  return (
    <span className={`audience-bar in-row round-${round + 1}`}>
      <span className="visually-hidden">
        {name}: {counted(hands, 'hand')}
      </span>
      <span aria-hidden="true" className="bar" style={{ width: `${(70 * hands) / most}%` }} />
      <span aria-hidden="true">{hands}</span>
    </span>
  );
}
