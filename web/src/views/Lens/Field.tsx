import { type InputHTMLAttributes, type ReactNode, useId } from 'react';

interface Props extends Omit<InputHTMLAttributes<HTMLInputElement>, 'children'> {
  label: string;
  /** What is wrong with it. */
  problem: string | null;
  onTyped(text: string): void;
  /** Beside the input. */
  children?: ReactNode;
}

/** A field with its label, and with what is wrong with it. */
export function Field({ label, problem, onTyped, children, ...input }: Props) {
  const id = useId();
  return (
    <div className="lens-field">
      <label htmlFor={id}>{label}</label>
      <span className="lens-key-input">
        <input
          id={id}
          spellCheck={false}
          autoComplete="off"
          aria-invalid={problem !== null}
          aria-describedby={problem === null ? undefined : `${id}-problem`}
          onChange={(event) => onTyped(event.target.value)}
          {...input}
        />
        {children}
      </span>
      {problem !== null && (
        <span className="problem" id={`${id}-problem`} role="alert">
          {problem}
        </span>
      )}
    </div>
  );
}
