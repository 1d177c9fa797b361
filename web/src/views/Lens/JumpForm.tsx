import { type FormEvent, useState } from 'react';
import { count } from '../../model/words';
import { Action } from '../shared/buttons';
import { Field } from '../shared/Field';
import type { StepLine } from './scene/answers';
import { type InHistory, stepAtTime, stepOfEdit, timesOf } from './scene/history';
import { moment } from './scene/words';

interface Props extends Pick<InHistory, 'steps' | 'last'> {
  onStep(step: number): void;
  /** Selects a table, wherever it was born. */
  onTable(number: number): void;
}

const GOALS = ['step', 'edit', 'table', 'time'] as const;
type Goal = (typeof GOALS)[number];

/** Goes to a step, to a version edit, to a table or to a time. */
export function JumpForm({ steps, last, onStep, onTable }: Props) {
  const [goal, setGoal] = useState<Goal>('step');
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const go = (event: FormEvent) => {
    event.preventDefault();
    const found = goalOf(goal, typed, steps, last);
    if ('problem' in found) {
      setProblem(found.problem);
      return;
    }
    setProblem(null);
    if ('table' in found) onTable(found.table);
    else onStep(found.step);
  };
  return (
    <form className="lens-jump step-box in-row rigid placed" onSubmit={go}>
      <select
        aria-label="Go to"
        value={goal}
        onChange={(event) => {
          setGoal(event.target.value as Goal);
          setProblem(null);
        }}
      >
        {GOALS.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <Field
        label={goal === 'time' ? 'Time in UTC' : `Number of the ${goal}`}
        value={typed}
        placeholder={hintOf(goal, steps, last)}
        problem={problem}
        onTyped={(text) => {
          setTyped(text);
          setProblem(null);
        }}
      />
      <Action type="submit">Go</Action>
    </form>
  );
}

function hintOf(goal: Goal, steps: readonly StepLine[], last: number): string {
  if (goal === 'step') return `0 – ${count(last)}`;
  if (goal === 'table') return 'such as 12';
  if (goal === 'time') {
    const times = timesOf(steps);
    return times ? moment(times.first).slice(0, 19) : 'no times are known';
  }
  const end = steps[steps.length - 1];
  return end ? `0 – ${count(end.firstEdit + end.edits - 1)}` : '';
}

type JumpTarget = { step: number } | { table: number } | { problem: string };

/** Where a typed goal leads. */
export function goalOf(
  goal: Goal,
  typed: string,
  steps: readonly StepLine[],
  last: number,
): JumpTarget {
  const text = typed.trim();
  if (goal === 'time') {
    const at = Date.parse(/[zZ]|UTC|[+-]\d\d:?\d\d$/.test(text) ? text : `${text} UTC`);
    if (Number.isNaN(at)) return { problem: 'A time is written like 2026-11-25 14:44:34.' };
    const step = stepAtTime(steps, at * 1000 + 999);
    return step === null ? { problem: 'No step is known to be that old.' } : { step };
  }
  const digits = text.replace(/,/g, '').replace(/^0*(\d+)\.(sst|ldb)$/, '$1');
  if (!/^\d{1,15}$/.test(digits)) return { problem: 'Type a number.' };
  const number = Number(digits);
  if (goal === 'table') return { table: number };
  if (goal === 'step') {
    return number <= last ? { step: number } : { problem: `The last step is ${count(last)}.` };
  }
  const step = stepOfEdit(steps, number);
  return step === null ? { problem: `There is no edit ${count(number)}.` } : { step };
}
