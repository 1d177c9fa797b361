// Failures of the lens, on both sides.

import { kindOf, messageOf } from '../model/failures';
import { count } from '../model/words';

/** A failure, as a sentence; `kind` decides the way out. */
export interface LensFailure {
  readonly kind: LensFailureKind;
  readonly message: string;
}

export type LensFailureKind =
  /** The bytes violate their format. */
  | 'damaged'
  /** The bytes may be sound, but this version does not read them. */
  | 'not_read'
  /** A file is not there. */
  | 'missing'
  /** The browser could not read a file. */
  | 'io'
  /** The question makes no sense here. */
  | 'invalid'
  /** The table would lose data; it is made only if that is allowed. */
  | 'lossy'
  /** A limit of the page was reached. */
  | 'too_large'
  /** It was stopped by a person. */
  | 'stopped'
  /** The part of the page that reads such directories could not be loaded. */
  | 'unserved'
  /** The worker died. */
  | 'panic';

/** The digits of offsets and lengths in groups of three, as everywhere on the page; numbers of files stay as they are. */
function grouped(message: string): string {
  const shown = (_: string, word: string, digits: string) => `${word} ${count(Number(digits))}`;
  return message.replace(/\b(offset|offsets|byte) (\d{4,})\b/g, shown);
}

/** A question that was not answered; the message is a sentence. */
export class LensError extends Error {
  constructor(
    readonly kind: LensFailureKind,
    message: string,
  ) {
    super(grouped(message));
    this.name = 'LensError';
  }
}

/** The failure that `error` is; one without a kind is the failure that `other` makes of its message. */
export function failureOf(error: unknown, other: (message: string) => LensFailure): LensFailure {
  const message = messageOf(error);
  const kind = kindOf(error);
  return kind === '' ? other(message) : { kind: kind as LensFailureKind, message };
}
