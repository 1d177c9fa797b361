import { type FormEvent, useId, useState } from 'react';
import { wordOfName } from '../../model/commandWords';
import type { LessonQuestion, LessonReveal } from '../../model/engine.generated';
import { Action, Quiet } from '../shared/buttons';
import { useCommands } from '../shared/contexts';
import { Words } from './Words';

const KINDS = { choice: '', number: 'A number', word: 'A word', pick: 'The name of an object' };

interface Props {
  question: LessonQuestion;
  /** Whether the lesson waits for the answer. */
  isOpen: boolean;
}

/** A question: predicted first, and then answered by the engine. */
export function Question({ question, isOpen }: Props) {
  const { type } = useCommands();
  const { choices, given, revealed } = question;
  // Until a choice is made here, the answer is the engine's, which may come from the terminal.
  const [chosen, setPicked] = useState<string | null>(null);
  const picked = chosen ?? given ?? '';
  const settled = revealed !== null;
  const open = isOpen || given === null ? 'Predict' : 'Your prediction';
  const kind = settled ? 'Answered by the engine' : open;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const value = picked.trim();
    if (value === '' || value === given) return;
    type(choices.length > 0 ? `answer ${value}` : `answer ${wordOfName(value)}`);
  };
  return (
    <form onSubmit={submit}>
      <fieldset className="lesson-ask" disabled={settled}>
        <legend>
          <span className="lesson-kind dim fine">{kind}</span>
          <Words prose={question.text} />
        </legend>
        {choices.length > 0 ? (
          <Choices question={question} isOpen={isOpen} picked={picked} onPick={setPicked} />
        ) : (
          !settled && (
            <input
              type="text"
              aria-label={KINDS[question.kind]}
              placeholder={KINDS[question.kind]}
              value={picked}
              autoComplete="off"
              data-lesson-next={isOpen ? '' : undefined}
              onChange={(event) => setPicked(event.target.value)}
            />
          )
        )}
        {!settled && (
          <div className="lesson-buttons wraps">
            {(isOpen || picked !== given) && (
              <Action type="submit" disabled={picked.trim() === ''}>
                {isOpen ? 'Answer' : 'Change the answer'}
              </Action>
            )}
            {isOpen && <Quiet onClick={() => type('answer ?')}>I do not know</Quiet>}
          </div>
        )}
        {revealed && <Reveal question={question} revealed={revealed} />}
      </fieldset>
    </form>
  );
}

interface ChoicesProps extends Props {
  picked: string;
  onPick(picked: string): void;
}

function Choices({ question, isOpen, picked, onPick }: ChoicesProps) {
  const name = useId();
  return question.choices.map((choice, index) => {
    const number = `${index + 1}`;
    const holds = question.revealed?.choice === index + 1;
    return (
      <label key={number} className={holds ? 'choice holds' : 'choice'}>
        <input
          type="radio"
          name={name}
          value={number}
          checked={picked === number}
          data-lesson-next={index === 0 && isOpen ? '' : undefined}
          onChange={() => onPick(number)}
        />
        <Words prose={choice} as="span" />
      </label>
    );
  });
}

/** Prediction and outcome, side by side. */
function Reveal({ question, revealed }: { question: LessonQuestion; revealed: LessonReveal }) {
  const { given, choices } = question;
  const chosen = choices[Number(given) - 1];
  const outcome = question.kind === 'choice' ? revealed.words : `It is ${revealed.words}.`;
  const verdicts = { true: 'Right.', false: 'Not quite:', null: 'The engine’s answer:' };
  const verdict = verdicts[`${revealed.right}`];
  return (
    <div
      className={`reveal note-box ${revealed.right === false ? 'other' : 'is-good'}`}
      role="status"
    >
      <p>
        <strong>{verdict}</strong>{' '}
        {(revealed.right !== true || question.kind !== 'choice') && <b>{outcome}</b>}
      </p>
      {revealed.right === false && (
        <p className="dim">You predicted: {chosen ? <Words prose={chosen} /> : given}</p>
      )}
      {revealed.because && <Words prose={revealed.because} as="p" />}
    </div>
  );
}
