// Kind and message of any thrown value.

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
