import type { Completion, Failure, OutputLine, Style } from '../model/engine.generated';
import type { LineStore } from '../model/kept';
import { counted } from '../model/words';
import { loadHistory, remember, saveHistory } from './history';
import { readPaste } from './paste';
import { isUnfinished } from './unfinished';

/** One line that the terminal shows. */
export type LogEntry =
  | { id: number; kind: 'input'; prompt: string; text: string }
  | { id: number; kind: 'output'; line: OutputLine };

/** The services that the terminal needs. */
interface TerminalHost {
  /** Runs one line; resolves when it is done, with its failure if there is one. */
  run(line: string): Promise<Failure | null>;
  complete(line: string, cursor: number): Promise<Completion[]>;
  cancel(): void;
}

/** The props of every form of the terminal. */
export interface TerminalProps {
  session: TerminalSession;
  /** A link was followed. */
  onSelect(selection: string): void;
  /** Escape: the focus goes elsewhere. */
  onLeave(): void;
  /** Hands out a function that puts the focus into the terminal. */
  onReady(focus: () => void): void;
}

/** The events for listeners. */
export type Change =
  | { kind: 'entries'; entries: LogEntry[] }
  | { kind: 'state' }
  | { kind: 'clear' };

export const PROMPT = 'lsm> ';
export const CONTINUED = '...> ';
const LOG_MAX = 2000;

/** A line of one style. */
export function line(text: string, style: Style = 'plain'): OutputLine {
  return { spans: [{ text, style }] };
}

/**
 * A terminal session: typed lines, printed lines, and the queue. It has no screen; xterm.js and the
 * plain form both show it, so that switching between them loses nothing.
 */
export class TerminalSession {
  log: readonly LogEntry[] = [];
  history: readonly string[];
  busy = false;
  /** Lines of a command that goes on. */
  continued = '';
  /** The typed line, not yet entered. */
  typed = '';
  /** Pasted commands that wait for a yes. */
  pasted: readonly string[] | null = null;

  private readonly listeners = new Set<(change: Change) => void>();
  private queue: readonly string[] = [];
  /** Whether the beginning of the command that goes on was typed ahead, and is not in the log yet. */
  private ahead = false;
  private nextId = 1;

  constructor(
    private readonly host: TerminalHost,
    private readonly store: LineStore | null,
  ) {
    this.history = loadHistory(store);
  }

