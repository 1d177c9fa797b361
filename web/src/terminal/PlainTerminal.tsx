import './terminal.css';

import {
  type ClipboardEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useReducer,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import type { OutputLine, Span } from '../model/engine.generated';
import { sanitize } from '../model/sanitize';
import { leadsSomewhere, wordClass } from '../model/selection';
import { completeLine } from './completion';
import { emptyLine, withoutSlash } from './editor';
import type { LogEntry, TerminalProps, TerminalSession } from './session';

const SHOWN_MAX = 400;

/** The terminal as a log and an input field: for touch and for screen readers. */
export function PlainTerminal({ session, onSelect, onLeave, onReady }: TerminalProps) {
  const [, refresh] = useReducer((count: number) => count + 1, 0);
  const input = useRef<HTMLInputElement>(null);
  const log = useRef<HTMLDivElement>(null);
  const ready = useRef(onReady);

  useEffect(() => session.subscribe(refresh), [session]);
  useEffect(() => ready.current(() => input.current?.focus()), []);
  const newest = session.log[session.log.length - 1]?.id;
  useEffect(() => {
    if (newest !== undefined && log.current) log.current.scrollTop = log.current.scrollHeight;
  }, [newest]);

  const { text, setText, onKeyDown, onPaste, submit, press } = useLine(session, input, onLeave);

  return (
    <div className="plain-terminal in-column">
      <div
        className="plain-log grows scrolls breaks"
        ref={log}
        role="log"
        aria-label="Terminal output"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled log must be reachable by keyboard
        tabIndex={0}
      >
        {session.log.slice(-SHOWN_MAX).map((entry) => (
          <LogLine key={entry.id} entry={entry} onSelect={onSelect} />
        ))}
      </div>
      {session.waiting.length > 0 && <Waiting lines={session.waiting} />}
      <KeyRow onKey={press} />
      <form
        className="in-row line-above"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <label htmlFor="plain-input">{session.prompt}</label>
        <input
          id="plain-input"
          className="widens"
          ref={input}
          value={text}
          onChange={(event) => setText(withoutSlash(event.target.value))}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          aria-label="Command line"
          autoComplete="off"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
        />
        <button type="submit">Enter</button>
        {session.busy && (
          <button type="button" onClick={() => session.interrupt()}>
            Stop
          </button>
        )}
      </form>
    </div>
  );
}

/** The line being typed, its history and its keys. */
function useLine(
  session: TerminalSession,
  input: RefObject<HTMLInputElement | null>,
  onLeave: () => void,
) {
  const [text, setText] = useState('');
  const [at, setAt] = useState<number | null>(null);
  const recall = (index: number) => {
    if (index < 0 || index > session.history.length) return;
    setAt(index);
    setText(session.history[index] ?? '');
  };
  const complete = async () => {
    const cursor = input.current?.selectionStart ?? text.length;
    const items = await session.complete(text, cursor);
    const done = completeLine({ ...emptyLine([]), text, cursor }, items);
    setText(done.state.text);
    if (done.choices.length > 0) session.note('dim', done.choices.join('  '));
  };
  const type = (letter: string) => {
    const { selectionStart, selectionEnd } = input.current ?? {};
    const [from, to] = [selectionStart ?? text.length, selectionEnd ?? text.length];
    flushSync(() => setText(text.slice(0, from) + letter + text.slice(to)));
    input.current?.setSelectionRange(from + letter.length, from + letter.length);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const index = at ?? session.history.length;
    if (event.key === 'ArrowUp') recall(index - 1);
    else if (event.key === 'ArrowDown') recall(index + 1);
    else if (event.key === 'Escape') onLeave();
    else if (event.key === 'Tab' && !event.shiftKey && text.trim() !== '') void complete();
    else if (event.key === 'c' && event.ctrlKey && window.getSelection()?.isCollapsed !== false) {
      if (session.interrupt()) setText('');
    } else return;
    event.preventDefault();
  };
  const onPaste = (event: ClipboardEvent) => {
    const raw = event.clipboardData.getData('text/plain');
    if (!raw.includes('\n')) return;
    event.preventDefault();
    const added = session.paste(raw);
    setText((typed) => typed + added);
  };
  const press = (key: TouchKey) => {
    const index = at ?? session.history.length;
    if (key === '↑') recall(index - 1);
    else if (key === '↓') recall(index + 1);
    else if (key === 'Tab') void complete();
    else type(key);
    input.current?.focus();
  };
  const submit = () => {
    session.enter(text);
    setText('');
    setAt(null);
  };
  return { text, setText, onKeyDown, onPaste, submit, press };
}

/** Keys that the keyboard of a phone hides or does not have. */
const TOUCH_KEYS = ['Tab', '↑', '↓', ';', '-', ':', '.'] as const;
type TouchKey = (typeof TOUCH_KEYS)[number];

const KEY_NAMES: Readonly<Partial<Record<TouchKey, string>>> = {
  Tab: 'Complete',
  '↑': 'Line before',
  '↓': 'Line after',
};

function KeyRow({ onKey }: { onKey(key: TouchKey): void }) {
  return (
    <div className="touch-keys rigid line-above" role="toolbar" aria-label="Keys">
      {TOUCH_KEYS.map((key) => (
        <button
          type="button"
          className="widens"
          key={key}
          aria-label={KEY_NAMES[key]}
          // The keyboard of the phone stays up.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onKey(key)}
        >
          {key}
        </button>
      ))}
    </div>
  );
}

function Waiting({ lines }: { lines: readonly string[] }) {
  return (
    <ol className="plain-waiting bare scrolls dim breaks" aria-label="Commands that wait">
      {lines.map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same command may wait twice
        <li key={index}>waiting: {sanitize(text)}</li>
      ))}
    </ol>
  );
}

function LogLine({ entry, onSelect }: { entry: LogEntry; onSelect(selection: string): void }) {
  if (entry.kind === 'input') {
    return (
      <div>
        <span className="t-good">{sanitize(entry.prompt)}</span>
        {sanitize(entry.text)}
      </div>
    );
  }
  return <div>{spans(entry.line, onSelect)}</div>;
}

function spans(line: OutputLine, onSelect: (selection: string) => void) {
  let offset = 0;
  return line.spans.map((span) => {
    const key = offset;
    offset += span.text.length;
    return <Piece key={key} span={span} onSelect={onSelect} />;
  });
}

function Piece({ span, onSelect }: { span: Span; onSelect(selection: string): void }) {
  const text = sanitize(span.text);
  const { style } = span;
  if (typeof style !== 'object') return <span className={`t-${style}`}>{text}</span>;
  if (!leadsSomewhere(style.link)) return <span>{text}</span>;
  return (
    <button
      type="button"
      className={`t-link ${wordClass(style.link)}`}
      onClick={() => onSelect(style.link)}
    >
      {text}
    </button>
  );
}
