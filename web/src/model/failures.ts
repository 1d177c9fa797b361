// Kind and message of any thrown value.

/** A request that the engine refuses, or leaves unanswered; the message is a sentence. */
export class EngineError extends Error {
  /** `kind`: an engine error kind, or `panic`, `protocol`, `closed`. */
  constructor(
    readonly kind: string,
    message: string,
  ) {
    super(message);
    this.name = 'EngineError';
  }
}

/** The failure that the engine has written. */
export const engineError = ({ kind, message }: { kind: string; message: string }): EngineError =>
  new EngineError(kind, message);

/** The kind of a failure of the engine; empty where it has none. */
export function kindOf(error: unknown): string {
  return error instanceof Error && 'kind' in error ? String(error.kind) : '';
}

/** The name of an exception. */
export function nameOf(error: unknown): string {
  return isException(error) ? error.name : 'Error';
}

/** The error's text. */
export function messageOf(error: unknown): string {
  return isException(error) ? error.message : String(error);
}

/** In some browsers an exception of the DOM is no `Error`. */
function isException(error: unknown): error is Error | DOMException {
  return error instanceof Error || error instanceof DOMException;
}
