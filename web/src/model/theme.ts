/** The colours: those of the system, or one of the two. */
export type Theme = 'system' | 'light' | 'dark';

/** Reads a stored theme; anything unknown is `system`. */
export function parseTheme(text: string | null): Theme {
  return text === 'light' || text === 'dark' ? text : 'system';
}
