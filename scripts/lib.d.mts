/** One hash over names and contents of everything below the given places. */
export function fingerprint(places: readonly string[]): string;
