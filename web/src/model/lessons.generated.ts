// Generated from the Rust types; do not edit.
// UPDATE=1 cargo test -p levelscope-wasm --test types

/** The lessons, in the order in which they are taught. */
export const LESSONS = [
  { id: 'log', title: 'A database in one file', minutes: 10, level: 1 },
  { id: 'rotation', title: 'A full memtable', minutes: 15, level: 1 },
  { id: 'table', title: 'Every byte of a table', minutes: 20, level: 1 },
  { id: 'reading', title: 'Where a lookup looks', minutes: 15, level: 1 },
  { id: 'filters', title: 'The promise of a filter', minutes: 15, level: 2 },
  { id: 'merging', title: 'Two tables become one', minutes: 20, level: 2 },
  { id: 'deleting', title: 'Where deleted data goes', minutes: 12, level: 2 },
  { id: 'power', title: 'Pull the plug', minutes: 15, level: 2 },
  { id: 'pressure', title: 'Why writes wait', minutes: 15, level: 2 },
  { id: 'strategies', title: 'Three costs', minutes: 20, level: 3 },
  { id: 'prefixes', title: 'Scans of one customer', minutes: 15, level: 3 },
  { id: 'together', title: 'Two at the same time', minutes: 20, level: 3 },
] as const;
