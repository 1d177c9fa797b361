import { Terminal } from '@xterm/headless';
import { describe, expect, it } from 'vitest';
import type { Completion, Failure } from '../model/engine.generated';
import { ScreenController } from './controller';
import { line, TerminalSession } from './session';

function start(store: Map<string, string> = new Map()) {
  const ran: string[] = [];
  let finish: ((failure: Failure | null) => void) | null = null;
  let cancelled = 0;
  const items: Completion[] = [];
  const host = {
    hold: false,
    run(command: string): Promise<Failure | null> {
      ran.push(command);
      if (!host.hold) return Promise.resolve(null);
      return new Promise((resolve) => {
        finish = resolve;
      });
    },
    complete: () => Promise.resolve(items),
    cancel: () => {
      cancelled += 1;
    },
  };
  const session = new TerminalSession(host, {
    getItem: (name) => store.get(name) ?? null,
    setItem: (name, value) => void store.set(name, value),
  });
  const writes: string[] = [];
  const terminal = new Terminal({ cols: 60, rows: 20, allowProposedApi: true });
  let left = 0;
  const controller = new ScreenController(
    session,
    {
      write: (data) => {
        writes.push(data);
        terminal.write(data);
      },
      clear: () => terminal.reset(),
      columns: () => terminal.cols,
    },
    () => {
      left += 1;
    },
  );
  const settle = async () => {
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    await new Promise<void>((resolve) => terminal.write('', resolve));
  };
  const rows = async () => {
    await settle();
    const { active } = terminal.buffer;
    const texts = Array.from({ length: active.length }, (_, row) =>
      (active.getLine(row)?.translateToString(true) ?? '').trimEnd(),
    );
    while (texts.at(-1) === '') texts.pop();
    return texts;
  };
  return {
    session,
    controller,
    host,
    items,
    ran,
    rows,
    writes,
    resize: (columns: number) => terminal.resize(columns, 20),
    settle,
    done: (failure: Failure | null) => finish?.(failure),
    cancelled: () => cancelled,
    left: () => left,
  };
}

