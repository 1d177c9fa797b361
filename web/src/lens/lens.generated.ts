// Generated from the Rust types; do not edit.
// UPDATE=1 cargo test -p levelscope-lens --test types

/** The type of the answer to each `Query`, by its `ask`. */
export type Answers = {
  /** The directory as a whole. */
  overview: Overview,
  /** The levels of a family at a step. */
  levels: Levels,
  /** Steps of the history. */
  steps: Array<StepLine>,
  /** The life of a table. */
  table: Array<LifeLine>,
  /** Live entries. */
  scan: Rows,
  /** A lookup. */
  get: Lookup,
  /** One of the ten questions. */
  report: Report,
  /** The outcome of a check. */
  check: CheckOutcome,
  /** The parts of a part of a file. */
  bytes: OpenedBytes,
  /** Bytes as they are. */
  raw: RawBytes,
};

/** An axis. */
export type Axis = {
  /** What it counts. */
  label: string,
  /** The unit, empty for plain counts and for names. */
  unit: string,
};

/** A blob file. */
export type BlobLine = {
  /** Its number. */
  number: number,
  /** Its file. */
  file: string,
  /** Whether the file is not in the directory. */
  is_missing: boolean,
  /** Whether damage was found in the file so far; of a missing one it is not said. */
  is_damaged: boolean,
  /** Its length. */
  bytes: number,
  /** Values in it. */
  count: number,
  /** Bytes of the values. */
  total_bytes: number,
  /** Values that no table needs. */
  garbage_count: number,
  /** Bytes of these. */
  garbage_bytes: number,
};

/** A named range of bytes. */
export type BytePart = {
  /** What the range is, in the field's term: `data block 3`, `shared key length`. */
  name: string,
  /** Its type, one word of the list in docs/FORMATS.md. */
  kind: string,
  /** Where it begins: in the file, or in decoded content, see `decoded`. */
  offset: number,
  /** Its length in bytes. */
  bytes: number,
  /** What it says, in words; empty when its parts say it all. */
  value: string,
  /** Whether it has parts. */
  opens: boolean,
  /** Whether `offset` counts in decoded content, such as a decompressed block, and not in the file. */
  decoded: boolean,
  /** Whether it could be read. */
  state: PartState,
  /** What is wrong with it, as a sentence with file and offset. */
  problem: string | null,
};

/** A value in a table. */
export type Cell = null | number | number | string;

/** The outcome of a check. */
export type CheckOutcome = {
  /** Findings, errors first. */
  problems: Array<Problem>,
  /** The extent of the check, as a clause. */
  extent: string,
};

/** A column of a table. */
export type Column = {
  /** Its name. */
  name: string,
  /** The unit of its numbers, empty when they have none. */
  unit: string,
};

/** A column family in a list. */
export type FamilyLine = {
  /** Its number. */
  id: number,
  /** Its name. */
  name: string,
  /** The name of its order of keys. */
  comparator: string,
  /** Whether that order is known; if not, keys are in the order of the files and cannot be searched. */
  order_known: boolean,
  /** Whether keys descend. */
  is_reverse: boolean,
  /** Tables that count. */
  tables: number,
  /** Their bytes. */
  table_bytes: number,
  /** Blob files that count. */
  blob_files: number,
  /** Their bytes. */
  blob_bytes: number,
  /** Entries that the logs add, range deletions and range keys among them. */
  log_entries: number,
  /** The compaction style in words, where OPTIONS tells it. */
  compaction_style: string | null,
};

/** A number with its name. */
export type Figure = {
  /** Its name. */
  label: string,
  /** The number, or a word. */
  value: Cell,
  /** The unit, empty when it has none. */
  unit: string,
};

