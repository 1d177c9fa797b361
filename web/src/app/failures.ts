// What went wrong, of whatever was thrown.

/** The kind of a failure; empty where it has none. */
export function kindOf(error: unknown): string {
  return error instanceof Error && 'kind' in error ? String(error.kind) : '';
}

/** What it says. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