describe('the terminal', () => {
  it('runs what is typed and shows the prompt again', async () => {
    const { controller, ran, rows } = start();
    controller.typed('put a 1\r');
    expect(ran).toEqual(['put a 1']);
    expect(await rows()).toEqual(['lsm> put a 1', 'lsm>']);
  });

  it('draws no prompt between a line and its output', () => {
    const { controller, host, session, writes } = start();
    host.hold = true;
    controller.typed('put a 1');
    writes.length = 0;
    controller.typed('\r');
    session.print([line('1 entry')]);
    expect(writes.join('').split('lsm>').length - 1).toBe(1);
  });

  it('prints above the line being typed', async () => {
    const { session, controller, rows } = start();
    controller.typed('get app');
    session.print([line('a flush is done')]);
    expect(await rows()).toEqual(['a flush is done', 'lsm> get app']);
  });

  it('ends rows of output between words, and again at a new width', async () => {
    const { session, controller, rows, resize } = start();
    const words =
      'step 7  the flush writes a block of twelve entries; then the filter, the index and the footer';
    session.print([line(words)]);
    expect(await rows()).toEqual([
      'step 7  the flush writes a block of twelve entries; then the',
      '        filter, the index and the footer',
      'lsm>',
    ]);
    resize(40);
    controller.resized();
    expect(await rows()).toEqual([
      'step 7  the flush writes a block of',
      '        twelve entries; then the filter,',
      '        the index and the footer',
      'lsm>',
    ]);
  });

  it('breaks a word that is longer than a row', async () => {
    const { session, rows } = start();
    session.print([line(`a ${'x'.repeat(70)} b`)]);
    expect(await rows()).toEqual(['a', 'x'.repeat(60), `${'x'.repeat(10)} b`, 'lsm>']);
  });

  it('keeps a long line in order, over several rows', async () => {
    const { controller, rows } = start();
    controller.typed(`put ${'x'.repeat(100)}`);
    controller.typed('\x1b[D\x1b[D!');
    expect((await rows()).join('')).toBe(`lsm> put ${'x'.repeat(98)}!xx`);
    controller.typed('\x15\x0b');
    expect(await rows()).toEqual(['lsm>']);
  });

  it('shows no prompt while a command is at work; Ctrl-C stops it', async () => {
    const { controller, host, rows, done, cancelled, settle } = start();
    host.hold = true;
    controller.typed('fill 1000000\r');
    expect(await rows()).toEqual(['lsm> fill 1000000']);
    controller.typed('\x03');
    expect(cancelled()).toBe(1);
    done({ kind: 'cancelled', message: 'It was stopped.', hint: null });
    await settle();
    expect(await rows()).toEqual(['lsm> fill 1000000', 'It was stopped.', 'lsm>']);
  });

  it('keeps what is typed ahead', async () => {
    const { controller, host, rows, done } = start();
    host.hold = true;
    controller.typed('run\r');
    controller.typed('scan');
    done(null);
    expect(await rows()).toEqual(['lsm> run', 'lsm> scan']);
  });

  it('runs lines typed ahead one after the other, and shows those that wait', async () => {
    const { controller, host, ran, rows, done, settle } = start();
    host.hold = true;
    controller.typed('run\r');
    controller.typed('get apple\rstats\rsc');
    expect(ran).toEqual(['run']);
    expect(await rows()).toEqual(['lsm> run', 'waiting: get apple', 'waiting: stats', 'lsm> sc']);
    done(null);
    await settle();
    expect(ran).toEqual(['run', 'get apple']);
    expect(await rows()).toEqual(['lsm> run', 'lsm> get apple', 'waiting: stats', 'lsm> sc']);
    done(null);
    await settle();
    done(null);
    expect(await rows()).toEqual(['lsm> run', 'lsm> get apple', 'lsm> stats', 'lsm> sc']);
    expect(ran).toEqual(['run', 'get apple', 'stats']);
  });

  it('edits a line typed ahead', async () => {
    const { controller, host, ran, rows, done, settle } = start();
    host.hold = true;
    controller.typed('run\r');
    controller.typed('get applf\x7fe\r');
    done(null);
    await settle();
    expect(ran).toEqual(['run', 'get apple']);
    expect(await rows()).toEqual(['lsm> run', 'lsm> get apple']);
  });

  it('prints above the lines that wait, and shortens a long queue', async () => {
    const { session, controller, host, rows } = start();
    host.hold = true;
    controller.typed('run\r');
    for (let key = 0; key < 7; key += 1) controller.typed(`put ${key} ${'x'.repeat(90)}\r`);
    session.print([line('a flush is done')]);
    const shown = await rows();
    expect(shown.slice(0, 2)).toEqual(['lsm> run', 'a flush is done']);
    expect(shown).toHaveLength(2 + 5 + 1 + 1);
    expect(shown[2]).toBe(`waiting: put 0 ${'x'.repeat(43)}…`);
    expect(shown.slice(-2)).toEqual(['… and 2 more', 'lsm>']);
  });

  it('Ctrl-C stops the command at work and drops the lines that wait, and reports it', async () => {
    const { controller, host, ran, rows, done, cancelled, settle } = start();
    host.hold = true;
    controller.typed('fill 1000000\r');
    controller.typed('get a\rget b\r');
    controller.typed('\x03');
    expect(cancelled()).toBe(1);
    done({ kind: 'cancelled', message: 'It was stopped.', hint: null });
    await settle();
    expect(ran).toEqual(['fill 1000000']);
    expect(await rows()).toEqual([
      'lsm> fill 1000000',
      '2 more commands not run.',
      'It was stopped.',
      'lsm>',
    ]);
    // The dropped commands are in the history.
    controller.typed('\x1b[A');
    expect((await rows()).at(-1)).toBe('lsm> get b');
  });

  it('takes a command of several lines ahead', async () => {
    const { controller, host, ran, rows, done, settle } = start();
    host.hold = true;
    controller.typed('run\rbatch {\r');
    expect(await rows()).toEqual(['lsm> run', 'waiting: batch {', '...>']);
    done(null);
    await settle();
    controller.typed('put a 1 }\r');
    await settle();
    expect(ran).toEqual(['run', 'batch {\nput a 1 }']);
    expect(await rows()).toEqual(['lsm> run', 'lsm> batch {', '...> put a 1 }']);
  });

  it('goes on asking as long as a brace is open', async () => {
    const { controller, ran, rows } = start();
    controller.typed('batch {\r');
    controller.typed('put a 1 }\r');
    expect(ran).toEqual(['batch {\nput a 1 }']);
    expect(await rows()).toEqual(['lsm> batch {', '...> put a 1 }', 'lsm>']);
  });

  it('completes, or shows the choices', async () => {
    const { controller, items, rows } = start();
    items.push({ text: 'flush', kind: 'verb', from: 0 }, { text: 'fill', kind: 'verb', from: 0 });
    controller.typed('f\t');
    expect(await rows()).toEqual(['flush  fill', 'lsm> f']);
  });

  it('asks before it runs pasted commands, in order', async () => {
    const { controller, ran, rows, settle } = start();
    controller.paste('put a 1\nput b 2\n');
    expect((await rows()).at(-1)).toContain('run 2 pasted commands');
    controller.typed('n\r');
    expect(ran).toEqual([]);
    controller.paste('put a 1\nput b 2\n');
    controller.typed('y\r');
    for (let turn = 0; turn < 5; turn += 1) await settle();
    expect(ran).toEqual(['put a 1', 'put b 2']);
  });

  it('keeps the history across visits', async () => {
    const store = new Map<string, string>();
    start(store).controller.typed('put a 1\r');
    const { controller, rows } = start(store);
    controller.typed('\x1b[A');
    expect(await rows()).toEqual(['lsm> put a 1']);
  });

  it('buttons type without losing what is being typed; Escape leaves', async () => {
    const { session, controller, ran, rows, left } = start();
    controller.typed('get');
    session.type('step');
    expect(ran).toEqual(['step']);
    expect(await rows()).toEqual(['lsm> step', 'lsm> get']);
    controller.typed('\x1b');
    expect(left()).toBe(1);
  });

  it('does not run the rest of a paste after a failure', async () => {
    const { controller, host, ran, rows, done, settle } = start();
    host.hold = true;
    controller.paste('bad\ngood\n');
    controller.typed('y\r');
    await settle();
    done({ kind: 'usage', message: 'there is no command bad', hint: null });
    await settle();
    expect(ran).toEqual(['bad']);
    expect((await rows()).slice(-3)).toEqual([
      'there is no command bad',
      '1 more command not run.',
      'lsm>',
    ]);
  });
});
