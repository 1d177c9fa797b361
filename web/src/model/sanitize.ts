import { escapedByte } from './keys';

const ENCODER = new TextEncoder();

/**
 * Everything that a terminal could obey or that could disguise a text: controls (C0, DEL, C1), line and
 * paragraph separators, bidirectional and other format characters, private and unassigned ones, lone
 * surrogates. The zero-width joiners and the variation selectors shape letters and emoji; they stay.
 */
const UNSAFE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}]/gu;

/**
 * `text` as it may be shown: characters that could steer a terminal are escaped byte by byte,
 * as `\xNN`. Nothing but this function hands data to a terminal.
 */
export function sanitize(text: string): string {
  return text.replace(UNSAFE, (unsafe) => Array.from(ENCODER.encode(unsafe), escapedByte).join(''));
}