/** A file in a list. */
export type FileLine = {
  /** Its name. */
  name: string,
  /** Its length. */
  bytes: number,
  /** `table`, `log`, `manifest`, `options`, `blob`, `info_log`, `marker`, `other`. */
  kind: 'table' | 'log' | 'manifest' | 'options' | 'blob' | 'info_log' | 'marker' | 'other',
  /** Whether the database would read it; a copy of a running database has files that do not count. */
  counts: boolean,
  /** Whether it is in no level because the history ends too early; then it is not normal that it does not count. */
  in_no_level: boolean,
  /** Why it counts or not, as a clause. */
  why: string,
};

/** A level. */
export type LevelLine = {
  /** Its number. */
  level: number,
  /** Bytes of its tables. */
  bytes: number,
  /** Bytes at which its compaction begins, where OPTIONS tells them. */
  target_bytes: number | null,
  /** Its tables; in level 0 the newest first. */
  tables: Array<TableLine>,
};

/** The levels of a family at a step. */
export type Levels = {
  /** The step. */
  step: number,
  /** Number of the family. */
  family: number,
  /** Its name. */
  name: string,
  /** Levels from 0 down, also empty ones between others. */
  levels: Array<LevelLine>,
  /** Logs that count for the family, as the level above 0; only at the last step. */
  logs: Array<LogLine>,
  /** Blob files. */
  blob_files: Array<BlobLine>,
  /** Some keys for the axis: place in [0, 1] and key. */
  axis: Array<[number, ShownKey]>,
  /** Whether places are by rank in the order of the files, because the order of keys is not known. */
  by_rank: boolean,
  /** Whether level 0 holds runs that do not stand in the order of age, as in universal compaction. */
  style: string | null,
};

/** What happened to a file in one step. */
export type LifeEvent =
  | { "born": {
      /** The level. */
      level: number } }
  | { "moved": {
      /** The level that it left. */
      from: number,
      /** The level that it is in now. */
      to: number } }
  | { "not_applied": {
      /** The level. */
      level: number } }
  | { "died": {
      /** The level. */
      level: number } };

/** Something that happened to a table. */
export type LifeLine = {
  /** Index of the edit. */
  edit: number,
  /** What happened. */
  event: LifeEvent,
  /** The step; `None` in a group that was never finished. */
  step: StepLine | null,
};

/** A log. */
export type LogLine = {
  /** Its file. */
  file: string,
  /** Its length. */
  bytes: number,
  /** Entries for the family, range deletions and range keys among them. */
  entries: number,
  /** Of these, deletes and range deletions. */
  deletes: number,
  /** How it ends, as a clause. */
  end: string,
  /** Whether damage was found in it. */
  is_damaged: boolean,
};

/** A lookup of one key. */
export type Lookup = {
  /** The key. */
  key: ShownKey,
  /** What came of it: `value`, `none`, `unreadable` (there is a value) or `unknown` (a place cannot be read that may
   * hold the key; a `row` beside it is of an older place).
   */
  outcome: 'value' | 'none' | 'unreadable' | 'unknown',
  /** The same as the end of a sentence that begins with the key. */
  answer: string,
  /** The live entry. */
  row: RowLine | null,
  /** Every place in the order in which it was asked. */
  stops: Array<LookupStop>,
  /** Bytes that were read from files. */
  read_bytes: number,
  /** What could not be read. */
  problems: Array<Problem>,
  /** As [`Rows::cautions`]. */
  cautions: Array<string>,
};

/** One look at one place while a key is looked up. */
export type LookupStop = {
  /** Where: `logs`, `L0 table 12`, `L3 table 40`. */
  place: string,
  /** Its level; `None` for the logs. */
  level: number | null,
  /** The table, where there is one. */
  table: number | null,
  /** What came of it: `skipped`, `nothing`, `found`, `deleted`, `range_deleted`, `operand`, `failed`. */
  outcome: 'skipped' | 'nothing' | 'found' | 'deleted' | 'range_deleted' | 'operand' | 'failed',
  /** The same as a sentence. */
  sentence: string,
  /** Reads of files: file, offset, bytes. */
  reads: Array<[string, number, number]>,
};

