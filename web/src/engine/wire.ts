// Messages between page and worker. The types are the engine's (console/src/protocol). Both are of one build, which
// the worker compares when it starts, so neither checks what the other sends; the engine checks what people typed.

import type { Answer, Failure, Message, NumberedRequest, Request } from '../model/engine.generated';
import type { ForeignFile } from '../share/foreign';

/**
 * A message as it travels: an object of the worker's own, or the JSON text that the engine wrote. A text is parsed once,
 * on the page: for a batch of events a copy of the objects costs several times as much as a copy of the text.
 */
export type WireMessage = Message | string;

/** The result of a line of commands or of other work. */
export interface Outcome {
  readonly answers: Answer[];
  readonly error: Failure | null;
}

/** A request as it travels: JSON, and the bytes of its files beside it, in their order. */
export type Parcel = readonly [text: string, ...bytes: Uint8Array<ArrayBuffer>[]];

/** A request that has arrived. */
export interface Arrival extends NumberedRequest {
  /** The request as it was written: what the engine reads. */
  readonly text: string;
  readonly files: readonly ForeignFile[];
}

/** The message in `data`, which may be its text. */
export const messageIn = (data: WireMessage): Message =>
  typeof data === 'string' ? (JSON.parse(data) as Message) : data;

export function parcelOf(asked: NumberedRequest, files: readonly ForeignFile[] = []): Parcel {
  return [JSON.stringify(asked), ...files.map(({ bytes }) => bytes)];
}

/** The request to open files, whose bytes travel beside it. */
export function offerOf(files: readonly ForeignFile[]): Extract<Request, { type: 'files' }> {
  return {
    type: 'files',
    files: files.map(({ name, bytes }) => ({ name, bytes: bytes.length })),
  };
}

/** The request in a parcel. */
export function arrivalOf([text, ...bytes]: Parcel): Arrival {
  const asked = JSON.parse(text) as NumberedRequest;
  const offers = asked.request.type === 'files' ? asked.request.files : [];
  const files = bytes.map((content, at) => ({ name: offers[at]?.name ?? '', bytes: content }));
  return { ...asked, text, files };
}
