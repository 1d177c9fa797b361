import { type ReactNode, useId } from 'react';

interface Props<Choice> {
  /** For those who do not see it. */
  legend: string;
  choices: readonly { of: Choice; name: string; title?: string; label?: string }[];
  chosen: Choice;
  onChoose(choice: Choice): void;
  /** Before the choices. */
  children?: ReactNode;
}

/** One of a few, side by side. */
export function Segments<Choice extends string>(props: Props<Choice>) {
  const { legend, choices, chosen, onChoose, children } = props;
  const group = useId();
  return (
    <fieldset className="segments rigid on-panel cuts">
      <legend className="visually-hidden">{legend}</legend>
      {children}
      {choices.map(({ of, name, title, label }) => (
        <label key={of} title={title}>
          <input
            type="radio"
            name={group}
            aria-label={label}
            checked={of === chosen}
            onChange={() => onChoose(of)}
          />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  );
}
