import { FitAddon } from '@xterm/addon-fit';
import { type ITheme, type IUnicodeVersionProvider, Terminal } from '@xterm/xterm';
import { leadsSomewhere } from '../model/selection';
import { LINK_SCHEME } from './paint';
import { codePointWidth } from './width';

const THEME: ITheme = {
  // The page's own colour shows through: it differs between light and dark.
  background: '#00000000',
  foreground: '#e6e9ee',
  cursor: '#6effb2',
  cursorAccent: '#0f1419',
  selectionBackground: '#3b5b7a',
  brightBlack: '#9aa5b1',
  red: '#dc8768',
  brightRed: '#f0a184',
  green: '#6effb2',
  brightGreen: '#6effb2',
  yellow: '#e8cc2e',
  blue: '#78aeff',
  brightBlue: '#8ebbff',
  cyan: '#8fd8e8',
  white: '#e6e9ee',
  brightWhite: '#ffffff',
};

/** Widths as the line editor counts them. */
const WIDTHS: IUnicodeVersionProvider = {
  version: 'levelscope',
  wcwidth: codePointWidth,
  charProperties(codePoint, preceding) {
    // Packed as xterm.js does: whether to join the cell before in bit 0, the width in bits 1 and 2.
    let width: number = codePointWidth(codePoint);
    let join = width === 0 && preceding !== 0;
    if (join) {
      const before = (preceding >> 1) & 3;
      if (before === 0) join = false;
      else if (before > width) width = before;
    }
    return ((width & 3) << 1) | (join ? 1 : 0);
  },
};

/** Size of its letters at the usual scale [px]. */
const LETTERS = 15;

/** A terminal without any meaning: characters out, keys in. */
export interface Screen {
  terminal: Terminal;
  fit(): void;
  /** Sets letters for a page of this scale. */
  resize(scale: number): void;
  dispose(): void;
}

/** Opens xterm.js in `parent`, drawn as DOM text. */
export function openScreen(parent: HTMLElement, onLink: (selection: string) => void): Screen {
  const terminal = new Terminal({
    allowProposedApi: true,
    allowTransparency: true,
    cursorStyle: 'bar',
    cursorWidth: 2,
    fontFamily: getComputedStyle(parent).getPropertyValue('--mono'),
    fontSize: LETTERS,
    lineHeight: 1.25,
    minimumContrastRatio: 4.5,
    scrollback: 3000,
    theme: THEME,
    linkHandler: {
      allowNonHttpProtocols: true,
      activate: (_event, uri) => follow(uri, onLink),
    },
  });
  terminal.unicode.register(WIDTHS);
  terminal.unicode.activeVersion = WIDTHS.version;
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  terminal.open(parent);
  terminal.textarea?.setAttribute(
    'aria-label',
    'Command line. Tab completes, Escape leaves the terminal.',
  );
  const fitParent = () => {
    if (parent.clientWidth > 40 && parent.clientHeight > 12) fit.fit();
  };
  return {
    terminal,
    fit: fitParent,
    resize: (scale) => {
      terminal.options.fontSize = Math.round(LETTERS * scale);
      fitParent();
    },
    dispose: () => terminal.dispose(),
  };
}

function follow(uri: string, onLink: (selection: string) => void): void {
  if (!uri.startsWith(LINK_SCHEME)) return;
  const selection = uri.slice(LINK_SCHEME.length);
  if (leadsSomewhere(selection)) onLink(selection);
}
