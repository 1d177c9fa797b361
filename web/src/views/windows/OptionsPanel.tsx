import { useState } from 'react';
import type { OptionState, PresetState } from '../../model/engine.generated';
import {
  type Checked,
  checkOption,
  defaultText,
  isClosed,
  optionCommands,
  rangeText,
} from '../../model/optionInput';
import { counted } from '../../model/words';
import { Primary, Quiet } from '../shared/buttons';
import { useCommands } from '../shared/contexts';
import { Dialog } from '../shared/Dialog';

interface Props {
  options: readonly OptionState[];
  presets: readonly PresetState[];
  preset: string;
  onClose(): void;
}

/** All options of the engine. Applying types `options …`, which reopens the database. */
export function OptionsPanel({ options, presets, preset, onClose }: Props) {
  const { type } = useCommands();
  const [typed, setTyped] = useState<Record<string, string>>({});
  const changes: Record<string, string> = {};
  let wrong = 0;
  for (const option of options) {
    const text = typed[option.name];
    if (text === undefined || text.trim() === option.value) continue;
    const checked = checkOption(option, text);
    if (checked.ok) changes[option.name] = checked.text;
    else wrong += 1;
  }
  const commands = optionCommands(changes);
  const apply = () => {
    for (const command of commands) type(command);
    onClose();
  };
  return (
    <Dialog title="Options" onClose={onClose} className="wide">
      <div className="presets">
        {presets.map((known) => (
          <button
            type="button"
            key={known.name}
            className="preset in-column"
            aria-pressed={known.name === preset}
            onClick={() => {
              type(`options preset ${known.name}`);
              onClose();
            }}
          >
            <b>{known.name}</b>
            <span className="dim">{known.purpose}</span>
          </button>
        ))}
      </div>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (wrong === 0 && commands.length > 0) apply();
        }}
      >
        <div className="options">
          {options.map((option) => (
            <Field
              key={option.name}
              option={option}
              text={typed[option.name] ?? option.value}
              onText={(text) => setTyped((before) => ({ ...before, [option.name]: text }))}
            />
          ))}
        </div>
        <div className="dialog-foot in-row">
          <p className="dim" role="status">
            {applyText(wrong, commands)}
          </p>
          <Quiet onClick={onClose}>Cancel</Quiet>
          <Primary type="submit" disabled={wrong > 0 || commands.length === 0}>
            Apply
          </Primary>
        </div>
      </form>
    </Dialog>
  );
}

/** The effect of Apply. */
function applyText(wrong: number, commands: readonly string[]): string {
  if (wrong > 0) return `${counted(wrong, 'value')} out of range`;
  return commands.length > 0
    ? commands.join('; ')
    : 'Changing options closes and reopens the database; nothing stored changes.';
}

interface FieldProps {
  option: OptionState;
  text: string;
  onText(text: string): void;
}

function Field({ option, text, onText }: FieldProps) {
  const checked: Checked = checkOption(option, text);
  const id = `option-${option.name}`;
  const { words } = option;
  const values = words.length > 0 ? option.unit : rangeText(option);
  const choices = words.map((word) => <option key={word}>{word}</option>);
  const range = `${values}; default ${defaultText(option)}`;
  return (
    <div className={checked.ok ? 'option' : 'option bad'}>
      <label htmlFor={id}>
        <code>{option.name}</code>
      </label>
      {isClosed(option) ? (
        <select id={id} value={text} onChange={(event) => onText(event.target.value)}>
          {choices}
        </select>
      ) : (
        <input
          id={id}
          value={text}
          inputMode={words.length > 0 ? 'text' : 'numeric'}
          list={words.length > 0 ? `${id}-words` : undefined}
          autoComplete="off"
          spellCheck={false}
          aria-invalid={!checked.ok}
          aria-describedby={`${id}-about`}
          onChange={(event) => onText(event.target.value)}
        />
      )}
      {words.length > 0 && !isClosed(option) && <datalist id={`${id}-words`}>{choices}</datalist>}
      <p id={`${id}-about`}>
        {option.purpose} <span className="dim">{checked.ok ? range : `▲ ${checked.problem}`}</span>
      </p>
    </div>
  );
}
