// The results of commands as the tests read them.

export type ScanResult = { entries: { key: string; value: string }[]; more: boolean };
export type GetResult = { found: boolean; value: string | null };
export type WorkResult = { changed: boolean; steps: number; jobs: number[]; next: string | null };
export type CheckResult = { errors: number };

export const pairsOf = (result: unknown): string[] =>
  (result as ScanResult).entries.map(({ key, value }) => `${key}=${value}`);
