import { FitAddon } from '@xterm/addon-fit';
import { type ITheme, type IUnicodeVersionProvider, Terminal } from '@xterm/xterm';
import { leadsSomewhere } from '../model/selection';
import { LINK_COLOURS, LINK_SCHEME } from './paint';
import { codePointWidth } from './width';

/** Which of the page's colours a terminal colour is. */
const TOKENS = {
  foreground: '--ink',
  cursor: '--mem',
  cursorAccent: '--bg',
  selectionBackground: '--line-strong',
  brightBlack: '--dim',
  red: '--alert',
  brightRed: '--alert',
  green: '--mem',
  brightGreen: '--mem',
  yellow: '--past',
  blue: '--l1',
  brightBlue: '--link',
  cyan: '--l0',
  white: '--ink',
  brightWhite: '--tomb',
} as const;

function themeOf(element: HTMLElement): ITheme {
  const style = getComputedStyle(element);
  const colour = (token: string) => style.getPropertyValue(token);
  const named = Object.entries(TOKENS).map(([name, token]) => [name, colour(token)]);
  return {
    ...Object.fromEntries(named),
    // The page's own colour shows through.
    background: '#00000000',
    extendedAnsi: LINK_COLOURS.map(({ token }) => colour(token)),
  };
}

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
const LETTERS = 14;

/** Opens xterm.js in `parent`, drawn as DOM text: a terminal without any meaning, characters out, keys in. */
export function openScreen(parent: HTMLElement, onLink: (selection: string) => void) {
  const terminal = new Terminal({
    allowProposedApi: true,
    allowTransparency: true,
    cursorStyle: 'bar',
    cursorWidth: 2,
    fontFamily: getComputedStyle(parent).getPropertyValue('--mono'),
    fontSize: LETTERS,
    lineHeight: 1.1,
    minimumContrastRatio: 4.5,
    scrollback: 3000,
    theme: themeOf(parent),
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
    /** Sets letters for a page of this scale. */
    resize: (scale: number) => {
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
