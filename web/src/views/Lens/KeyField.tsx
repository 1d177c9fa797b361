import { decodeHex, hexByte } from '../../model/bytes';
import { bytesOfText, escapeBytes } from '../../model/keys';
import { Field } from '../shared/Field';
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

/** A typed value, or its mistake. */
export type Parsed<Value> = { value: Value; problem: null } | { value: null; problem: string };

/** The digits of a typed key. */
export function keyHex({ text, as }: TypedKey): Parsed<string> {
  if (as === 'hex') {
    const digits = text.replace(/[\s_]|^0x/g, '').toLowerCase();
    if (/^([0-9a-f]{2})*$/.test(digits)) return { value: digits, problem: null };
    return wrong('Digits are 0 to 9 and a to f, two for each byte.');
  }
  const bytes = bytesOfText(text);
  if (bytes === null) return wrong('After a backslash: x and two digits, or \\ t n r.');
  return { value: bytes.map(hexByte).join(''), problem: null };
}

export const wrong = (problem: string) => ({ value: null, problem });

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
    if (found.value === null) return onTyped({ text, as: next });
    const shown =
      next === 'hex' ? found.value : escapeBytes(decodeHex(found.value) ?? new Uint8Array());
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
