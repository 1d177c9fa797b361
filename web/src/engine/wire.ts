// What travels between page and worker. The types are the engine's (console/src/protocol); requests are checked by the
// engine's own code in the worker, messages on the page against the schema of their types.

import type { Asked, Message, Request } from '../model/engine.generated';
import type { ForeignFile } from '../share/foreign';
import schema from './message.schema.json';
import { checkOf } from './schema';

/** Something that does not belong to the protocol. */
export class ProtocolError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ProtocolError';
  }
}

type Of<Type extends Message['type']> = Extract<Message, { type: Type }>;

/**
 * A message as it travels: an object of the worker's own, or the JSON text that the engine wrote. A text is parsed once,
 * on the page: for a batch of events a copy of the objects costs several times as much as a copy of the text.
 */
export type Told = Message | string;

/** A request as it travels: JSON, and the bytes of its files beside it, in their order. */
export type Parcel = readonly [text: string, ...bytes: Uint8Array<ArrayBuffer>[]];

/** A request that has arrived. */
export interface Arrival extends Asked {
  /** The request as it was written: what the engine reads. */
  readonly text: string;
  readonly files: readonly ForeignFile[];
}

const wrongWith = checkOf(schema);

/** The message in `told`, which may be its text; throws a {@link ProtocolError} when there is none. */
export function parseMessage(told: unknown): Message {
  const value = typeof told === 'string' ? parsed(told) : told;
  const wrong = wrongWith(value);
  if (wrong !== null) throw new ProtocolError(`the message${wrong}`);
  return value as Message;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ProtocolError('the message is no JSON');
  }
}

export function parcelOf(asked: Asked, files: readonly ForeignFile[] = []): Parcel {
  return [JSON.stringify(asked), ...files.map(({ bytes }) => bytes)];
}

/** The request to open files, whose bytes travel beside it. */
export function offerOf(files: readonly ForeignFile[]): Extract<Request, { type: 'files' }> {
  return {
    type: 'files',
    files: files.map(({ name, bytes }) => ({ name, bytes: bytes.length })),
  };
}

/**
 * The request in a parcel, or the message that says why there is none. `check` is the engine's: it takes the declared
 * requests and nothing else.
 */
export function arrivalOf(
  data: unknown,
  check: (text: string) => string | undefined,
): Arrival | Of<'failed'> {
  const [text, ...bytes]: unknown[] = Array.isArray(data) ? data : [];
  if (typeof text !== 'string') return refusal(null, 'this is no request');
  const refused = check(text);
  if (refused !== undefined) return JSON.parse(refused) as Of<'failed'>;
  const asked = JSON.parse(text) as Asked;
  const offers = asked.request.type === 'files' ? asked.request.files : [];
  const files: ForeignFile[] = [];
  for (const [at, given] of bytes.entries()) {
    const offer = offers[at];
    // A view of shared memory could change while it is read.
    if (!(given instanceof Uint8Array && given.buffer instanceof ArrayBuffer)) {
      return refusal(asked.id, 'the bytes of a file are no bytes');
    }
    if (offer?.bytes === given.length) {
      files.push({ name: offer.name, bytes: given as Uint8Array<ArrayBuffer> });
    }
  }
  if (files.length !== bytes.length || files.length !== offers.length) {
    return refusal(asked.id, 'the bytes that came are not those of the files');
  }
  return { ...asked, text, files };
}

function refusal(id: number | null, message: string): Of<'failed'> {
  return { type: 'failed', id, kind: 'protocol', message };
}
