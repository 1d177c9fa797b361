import type { Completion, Failure, OutputLine, Style } from '../model/engine.generated';
import { counted } from '../model/words';
import { type LineStore, loadHistory, remember, saveHistory } from './history';
import { readPaste } from './paste';
import { isUnfinished } from './unfinished';

/** One line that the terminal shows. */
export type LogEntry =
  | { id: number; kind: 'input'; prompt: string; text: string }
  | { id: number; kind: 'output'; line: OutputLine };

/** What the terminal needs from outside. */
export interface TerminalHost {
  /** Runs one line; resolves when it is done, with its failure if there is one. */
  run(line: string): Promise<Failure | null>;
  complete(line: string, cursor: number): Promise<Completion[]>;
  cancel(): void;
}

/** What listeners are told. */
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
 * The conversation: lines typed, lines printed, what waits to run. It has no screen; xterm.js and the
 * plain twin both show it, so that switching between them loses nothing.
 */
export class TerminalSession {
  log: readonly LogEntry[] = [];
  history: readonly string[];
  busy = false;
  /** Lines of a command that goes on. */
  continued = '';
  /** Pasted commands that wait for a yes. */
  pasted: readonly string[] | null = null;

  private readonly listeners = new Set<(change: Change) => void>();
  private queue: string[] = [];
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

  /** What stands before the line being typed. */
  get prompt(): string {
    if (this.pasted) {
      const count = this.pasted.length;
      return `run ${count} pasted ${count === 1 ? 'command' : 'commands'} one by one? y/n `;
    }
    return this.continued === '' ? PROMPT : CONTINUED;
  }

  /** Prints lines, also while something is being typed. */
  print(lines: readonly OutputLine[]): void {
    this.append(lines.map((entry) => ({ id: this.nextId++, kind: 'output', line: entry })));
  }

  /** A button typed `command`. */
  type(command: string): void {
    this.queue.push(command);
    void this.runQueue();
  }

  /** Enter was pressed behind `text`. */
  enter(text: string): void {
    this.append([{ id: this.nextId++, kind: 'input', prompt: this.prompt, text }]);
    if (this.pasted) {
      this.answer(/^\s*y(es)?\s*$/i.test(text));
      return;
    }
    const whole = this.continued === '' ? text : `${this.continued}\n${text}`;
    if (isUnfinished(whole)) {
      this.continued = whole;
      this.emit({ kind: 'state' });
      return;
    }
    this.continued = '';
    if (whole.trim() === '') {
      this.emit({ kind: 'state' });
      return;
    }
    this.keep(whole);
    void this.run(whole);
  }

  /** Something was pasted; returns what goes into the line being typed. */
  paste(raw: string): string {
    const pasted = readPaste(raw);
    switch (pasted.kind) {
      case 'text':
        return pasted.text;
      case 'refused':
        this.print([line(`Nothing was pasted: ${pasted.why}.`, 'bad')]);
        return '';
      case 'lines':
        if (pasted.lines.length > 0) this.pasted = pasted.lines;
        this.emit({ kind: 'state' });
        return '';
    }
  }

  /** Ctrl-C: stops what runs, or drops what waits. Returns whether the line should be cleared. */
  interrupt(): boolean {
    this.queue = [];
    if (this.busy) {
      this.host.cancel();
      return false;
    }
    this.pasted = null;
    this.continued = '';
    this.emit({ kind: 'state' });
    return true;
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
    if (yes) this.queue.push(...lines);
    else this.print([line('Nothing of it was run.', 'dim')]);
    this.emit({ kind: 'state' });
    void this.runQueue();
  }

  private async runQueue(): Promise<void> {
    if (this.busy || this.pasted) return;
    const next = this.queue.shift();
    if (next === undefined) return;
    for (const [index, text] of next.split('\n').entries()) {
      const prompt = index === 0 ? PROMPT : CONTINUED;
      this.append([{ id: this.nextId++, kind: 'input', prompt, text }]);
    }
    this.keep(next);
    await this.run(next);
  }

  private async run(command: string): Promise<void> {
    this.busy = true;
    this.emit({ kind: 'state' });
    const failure = await this.host.run(command);
    if (failure) this.fail(failure);
    this.busy = false;
    this.emit({ kind: 'state' });
    void this.runQueue();
  }

  /** A failure ends what was queued: later commands may have counted on it. */
  private fail(failure: Failure): void {
    const dropped = this.queue.length;
    this.queue = [];
    const lines = [line(failure.message, 'bad')];
    if (failure.hint) lines.push(line(failure.hint, 'dim'));
    if (dropped > 0) lines.push(line(`${counted(dropped, 'more command')} not run.`, 'dim'));
    this.print(lines);
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
