import { type FormEvent, useState } from 'react';
import type { LabInfo, LabReport } from '../../model/engine.generated';
import { labCommand, labInput, labProblem } from '../../model/labs';
import type { Page } from '../../model/page';
import { count } from '../../model/words';
import { Primary } from '../shared/buttons';
import { useCommands } from '../shared/contexts';
import { Field } from '../shared/Field';

interface Props {
  lab: LabInfo;
  /** The last run; the form begins with its input. */
  report: LabReport | null;
  busy: Page['busy'];
}

/** The parameters of a lab; the button types the command. */
export function LabForm({ lab, report, busy }: Props) {
  const { type, stop } = useCommands();
  const [input, setInput] = useState(() => labInput(lab, report));
  const isRunning = busy !== null && /^lab(\s|$)/.test(busy.label);
  const textOf = (name: string) => input.numbers[name] ?? '';
  const problems = lab.parameters.filter(({ name }) => labProblem(lab, name, textOf(name)));
  const command = labCommand(lab, input);
  const run = (event: FormEvent) => {
    event.preventDefault();
    if (busy === null && problems.length === 0) type(command);
  };
  return (
    <form className="form" onSubmit={run}>
      {lab.parameters.map(({ name, meaning }) => (
        <Field
          key={name}
          label={name}
          inputMode="numeric"
          value={textOf(name)}
          problem={labProblem(lab, name, textOf(name))}
          hint={meaning}
          onTyped={(text) => setInput({ ...input, numbers: { ...input.numbers, [name]: text } })}
        />
      ))}
      {lab.words !== '' && (
        <Field
          label="words"
          className="words"
          value={input.words}
          hint={lab.words}
          onTyped={(words) => setInput({ ...input, words })}
        />
      )}
      <div className="lab-run in-row">
        {isRunning ? (
          <>
            <Primary onClick={stop}>Stop</Primary>
            <progress
              aria-label="Progress"
              {...(busy.total ? { value: busy.done, max: busy.total } : {})}
            />
            <span className="dim" aria-hidden="true">
              {count(busy.done)}
              {busy.total ? ` of ${count(busy.total)}` : ''}
            </span>
          </>
        ) : (
          <Primary type="submit" disabled={busy !== null || problems.length > 0}>
            Run experiment
          </Primary>
        )}
        <code className="dim">{command}</code>
      </div>
    </form>
  );
}
