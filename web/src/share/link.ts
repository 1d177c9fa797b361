// Links that hold commands: `#v1/t.put%20apple%20red` readable, `#v1/z.…` packed, `#v1/m.…` a whole lesson, which earlier releases made. A link may come from
// anyone: its text is only shown, and bounded before it is unpacked. Frozen; see decision 42.

import { deflateSync, Inflate } from 'fflate';
import { encode } from 'uqr';
import { isLink } from '../model/address';
import type { StoryPlace } from '../model/storyPlace';
import { DICTIONARY_1 } from './dictionary';

/** The prefix of every link. */
const VERSION = 'v1/';
/** The longest address that is read [characters]. */
const LINK_MAX = 16_384;
/** The longest text in one [bytes]. */
const TEXT_MAX = 65_536;
/** A script up to here can be read in the address [characters]. */
const READABLE_MAX = 200;
/** Bytes of a packed text that are unpacked at a time, so that a text that grows too large is found early. */
const PIECE = 64;
/** The first line that a script has by default. */
const USUAL = '# levelscope 1 classroom wal_buffer_bytes=65536\n';

/** A link's content. */
export interface LinkContent {
  kind: 'script' | 'lesson';
  text: string;
  at: StoryPlace | null;
  /** A sentence about an unreadable part. */
  note: string | null;
}

const OF_ANOTHER_VERSION =
  'The link is of a kind that this page does not know: it may come from a newer version, or be misspelled.';

/** A link's content, or why it cannot be read; `null`: it is another address. */
export function linkContent(fragment: string): LinkContent | { wrong: string } | null {
  const kind = /^v1\/([tzm])\./.exec(fragment)?.[1];
  if (kind === undefined) {
    // Links to lessons are read elsewhere.
    const isOther = isLink(fragment) && !fragment.startsWith('v1/l.');
    return isOther ? { wrong: OF_ANOTHER_VERSION } : null;
  }
  if (fragment.length > LINK_MAX) {
    return { wrong: 'The link is longer than any that Levelscope makes.' };
  }
  const [body = '', ...rest] = fragment.slice(VERSION.length + 2).split('&');
  const text = kind === 't' ? spelled(body) : unpacked(body);
  if (text !== null && !/^\s*[^\s#]/m.test(text)) {
    return { wrong: 'The link holds no commands.' };
  }
  if (text === null) {
    return { wrong: 'The link is damaged: a part of it is missing, or was changed on the way.' };
  }
  const at = rest.map(placeIn).find((place) => place !== null) ?? null;
  const isLost = at === null && rest.some((part) => part.startsWith('at='));
  const note = isLost ? 'The step in the link cannot be read, so it opens at the end.' : null;
  return { kind: kind === 'm' ? 'lesson' : 'script', text, at, note };
}

/** The part of an address after `#` that holds a script. */
export function linkTo(script: string, at: StoryPlace | null): string {
  const text = (script.startsWith(USUAL) ? script.slice(USUAL.length) : script).trimEnd();
  const readable = spell(text);
  const body = readable.length <= READABLE_MAX ? `t.${readable}` : `z.${pack(text)}`;
  const place = at ? `&at=${at.commands}+${at.steps}:${at.event}` : '';
  return `${VERSION}${body}${place}`;
}

/** As an address has it, with what may stand in one left as it is. */
function spell(text: string): string {
  return encodeURIComponent(text).replace(/%(?:3B|2C|3A|3D|40)/g, decodeURIComponent);
}

function spelled(body: string): string | null {
  try {
    return decodeURIComponent(body);
  } catch {
    return null;
  }
}

function pack(text: string): string {
  const packed = deflateSync(new TextEncoder().encode(text), {
    level: 9,
    dictionary: DICTIONARY_1,
  });
  const letters = Array.from(packed, (byte) => String.fromCharCode(byte)).join('');
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function unpacked(body: string): string | null {
  if (!/^[\w-]+$/.test(body)) return null;
  try {
    const letters = atob(body.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(inflated(bytes));
  } catch {
    return null;
  }
}

/** Unpacks piece by piece, up to the size limit of a script. Throws on wrong input. */
function inflated(packed: Uint8Array): Uint8Array {
  const text = new Uint8Array(TEXT_MAX);
  let [length, isWhole] = [0, false];
  const inflate = new Inflate({ dictionary: DICTIONARY_1 }, (piece, final) => {
    if (length + piece.length > TEXT_MAX) throw new Error('too long');
    text.set(piece, length);
    length += piece.length;
    isWhole = final;
  });
  for (let at = 0; at < packed.length; at += PIECE) {
    inflate.push(packed.subarray(at, at + PIECE), at + PIECE >= packed.length);
  }
  if (!isWhole) throw new Error('cut');
  return text.subarray(0, length);
}

function placeIn(parameter: string): StoryPlace | null {
  const found = /^at=(\d{1,6})\+(\d{1,6}):([a-z][a-z0-9.-]{0,40})$/.exec(parameter);
  if (!found) return null;
  const [, commands, steps, event = ''] = found;
  return { commands: Number(commands), steps: Number(steps), event };
}

/** White around a code, without which readers do not find it [modules]. */
const CODE_MARGIN = 4;

export type Code = ReturnType<typeof codeOf>;

/** The QR code of `text` as a drawing of unit squares. */
export function codeOf(text: string) {
  const { size, data } = encode(text, { ecc: 'M', border: CODE_MARGIN });
  const cells = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  /** Width and height, with the margin [modules]. */
  const modules = size;
  /** The dark ones, as the path of an SVG. */
  const path = cells.join('');
  return { modules, path };
}