  readonly subscribe = (listener: (change: Change) => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** The prompt before the line being typed. */
  get prompt(): string {
    if (this.pasted) return `run ${counted(this.pasted.length, 'pasted command')} one by one? y/n `;
    return this.continued === '' ? PROMPT : CONTINUED;
  }

  /** Lines that were typed ahead and wait for the command at work, in the order in which they will run. */
  get waiting(): readonly string[] {
    const begun = this.ahead ? [this.continued] : [];
    return [...this.queue, ...begun].flatMap((command) => command.split('\n'));
  }

  /** Prints lines, also while something is being typed. */
  print(lines: readonly OutputLine[]): void {
    this.append(lines.map((entry) => ({ id: this.nextId++, kind: 'output', line: entry })));
  }

  /** Prints a line of one style. */
  note(style: Style, text: string): void {
    this.print([line(text, style)]);
  }

  /** A button typed `command`. */
  type(command: string): void {
    this.keep(command);
    this.enqueue([command]);
  }

  /** Enter was pressed after `text`. While a command is at work, the line waits for its end. */
  enter(text: string): void {
    const { prompt } = this;
    if (this.pasted) {
      this.echo(prompt, text);
      this.answer(/^\s*y(es)?\s*$/i.test(text));
      return;
    }
    const goesOn = this.continued !== '';
    const whole = goesOn ? `${this.continued}\n${text}` : text;
    const ahead = goesOn ? this.ahead : this.busy;
    const unfinished = isUnfinished(whole);
    const isCommand = !unfinished && whole.trim() !== '';
    const begins = isCommand && !ahead && !this.busy;
    // Before the echo: no prompt is drawn below a line that is at work.
    if (begins) this.busy = true;
    if (!ahead) this.echo(prompt, text);
    this.continued = unfinished ? whole : '';
    this.ahead = unfinished && ahead;
    if (isCommand) this.keep(whole);
    if (begins) void this.run(whole);
    else if (isCommand) this.enqueue([whole]);
    else this.emit({ kind: 'state' });
  }

  /** Something was pasted; returns what goes into the line being typed. */
  paste(raw: string): string {
    const pasted = readPaste(raw);
    switch (pasted.kind) {
      case 'text':
        return pasted.text;
      case 'refused':
        this.note('bad', `Nothing was pasted: ${pasted.why}.`);
        return '';
      case 'lines':
        if (pasted.lines.length > 0) this.pasted = pasted.lines;
        this.emit({ kind: 'state' });
        return '';
    }
  }

  /**
   * Ctrl-C: stops the command at work and drops the lines that wait for it, as a terminal of Unix does.
   * Returns whether the line being typed should be cleared, too.
   */
  interrupt(): boolean {
    const { busy } = this;
    this.pasted = null;
    this.continued = '';
    this.ahead = false;
    this.print(this.drop());
    this.emit({ kind: 'state' });
    if (busy) this.host.cancel();
    return !busy;
  }

  complete(text: string, cursor: number): Promise<Completion[]> {
    return this.busy || this.pasted ? Promise.resolve([]) : this.host.complete(text, cursor);
  }

  clear(): void {
    this.log = [];
    this.emit({ kind: 'clear' });
  }

  private answer(yes: boolean): void {
    const lines = this.pasted ?? [];
    this.pasted = null;
    if (!yes) this.note('dim', 'Nothing was run.');
    for (const command of yes ? lines : []) this.keep(command);
    this.enqueue(yes ? lines : []);
  }

  private enqueue(commands: readonly string[]): void {
    this.queue = [...this.queue, ...commands];
    this.emit({ kind: 'state' });
    void this.runQueue();
  }

  /** Drops the waiting commands and prints their number. */
  private drop(): OutputLine[] {
    const dropped = this.queue.length;
    this.queue = [];
    return dropped > 0 ? [line(`${counted(dropped, 'more command')} not run.`, 'dim')] : [];
  }

  private echo(prompt: string, text: string): void {
    this.append([{ id: this.nextId++, kind: 'input', prompt, text }]);
  }

  private async runQueue(): Promise<void> {
    if (this.busy || this.pasted) return;
    const [next, ...later] = this.queue;
    if (next === undefined) return;
    this.queue = later;
    this.busy = true;
    for (const [index, text] of next.split('\n').entries()) {
      this.echo(index === 0 ? PROMPT : CONTINUED, text);
    }
    await this.run(next);
  }

  /** Runs a command that has made the session `busy`. */
  private async run(command: string): Promise<void> {
    this.emit({ kind: 'state' });
    const failure = await this.host.run(command);
    if (failure) this.fail(failure);
    this.busy = false;
    this.emit({ kind: 'state' });
    void this.runQueue();
  }

  /** A failure drops the queue: later commands may depend on the failed one. */
  private fail(failure: Failure): void {
    const hint = failure.hint ? [line(failure.hint, 'dim')] : [];
    this.print([line(failure.message, 'bad'), ...hint, ...this.drop()]);
  }

  private keep(command: string): void {
    this.history = remember(this.history, command);
    saveHistory(this.store, this.history);
  }

  private append(entries: LogEntry[]): void {
    if (entries.length === 0) return;
    this.log = [...this.log, ...entries].slice(-LOG_MAX);
    this.emit({ kind: 'entries', entries });
  }

  private emit(change: Change): void {
    for (const listener of this.listeners) listener(change);
  }
}
