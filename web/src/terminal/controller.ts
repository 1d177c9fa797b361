import { completeLine, inColumns } from './completion';
import { type EditorState, edit, emptyLine, inserted } from './editor';
import { type Key, parseKeys } from './keys';
import { erase, paintEditor, paintEntry, paintWaiting } from './paint';
import { type LogEntry, line, type TerminalSession } from './session';

/** Where painted text goes. */
export interface Paper {
  write(data: string): void;
  clear(): void;
  columns(): number;
}

/** Joins a session to a screen: shows its log, edits its line. */
export class ScreenController {
  private state: EditorState;
  /** Painted rows between the first of the line being typed and the cursor. */
  private rows = 0;
  private shown = false;
  private columns: number;
  readonly dispose: () => void;

  constructor(
    private readonly session: TerminalSession,
    private readonly paper: Paper,
    private readonly leave: () => void,
  ) {
    this.state = emptyLine(session.history);
    this.columns = paper.columns();
    paper.write(this.paint(session.log));
    this.dispose = session.subscribe((change) => {
      if (change.kind === 'clear') {
        this.shown = false;
        paper.clear();
      }
      const entries = change.kind === 'entries' ? change.entries : [];
      this.repaint(this.paint(entries));
    });
    this.repaint('');
  }

  /** Typed text, as the terminal reports it. */
  typed(data: string): void {
    for (const key of parseKeys(data)) this.press(key);
  }

  paste(raw: string): void {
    const text = this.session.paste(raw);
    if (text === '') return;
    this.state = inserted(this.state, text);
    this.repaint('');
  }

  /** Repaints after a change of the number of columns, because lines now wrap at other places. */
  resized(): void {
    if (this.columns === this.paper.columns()) return;
    this.columns = this.paper.columns();
    this.shown = false;
    this.paper.clear();
    this.repaint(this.paint(this.session.log));
  }

  private paint(entries: readonly LogEntry[]): string {
    return entries.map((entry) => paintEntry(entry, this.columns)).join('');
  }

  private press(key: Key): void {
    const { state, effect } = edit(this.state, key, this.session.history);
    this.state = state;
    switch (effect) {
      case 'submit':
        this.submit();
        return;
      case 'complete':
        void this.complete();
        return;
      case 'cancel':
        if (this.session.interrupt())
          this.state = emptyLine(this.session.history, this.state.killed);
        this.repaint('');
        return;
      case 'leave':
        if (this.session.pasted) this.session.interrupt();
        else this.leave();
        return;
      case 'clearScreen':
        this.session.clear();
        return;
      case 'none':
        this.repaint('');
    }
  }

  private submit(): void {
    const { text, killed } = this.state;
    this.hide();
    this.state = emptyLine(this.session.history, killed);
    this.session.enter(text);
    this.state = emptyLine(this.session.history, killed);
    this.repaint('');
  }

  private async complete(): Promise<void> {
    const { text, cursor } = this.state;
    const items = await this.session.complete(text, cursor);
    if (this.state.text !== text || this.state.cursor !== cursor) return;
    const { state, choices } = completeLine(this.state, items);
    this.state = state;
    if (choices.length > 0) {
      const rows = inColumns(choices, this.paper.columns());
      this.session.print(rows.map((row) => line(row, 'dim')));
    }
    this.repaint('');
  }

  private hide(): void {
    if (this.shown) this.paper.write(erase(this.rows));
    this.shown = false;
    this.rows = 0;
  }

  private repaint(above: string): void {
    const gone = this.shown ? erase(this.rows) : '';
    const { busy, waiting, prompt, history } = this.session;
    const { text, search } = this.state;
    this.session.typed = text;
    // While a command is at work there is a prompt only for those who type ahead.
    this.shown = !busy || waiting.length > 0 || text !== '' || search !== null;
    if (!this.shown) {
      this.rows = 0;
      this.paper.write(gone + above);
      return;
    }
    const columns = this.paper.columns();
    const queue = paintWaiting(waiting, columns);
    const editor = paintEditor(prompt, this.state, history, columns);
    this.rows = queue.rows + editor.rows;
    this.paper.write(gone + above + queue.data + editor.data);
  }
}
