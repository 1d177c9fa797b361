import type { ReactNode } from 'react';

const OBJECT = /\b(memtable|WAL|log|table|manifest)s? \d[\d,]*\b|\bCURRENT\b/g;
const KINDS: Readonly<Record<string, string>> = {
  memtable: 'memtable',
  WAL: 'wal',
  log: 'wal',
  table: 'table',
};

/** A sentence whose objects have the colours that they have in the picture. */
export function ObjectWords({ text }: { text: string }) {
  const pieces: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(OBJECT)) {
    pieces.push(
      text.slice(end, match.index),
      <span key={match.index} className={`word-${KINDS[match[1] ?? ''] ?? 'manifest'}`}>
        {match[0]}
      </span>,
    );
    end = match.index + match[0].length;
  }
  return [...pieces, text.slice(end)];
}
