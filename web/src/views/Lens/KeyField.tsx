import { type InputHTMLAttributes, type ReactNode, useId } from 'react';
import { decodeHex, hexByte } from '../../model/bytes';
import { bytesOfText, escapeBytes } from '../../model/keys';
import { Segments } from '../shared/Segments';

/** A key as it is typed. */
export interface TypedKey {
  text: string;
  /** `text`: characters, with `\xNN` for other bytes. `hex`: two digits for each byte. */
  as: 'text' | 'hex';
}

/** A key, from its digits, as it would be typed: as text where that is readable. */
export function typedKey(hex: string | null): TypedKey {
  if (hex === null || hex === '') return { text: '', as: 'text' };
  const bytes = decodeHex(hex);
  if (bytes === null) return { text: hex, as: 'hex' };
  const text = escapeBytes(bytes);
  return text.includes('\\x') ? { text: hex, as: 'hex' } : { text, as: 'text' };
}

type ParsedKey = { hex: string } | { problem: string };

/** The digits of a typed key. */
export function keyHex({ text, as }: TypedKey): ParsedKey {
  if (as === 'hex') {
    const digits = text.replace(/[\s_]|^0x/g, '').toLowerCase();
    if (/^([0-9a-f]{2})*$/.test(digits)) return { hex: digits };
    return { problem: 'Digits are 0 to 9 and a to f, two for each byte.' };
  }
  const bytes = bytesOfText(text);
  if (bytes === null) return { problem: 'After a backslash: x and two digits, or \\ t n r.' };
  return { hex: bytes.map(hexByte).join('') };
}

interface Props {
  label: string;
  typed: TypedKey;
  problem: string | null;
  placeholder?: string;
  onTyped(typed: TypedKey): void;
}

/** A field for a key, as text or as hexadecimal digits. */
export function KeyField({ label, typed, problem, placeholder = '', onTyped }: Props) {
  const { text, as } = typed;
  const turn = (next: TypedKey['as']) => {
    const found = keyHex(typed);
    if ('problem' in found) return onTyped({ text, as: next });
    const shown =
      next === 'hex' ? found.hex : escapeBytes(decodeHex(found.hex) ?? new Uint8Array());
    onTyped({ text: shown, as: next });
  };
  return (
    <Field
      {...{ label, problem, placeholder }}
      value={text}
      onTyped={(next) => onTyped({ text: next, as })}
    >
      <Segments
        legend={`${label} as`}
        choices={FORMS.map((form) => ({ ...form, label: `${label} as ${form.of}` }))}
        chosen={as}
        onChoose={turn}
      />
    </Field>
  );
}

const FORMS = [
  { of: 'text', name: 'text', title: 'Characters; \\xNN stands for any other byte' },
  { of: 'hex', name: 'hex', title: 'Two hexadecimal digits for each byte' },
] as const;

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'children'> {
  label: string;
  /** What is wrong with it. */
  problem: string | null;
  onTyped(text: string): void;
  /** Beside the input. */
  children?: ReactNode;
}

/** A field with its label, and with what is wrong with it. */
export function Field({ label, problem, onTyped, children, ...input }: FieldProps) {
  const id = useId();
  return (
    <div className="lens-field">
      <label htmlFor={id}>{label}</label>
      <span className="lens-key-input in-row">
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
