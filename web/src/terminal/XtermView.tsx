import { useEffect, useRef } from 'react';
import { ScreenController } from './controller';
import { openScreen } from './screen';
import type { TerminalProps } from './session';

interface Props extends TerminalProps {
  /** Scale of the page. */
  scale: number;
}

/** The terminal as xterm.js shows it. */
export function XtermView({ session, scale, onSelect, onLeave, onReady }: Props) {
  const parent = useRef<HTMLDivElement>(null);
  const handlers = useRef({ onSelect, onLeave, onReady });
  handlers.current = { onSelect, onLeave, onReady };
  const fitted = useRef<((scale: number) => void) | null>(null);
  useEffect(() => fitted.current?.(scale), [scale]);
  const first = useRef(scale);
  first.current = scale;

  useEffect(() => {
    const element = parent.current;
    if (!element) return;
    const screen = openScreen(element, (selection) => handlers.current.onSelect(selection));
    const { terminal } = screen;
    screen.resize(first.current);
    const paper = {
      write: (data: string) => terminal.write(data),
      clear: () => terminal.reset(),
      columns: () => terminal.cols,
    };
    const leave = () => {
      terminal.blur();
      handlers.current.onLeave();
    };
    const controller = new ScreenController(session, paper, leave);
    const typing = terminal.onData((data) => controller.typed(data));
    terminal.attachCustomKeyEventHandler((event) => {
      if (event.type === 'keyup' && !event.isTrusted) return false;
      // Ctrl-V is the browser's own paste; with something marked, Ctrl-C is its copy; Shift-Tab goes
      // back as everywhere.
      if (event.ctrlKey && event.key.toLowerCase() === 'v') return false;
      if (event.ctrlKey && event.key === 'c' && terminal.hasSelection()) return false;
      return !(event.key === 'Tab' && event.shiftKey);
    });
    const onPaste = (event: ClipboardEvent) => {
      event.preventDefault();
      event.stopPropagation();
      controller.paste(event.clipboardData?.getData('text/plain') ?? '');
    };
    element.addEventListener('paste', onPaste, true);
    // Enter may open a dialog: then the key is released there. Until xterm.js hears of it, it drops
    // text that comes without keys, as from dictation and input methods.
    const releaseKeys = () => terminal.textarea?.dispatchEvent(new KeyboardEvent('keyup'));
    terminal.textarea?.addEventListener('blur', releaseKeys);
    const observer = new ResizeObserver(() => {
      screen.fit();
      controller.resized();
    });
    observer.observe(element);
    fitted.current = (letters) => {
      screen.resize(letters);
      controller.resized();
    };
    handlers.current.onReady(() => terminal.focus());
    return () => {
      observer.disconnect();
      element.removeEventListener('paste', onPaste, true);
      typing.dispose();
      controller.dispose();
      screen.dispose();
    };
  }, [session]);

  return (
    <div className="xterm-frame" style={{ zoom: 1 / scale }}>
      <div className="xterm-host cuts" ref={parent} />
    </div>
  );
}
