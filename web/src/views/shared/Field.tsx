import { type InputHTMLAttributes, type ReactNode, useId } from 'react';

interface Props extends Omit<InputHTMLAttributes<HTMLInputElement>, 'children'> {
  label: string;
  /** What is wrong with it. */
  problem?: string | null;
  /** Below it, as long as nothing is wrong. */
  hint?: string;
  onTyped(text: string): void;
  /** Beside the input. */
  children?: ReactNode;
}

/** A field with its label, and with what is wrong with it. */
export function Field(props: Props) {
  const { label, problem = null, hint = null, onTyped, children, ...input } = props;
  const below = problem ?? hint;
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <span className="in-row">
        <input
          id={id}
          spellCheck={false}
          autoComplete="off"
          aria-invalid={problem !== null}
          aria-describedby={below === null ? undefined : `${id}-below`}
          onChange={(event) => onTyped(event.target.value)}
          {...input}
        />
        {children}
      </span>
      {below !== null && (
        <small
          className={problem === null ? 'dim' : 'problem'}
          id={`${id}-below`}
          role={problem === null ? undefined : 'alert'}
        >
          {below}
        </small>
      )}
    </div>
  );
}