/** A part that was opened, with some of its own parts. */
export type OpenedBytes = {
  /** The file. */
  file: string,
  /** Its length in bytes. */
  length: number,
  /** From the file down to the part that was opened. */
  trail: Array<BytePart>,
  /** Its parts from place `from` on, each without its own. */
  parts: Array<BytePart>,
  /** The place of the first of them. */
  from: number,
  /** Parts that it has in all; `None` where counting them would read the whole file. */
  count: number | null,
  /** Where to go on, when there are more. */
  next: number | null,
};

/** The directory as a whole. */
export type Overview = {
  /** `rocksdb`, `pebble` or `leveldb`. */
  engine: 'rocksdb' | 'pebble' | 'leveldb',
  /** Its name in a sentence. */
  engine_name: string,
  /** What proves it, as sentences. */
  evidence: Array<string>,
  /** The manifest that counts. */
  manifest: string,
  /** Version edits that were applied. */
  edits: number,
  /** Version edits that can be read and were not applied, because they come after damage or in an unfinished group. */
  edits_left: number,
  /** Steps of the history: edits, those of an atomic group as one. */
  steps: number,
  /** Whether the history begins with a new database; otherwise the edits before it were not kept. */
  begins_empty: boolean,
  /** Largest sequence number, with those of the logs. */
  last_sequence: number,
  /** Families, by number. */
  families: Array<FamilyLine>,
  /** Every file of the directory. */
  files: Array<FileLine>,
  /** Bytes of all files. */
  bytes: number,
  /** What was found so far: while opening, by checks and by reads. */
  problems: Array<Problem>,
};

/** Whether bytes could be read. */
export type PartState = "sound" | "damaged" | "not_read";

/** Counts of what a scan went over. */
export type Passed = {
  /** Entries read. */
  entries: number,
  /** Of these, tombstones that are the newest version of their key. */
  tombstones: number,
  /** Of these, entries that a range deletion hides. */
  range_deleted: number,
  /** Of these, versions that a newer entry hides, tombstones among them, and those newer than the snapshot. */
  shadowed: number,
  /** Of these, operands and values that were joined with a newer operand of their key. */
  joined: number,
  /** Of these, entries whose value could not be read. */
  unread: number,
};

/** A picture. */
export type Picture = {
  /** What it shows. */
  title: string,
  /** The axis from left to right. */
  x: Axis,
  /** The axis upwards. */
  y: Axis,
  /** What is drawn. */
  series: Array<Series>,
  /** Lines at fixed values of `y`, such as triggers. */
  references: Array<Reference>,
};

/** One finding. */
export type Problem = {
  /** The file. */
  file: string,
  /** Offset of the first bad byte, where one is to blame. */
  offset: number | null,
  /** How bad it is. */
  severity: Severity,
  /** In which way the file is not as it should be. */
  state: Standing,
  /** A sentence: what is wrong and what follows from it. */
  message: string,
  /** The column family that it concerns. */
  family: string | null,
  /** The level of the table that it concerns. */
  level: number | null,
  /** The smallest and largest user key that are concerned, as hexadecimal digits of at most 1,024 bytes. */
  keys: [string, string] | null,
};

/** A question. Keys are hexadecimal digits. */
export type Query =
  | { "ask": "overview" }
  | { "ask": "levels",
      /** Number of the family. */
      family: number,
      /** The step. */
      step: number | null }
  | { "ask": "steps",
      /** The first. */
      from: number,
      /** At most so many. */
      limit: number }
  | { "ask": "table",
      /** Its number. */
      number: number }
  | { "ask": "scan",
      /** Number of the family. */
      family: number,
      /** The first key; the family's first one when absent. */
      from: string | null,
      /** The key to stop before. */
      to: string | null,
      /** At most so many entries. */
      limit: number,
      /** Sequence number to read at; the newest when absent. */
      sequence: number | null }
  | { "ask": "get",
      /** Number of the family. */
      family: number,
      /** The key. */
      key: string,
      /** Sequence number to read at; the newest when absent. */
      sequence: number | null }
  | { "ask": "report",
      /** Its word, such as `level0`. */
      id: string,
      /** Number of the family, where the question is about one. */
      family: number | null,
      /** A key, where the question is about one. */
      key: string | null }
  | { "ask": "check",
      /** Whether blocks are decompressed and decoded, too. */
      deep: boolean }
  | { "ask": "bytes",
      /** The file. */
      file: string,
      /** The part to open, by its path of places in the tree; the file when empty. */
      path: Array<number>,
      /** The place of the first part. */
      from: number,
      /** At most so many parts. */
      limit: number | null }
  | { "ask": "find",
      /** The file. */
      file: string,
      /** The offset of the byte. */
      offset: number }
  | { "ask": "raw",
      /** The file. */
      file: string,
      /** A part in whose space the offset counts; the file when empty. */
      path: Array<number>,
      /** Offset of the first byte. */
      offset: number,
      /** At most so many bytes. */
      limit: number };

/** Some bytes as they are. */
export type RawBytes = {
  /** The file. */
  file: string,
  /** Offset of the first of them, in the file or in the decoded content. */
  offset: number,
  /** The bytes as hexadecimal digits. */
  hex: string,
  /** Bytes of the file, or of the decoded content. */
  length: number,
  /** Whether they are from decoded content. */
  decoded: boolean,
};

/** A line at a fixed value. */
export type Reference = {
  /** Its name. */
  label: string,
  /** The value of `y`. */
  value: number,
};

/** The answer to a question. */
export type Report = {
  /** The word for the question. */
  id: string,
  /** The question. */
  question: string,
  /** A few sentences that answer it. */
  answer: string,
  /** The numbers in it and some more. */
  figures: Array<Figure>,
  /** The rows that the numbers come from. */
  table: Table,
  /** Data for pictures. */
  pictures: Array<Picture>,
  /** What evidence was missing, and what follows from that. */
  missing: Array<string>,
};

/** A live entry. */
export type RowLine = {
  /** Its key, without a timestamp. */
  key: ShownKey,
  /** Its value, as [`ShownKey`] shows keys. */
  value: ShownKey,
  /** `value`, `columns` or `merge` (operands of an operator that is not known). */
  kind: 'value' | 'columns' | 'merge',
  /** Columns or operands: name (empty for operands) and value. */
  parts: Array<[ShownKey, ShownKey]>,
  /** Sequence number of its newest entry. */
  sequence: number,
  /** Its timestamp, where the order has one. */
  timestamp: number | null,
  /** Where it was found: `logs`, `L0 table 12`, `L3`. */
  found_in: string,
};

/** Part of the live entries. */
export type Rows = {
  /** The entries, in order. */
  rows: Array<RowLine>,
  /** Where to go on, when there are more. */
  next: ShownKey | null,
  /** What the scan went over. */
  passed: Passed,
  /** Bytes that were read from files. */
  read_bytes: number,
  /** Reads of files. */
  reads: number,
  /** What could not be read. */
  problems: Array<Problem>,
  /** Sentences: which logs and tables of the directory do not count, because of damage, and may hold newer versions. */
  cautions: Array<string>,
};

/** Something that is drawn. */
export type Series = {
  /** Its name. */
  label: string,
  /** Its values. */
  data: SeriesData,
};

/** Values of a series. */
export type SeriesData =
  | { "steps": Array<[number, number]> }
  | { "bars": Array<[string, number]> }
  | { "spans": Array<Span> };

/** How bad a finding is. */
export type Severity = "note" | "not_read" | "error";

/** A key: its bytes, and the text that stands for it everywhere. */
export type ShownKey = {
  /** Its bytes as hexadecimal digits, at most 1,024 bytes of them. */
  hex: string,
  /** It as text, escaped. */
  text: string,
  /** Bytes that are left out of both. */
  left_out: number,
};

/** A span along the axis `x`. */
export type Span = {
  /** Where it begins. */
  start: number,
  /** Where it ends. */
  end: number,
  /** What it is. */
  label: string,
};

/** In which way a file is not as it should be. */
export type Standing = "damaged" | "missing" | "in_no_level" | "left_out" | "not_read" | "note";

/** One step of the history. */
export type StepLine = {
  /** Its place: 0 is the snapshot that the manifest begins with. */
  step: number,
  /** Its first edit. */
  first_edit: number,
  /** Edits in it. */
  edits: number,
  /** `snapshot`, `flush`, `compaction`, `move`, `ingestion`, `excise`, `deletion`, `recovery`,
   * `family_created`, `family_dropped`, `bookkeeping`.
   */
  kind: 'snapshot' | 'flush' | 'compaction' | 'move' | 'ingestion' | 'excise' | 'deletion' | 'recovery' | 'family_created' | 'family_dropped' | 'bookkeeping',
  /** Numbers of the families that it changes. */
  families: Array<number>,
  /** Tables added: level, number, bytes. */
  added: Array<[number, number, number]>,
  /** Tables removed: level, number. */
  removed: Array<[number, number]>,
  /** What it does, as a sentence. */
  sentence: string,
  /** When, in microseconds since 1970, from LOG or the table's creation time. */
  micros: number | null,
  /** Why, in the words of LOG. */
  reason: string | null,
  /** How long the job took, in microseconds, from LOG. */
  duration_micros: number | null,
};

/** Columns and rows. */
export type Table = {
  /** Names and units of the columns. */
  columns: Array<Column>,
  /** The rows; each has one cell for each column. */
  rows: Array<Array<Cell>>,
};

/** A table. */
export type TableLine = {
  /** Its number. */
  number: number,
  /** Its file. */
  file: string,
  /** Whether it is a slice of that file. */
  is_virtual: boolean,
  /** Whether the file is not in the directory. */
  is_missing: boolean,
  /** Whether damage was found in the file so far; of a missing one it is not said. */
  is_damaged: boolean,
  /** Its bytes. */
  bytes: number,
  /** Place of its smallest key on the axis, in [0, 1]. */
  from: number,
  /** Place of its largest key on the axis, in [0, 1]. */
  to: number,
  /** Its smallest user key. */
  smallest: ShownKey,
  /** Its largest user key. */
  largest: ShownKey,
  /** Smallest sequence number, where the manifest tells it. */
  smallest_sequence: number | null,
  /** Largest sequence number, where the manifest tells it. */
  largest_sequence: number | null,
  /** Entries, from the properties of the table; of a virtual one an estimate. */
  entries: number | null,
  /** Tombstones and range deletions, from the properties of the table; of a virtual one an estimate. */
  deletions: number | null,
  /** When it was made, in seconds since 1970. */
  created_seconds: number | null,
  /** RocksDB's epoch number. */
  epoch: number | null,
  /** Oldest blob file that it needs. */
  oldest_blob_file: number | null,
  /** In Pebble's level 0: the sublevel, counted from the oldest. */
  sublevel: number | null,
  /** Whether this step added it. */
  is_new: boolean,
};

/** The ten questions, in their order: word and text. */
export const QUESTIONS = [
  { id: 'level0', text: 'Why do files pile up in level 0?' },
  { id: 'stalls', text: 'What made writes stall, and in which family?' },
  { id: 'tombstones', text: 'I deleted data: why is the space not back?' },
  { id: 'scans', text: 'Why are scans slow here?' },
  { id: 'sizes', text: 'Which family and which prefix is large?' },
  { id: 'cover', text: 'Which tables cover this part of the keys?' },
  { id: 'replay', text: 'How did it get like this?' },
  { id: 'blobs', text: 'Where is the garbage in blob files?' },
  { id: 'logs', text: 'Why are logs not deleted?' },
  { id: 'damage', text: 'Which files are damaged or missing, and which data is lost?' },
] as const;
