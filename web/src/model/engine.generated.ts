// Generated from the Rust types; do not edit.
// UPDATE=1 cargo test -p levelscope-wasm --test types

/** One read of the file, and what was done with it. */
export type Access = {
  /** What was read: `footer`, `index block`, `data block`, `record`. */
  what: string,
  /** Where it begins [bytes]. */
  offset: number,
  /** Its stored length [bytes]. */
  bytes: number,
  /** Key comparisons in it. */
  comparisons: number,
  /** The binary searches in it, in order. */
  searches: Array<Search>,
  /** The entries walked over in it, in order: the first [`Trail::ENTRIES_MAX`]. */
  entries: Array<EntryStop>,
  /** What the filter in it was asked, when it is one. */
  filter: FilterAnswer | null,
};

/** What a binary search looked through. */
export type Among = "tables" | "blocks" | "restarts" | "entries";

/** One amplification. */
export type Amplification = {
  /** Of what: write, read or space. */
  name: string,
  /** The ratio; `null` while its denominator is 0. */
  ratio: number | null,
  /** How it is computed. */
  formula: string,
  /** The formula with its numbers. */
  terms: string,
};

/** The result of a command for programs, with the name of its type: a kind is made of one type only, and
 * [`crate::result`] says of which.
 */
export type Answer = { [Kind in keyof Answers]: { kind: Kind; value: Answers[Kind] } }[keyof Answers] | { kind: 'other'; value: unknown };

/** The type of each kind of answer. A [`crate::Query`] has the answer of its own name. */
export type Answers = {
  /** `files`. */
  files: Array<FileEntry>,
  /** `stats`. */
  stats: StatsResult,
  /** `mem` with the number of a memtable. */
  memtable: MemtableTree,
  /** `mem --newest`. */
  recent: Array<RecentWrites>,
  /** `buckets`. */
  buckets: Array<PrefixBuckets>,
  /** `layout --ribbon`. */
  ribbon: RibbonResult,
  /** `layout --node`. */
  part: PartResult,
  /** `hex`. */
  hex: HexResult,
  /** `hex --find`. */
  find: HexResult,
  /** `open`, `opened`. */
  opened: OpenResult,
  /** `formats`. */
  formats: Array<FormatState>,
  /** `entries`. */
  entries: EntriesResult,
  /** `lookup`. */
  lookup: LookupResult,
  /** `lab`. */
  labs: Array<LabInfo>,
  /** `explain`. */
  explain: ExplainResult,
  /** `follow`. */
  follow: FollowResult,
  /** `compare`. */
  compare: CompareResult,
  /** `share`. */
  share: ShareResult,
  /** `lab` with an experiment. */
  report: LabReport,
  /** `lab all`, and experiments that were stopped. */
  reports: Array<LabReport>,
};

/** The state of a console on a branch that the page comes to. */
export type Arrival = {
  /** The number of the branch. */
  branch: number,
  /** Where its files are. */
  storage: StorageKind,
  /** Its last step. */
  step: number,
  /** The view there. */
  view: View,
  /** Its options. */
  options: Array<OptionState>,
  /** The preset that they are equal to, or `custom`. */
  preset: string,
  /** What the next step of background work will do. */
  next: string | null,
  /** All its files together [bytes]. */
  fileBytes: number,
  /** Whether events follow that lead to its last step; otherwise those that are missing have to be asked for. */
  follows: boolean,
};

/** A request with its number. */
export type Asked = {
  /** Grows from request to request; answers carry it. */
  id: number,
  /** What is asked for. */
  request: Request,
};

/** One block that a lookup looked into. */
export type BlockStop = {
  /** Offset in the file [bytes]. */
  offset: number,
  /** Stored length [bytes]. */
  bytes: number,
  /** Whether it was in the cache. */
  cached: boolean,
  /** The search among its restart points. */
  restarts: Search | null,
  /** Entries walked over, from a restart point on. */
  entries: Array<EntryStop>,
};

/** One data block of a table that is being written. */
export type BlockView = {
  /** Number of the block in its table, from 1. */
  index: number,
  /** Its entries. */
  entries: number,
  /** Its length before compression [bytes]. */
  rawBytes: number,
  /** Its length in the file, without the trailer [bytes]. */
  storedBytes: number,
  /** Where it begins [bytes]. */
  offset: number,
  /** Its first key. */
  first: ShownKey,
  /** Its last key. */
  last: ShownKey,
};

/** A branch, for hosts and programs. */
export type BranchState = {
  /** 0 is the branch that began the session. Numbers are not used again. */
  id: number,
  /** `main`, `fork 1`, `crash 2`, `damage 3`. */
  name: string,
  /** The branch that it comes from, which may have been dropped since; none of main and of an imported
   * database.
   */
  parent: number | null,
  /** Its last step that is one of its parent, too; none without one. */
  forkedAt: number | null,
  /** Whether it is in memory only. */
  memory: boolean,
  /** Its last step. */
  steps: number,
  /** Why its past cannot be asked, if so. */
  pastless: string | null,
  /** Bytes that were flipped on it, or before it began. */
  damaged: Array<Damage>,
  /** The power failure that it began with, if it did. */
  crash: PowerLoss | null,
};

/** A breakpoint that is set, for hosts and programs. */
export type Breakpoint = {
  /** The number that `break delete` takes. */
  number: number,
  /** As it was typed: `before flush.install`, `on drop`, `crash after wal.sync`. */
  text: string,
  /** How often it struck. */
  hits: number,
};

/** How a call of the engine ended. */
export type CallState =
  | { "state": "done" }
  | { "state": "more" }
  | { "state": "stopped" }
  | { "state": "blocked",
      /** Its name. */
      file: string }
  | { "state": "failed",
      /** The reason, as a sentence. */
      error: Failure };

/** One command that ran on both sides. */
export type CompareCommand = {
  /** As it was typed. */
  text: string,
  /** The last step of the command on each side. */
  ends: Array<number>,
  /** Why it failed, on each side. */
  failures: Array<string | null>,
};

/** The figures of one side right after a step. */
export type CompareMoment = {
  /** The step. */
  step: number,
  /** Keys and values that the caller wrote so far [bytes]. */
  userBytes: number,
  /** Written so far to logs and by flushes and compactions [bytes]. */
  writtenBytes: number,
  /** Tables of all levels. */
  tables: number,
  /** All tables together [bytes]. */
  tableBytes: number,
  /** Sorted runs of all levels: the tables that a lookup searches in the worst case. */
  runs: number,
};

/** An option and its value. */
export type CompareOption = {
  /** Its name. */
  name: string,
  /** Its value. */
  value: string,
};

/** The figures of one side at the end. */
export type CompareOutcome = {
  /** Keys and values that the caller wrote [bytes]. */
  userBytes: number,
  /** Appended to logs [bytes]. */
  walBytes: number,
  /** Written by flushes [bytes]. */
  flushBytes: number,
  /** Written by compactions [bytes]. */
  compactionBytes: number,
  /** (log + flushes + compactions) / keys and values written. */
  writeAmplification: number | null,
  /** Tables of all levels. */
  tables: number,
  /** Levels that have tables. */
  levels: number,
  /** Sorted runs of all levels. */
  runs: number,
  /** Lookups of keys that have a value, made on a copy of the files. */
  lookups: number,
  /** Tables searched by each of them, on average. */
  searchedPresent: number | null,
  /** Tables searched by each of as many lookups of keys that have none. */
  searchedAbsent: number | null,
  /** All tables together after a flush, on the copy [bytes]. */
  flushedBytes: number,
  /** All tables together after a full compaction, on the copy [bytes]. */
  liveBytes: number,
  /** The former / the latter. */
  spaceAmplification: number | null,
};

/** `compare`: the same commands on two configurations, each in a branch of its own. */
export type CompareResult = {
  /** Both, in the order in which they were named. */
  sides: Array<CompareSide>,
  /** The commands that ran on both, in order. */
  commands: Array<CompareCommand>,
  /** What the comparison leaves out, as sentences. */
  notes: Array<string>,
};

/** One configuration. */
export type CompareSide = {
  /** As it was typed: `tiered`. */
  title: string,
  /** The number of its branch. */
  branch: number,
  /** The name of its branch. */
  name: string,
  /** The options that differ between the sides. */
  options: Array<CompareOption>,
  /** The last step of its opening. */
  opened: number,
  /** The last step of all. */
  steps: number,
  /** Its figures over time, by ascending step; at every end of a command there is one. */
  moments: Array<CompareMoment>,
  /** Its tree at the end. */
  view: View,
  /** Its figures at the end. */
  outcome: CompareOutcome,
};

/** One way to go on typing. */
export type Completion = {
  /** What replaces the line from `from` to the cursor. */
  text: string,
  /** `verb`, `word`, `option`, `key`, `file` or `preset`. */
  kind: string,
  /** Where the replaced text begins [bytes]. */
  from: number,
};

/** The options as they are now. */
export type CurrentOptions = {
  /** Every option. */
  options: Array<OptionState>,
  /** Every preset. */
  presets: Array<PresetState>,
  /** The preset that the options are equal to, or `custom`. */
  preset: string,
};

/** A byte that `corrupt` has changed, for hosts and programs. */
export type Damage = {
  /** The name of its file. */
  file: string,
  /** Where in the file [bytes]. */
  offset: number,
  /** The bits that are flipped. */
  mask: number,
  /** The last step before it was flipped. */
  step: number,
};

/** An object in the picture of a directory. */
export type DirectoryFile = {
  /** Its selection: `table:12`, `wal:7`, `manifest:5`, `current`. */
  object: string,
  /** The opened file; none: it is missing. */
  file: string | null,
};

/** What is wrong with a directory and with none of its files by itself. */
export type DirectoryFlaw = {
  /** The name of the file that it concerns, in the directory. */
  name: string,
  /** That file, where it is open; none: it is missing. */
  file: string | null,
  /** What is wrong, as a sentence. */
  why: string,
};

/** The files that were opened from one directory. */
export type DirectoryState = {
  /** What commands call it: `@mydb`. */
  id: string,
  /** What it is, as a noun. */
  what: string,
  /** Number of its opened files. */
  files: number,
  /** Tables among them. */
  tables: number,
  /** Logs among them. */
  logs: number,
  /** Manifests and `CURRENT` files among them. */
  metadata: number,
  /** Files of no known format among them. */
  others: number,
  /** Length of all files [bytes]. */
  bytes: number,
  /** Entries of the tables that can be read. */
  entries: number,
  /** The damaged files. */
  damaged: Array<string>,
  /** What is missing or leads nowhere, as its manifest tells. */
  flaws: Array<DirectoryFlaw>,
  /** Names of files that its manifest does not need. */
  obsolete: Array<string>,
  /** What `import` takes to open it as a database; none: it is none. */
  database: string | null,
  /** Its levels and logs; none: no manifest that is read tells them. */
  view: View | null,
  /** The files of the objects in `view`. */
  objects: Array<DirectoryFile>,
};

/** One operation or phase that background work did. */
export type DoneEvent = {
  /** Its step. */
  step: number,
  /** Its name: `flush.install`. */
  name: string,
};

/** What happens to a list of things with numbers. */
export type Edit<Item, Change> =
  | { "add": Item }
  | { "change": [number, Change] }
  | { "remove": number };

/** One edit of the manifest. */
export type EditView = {
  /** Whether it is the first edit of its manifest, with the whole state of the database. */
  snapshot: boolean,
  /** Tables that enter a level; none of a snapshot, which has them all. */
  added: Array<number>,
  /** Tables that leave a level. */
  removed: Array<number>,
};

/** `entries`. */
export type EntriesResult = {
  /** The file. */
  file: string,
  /** Entries in front of these. */
  skipped: number,
  /** Some entries, in the order of the file. */
  entries: Array<FileEntryResult>,
  /** Damage met on the way. */
  damage: Array<PlaceOfDamage>,
  /** Places on the way that are not read. */
  unread: Array<PlaceOfDamage>,
  /** Whether there are more after these. */
  more: boolean,
  /** Entries in all that can be read. */
  count: number,
};

/** How an entry of a block lies to the key sought. */
export type EntryOrder = "before" | "found" | "after";

/** One entry of `scan` and `prefix`. */
export type EntryResult = {
  /** The key. */
  key: string,
  /** The value, or its beginning. */
  value: string,
  /** Length of the whole value [bytes]. */
  valueBytes: number,
};

/** One entry of a block that a search walked over. */
export type EntryStop = {
  /** Where it begins in the decompressed block [bytes]. */
  offset: number,
  /** Bytes of its key that are not stored, because the key before has them. */
  shared: number,
  /** Its key. */
  key: ShownKey,
  /** Its sequence number. */
  sequence: number,
  /** Where it lies. */
  order: EntryOrder,
};

/** What a caller can do about an [`Error`]; the closed list that programs branch on. */
export type ErrorKind = "invalidArgument" | "notFound" | "locked" | "io" | "outOfSpace" | "corruption" | "unsupportedFormat" | "readOnly" | "closed" | "conflict" | "stalled" | "wouldBlock";

/** An activity with several events. */
export type EventSpan = "operation" | "flush" | "compaction" | "job" | "recovery" | "stall" | "slowdown";

/** `explain get`, `explain prefix`. */
export type ExplainResult = {
  /** What was explained. */
  lookup: Lookup,
  /** The step of the state that it tells of. */
  step: number,
  /** The key, or the beginning of keys. */
  key: string,
  /** Whether it has a value; of a prefix: whether a table has such a key. */
  found: boolean,
  /** How the lookup ended, in words. */
  outcome: string,
  /** The value, or its beginning. */
  value: string | null,
  /** Where the lookup went, in order. */
  stops: Array<ReadStop>,
  /** The entry that decided. */
  winner: Hit | null,
  /** Key comparisons in all. */
  comparisons: number,
  /** Blocks read from files. */
  blocksRead: number,
  /** Blocks found in the cache. */
  blocksCached: number,
  /** Tables skipped by key range. */
  skippedByRange: number,
  /** Tables skipped by their filter. */
  skippedByFilter: number,
  /** Tables whose prefix index said no. */
  skippedByPrefix: number,
};

/** What a node says, beside its sentence. */
export type Fact =
  | { "fact": "checksum",
      /** What the file says. */
      stored: number,
      /** What its bytes give. */
      computed: number,
      /** Where the bytes that it covers begin [bytes]. */
      from: number,
      /** How many they are [bytes]. */
      bytes: number }
  | { "fact": "key",
      /** The key, without its sequence number and kind. */
      key: ShownKey,
      /** Bytes at its beginning that are not stored again, because the key before has them. */
      shared: number,
      /** Whether an entry of the database has this key: separators of an index, names of properties and
       * prefixes are keys of a block only.
       */
      ofEntry: boolean,
      /** Sequence number, in blocks whose keys have one. */
      sequence: number | null,
      /** Whether it deletes its key. */
      tombstone: boolean,
      /** Whether a restart point leads to it: its key is whole. */
      restart: boolean }
  | { "fact": "place",
      /** Where it leads [bytes]. */
      offset: number };

/** Why a command did not do what it was asked. */
export type Failure = {
  /** `usage`, `cancelled`, `confirm`, or the engine's error kind: `corruption`, `locked`, ... */
  kind: string,
  /** What went wrong, as a sentence. */
  message: string,
  /** What to do about it. */
  hint: string | null,
};

/** One file of the database directory. */
export type FileEntry = {
  /** Name in the directory. */
  name: string,
  /** Length [bytes]; 0 for a foreign file, which is never opened. */
  bytes: number,
  /** Its purpose in the database, in words. */
  role: string,
};

/** One entry of an opened file. */
export type FileEntryResult = {
  /** The key, or its beginning. */
  key: string,
  /** Length of the whole key [bytes]. */
  keyBytes: number,
  /** The value, or its beginning; none for a tombstone. */
  value: string | null,
  /** Length of the whole value [bytes]. */
  valueBytes: number,
  /** Sequence number or time stamp, in formats that have one. */
  sequence: number | null,
  /** Where it is stored [bytes]: its own first byte, or that of the compressed block around it. */
  offset: number,
};

/** Files from outside: few enough, and small enough together. */
export type FileOffers = Array<{
  /** What it is called, with its directories. */
  name: Text,
  /** Its length [bytes]. */
  bytes: number }>;

/** What a filter was asked about one key, bit by bit. */
export type FilterAnswer = {
  /** Bits of the filter. */
  bits: number,
  /** Bits that each key of the table has set. */
  probes: number,
  /** The bits looked at, in order: all, or up to the first one that is not set. */
  asked: Array<FilterBit>,
  /** Whether all were set, so that the key may be there. */
  maybe: boolean,
};

/** One bit of a filter. */
export type FilterBit = {
  /** Its number, from 0. */
  bit: number,
  /** Whether it is set. */
  set: boolean,
  /** The byte that it is in; its number there is `bit % 8`, 0 is the least significant. */
  byte: number,
};

/** `follow`. */
export type FollowResult = {
  /** The key that is followed; none after `follow --off`. */
  key: string | null,
  /** Its versions. */
  versions: KeyVersions | null,
};

/** A format that an opened file may have as well. */
export type FormatGuess = {
  /** The word for it. */
  format: string,
  /** How sure that is. */
  likeness: Likeness,
};

/** One format of other programs, or of the engine. */
export type FormatState = {
  /** The word for it: `leveldb-table`. */
  id: string,
  /** Its name in a sentence. */
  name: string,
  /** What is special about it. */
  purpose: string,
  /** What its files hold. */
  holds: Holds,
  /** Words for `--search`, the usual way first; empty without entries. */
  searches: Array<string>,
};

/** `get`. */
export type GetResult = {
  /** The key. */
  key: string,
  /** Whether it has a value. */
  found: boolean,
  /** Whether its newest entry is a tombstone. */
  deleted: boolean,
  /** How the lookup ended, in words. */
  outcome: string,
  /** The value, or its beginning. */
  value: string | null,
  /** Length of the whole value [bytes]. */
  valueBytes: number,
};

/** How fine an event is. */
export type Grain = "operation" | "phase" | "detail";

/** `hex`. */
export type HexResult = {
  /** Name of the file. */
  file: string,
  /** Where the bytes begin [bytes]. */
  offset: number,
  /** The bytes, two hexadecimal digits each. */
  hex: string,
  /** Length of the whole file, or of all that is decoded [bytes]. */
  fileBytes: number,
  /** The whole, with the parts that the bytes belong to and no others; without any for more
   * than 16 KiB.
   */
  root: Node,
};

/** What a lookup found in one place. */
export type Hit = {
  /** Sequence number of the entry found. */
  sequence: number,
  /** Put or tombstone. */
  entry: ValueKind,
};

/** What a file of some format is good for. */
export type Holds = "table" | "log" | "metadata";

/** A piece of prose. */
export type Inline =
  | { "is": "text",
      /** What is read. */
      text: string }
  | { "is": "code",
      /** What is read. */
      text: string }
  | { "is": "strong",
      /** What is read. */
      text: string }
  | { "is": "emphasis",
      /** What is read. */
      text: string }
  | { "is": "link",
      /** What is read. */
      text: string,
      /** `https:` or an object, such as `table:4`. */
      target: string };

/** What a transaction is protected from. Default: `Snapshot`. */
export type Isolation = "snapshot" | "serializable";

/** The fields of a job that are different. */
export type JobChange = {
  /**
   *[`JobView::entries_done`].
   */
  entriesDone?: number,
  /**
   *[`JobView::entries_total`].
   */
  entriesTotal?: number,
};

/** What kind of background job. */
export type JobKind = "flush" | "compaction";

/** One background job that has begun. (A flush that still waits is an immutable memtable.) */
export type JobView = {
  /** Number of the job. */
  job: number,
  /** Flush or compaction. */
  what: JobKind,
  /** Why it exists, in words. */
  reason: string,
  /** The memtable being flushed. */
  memtable: number | null,
  /** Tables being merged. */
  inputs: Array<number>,
  /** Level of the output. */
  outputLevel: number,
  /** Tables written or being written. */
  outputs: Array<number>,
  /** Entries read so far. */
  entriesDone: number,
  /** Entries to read in all. */
  entriesTotal: number,
};

/** One version of a key. */
export type KeyVersion = {
  /** Its sequence number. */
  sequence: number,
  /** Put, tombstone, or a range tombstone over the key. */
  entry: ValueKind,
  /** Its value, cut like a key; empty for a tombstone. */
  value: ShownKey,
  /** The keys that it deletes, if it is a range tombstone; a table may have only a part of them. */
  range?: ShownRange,
  /** Which reads find it. */
  verdict: VersionVerdict,
  /** The oldest snapshot or transaction that still reads it, as its sequence number. */
  snapshot: number | null,
  /** The copies of it: memtables first, then logs, then tables from the top level down. */
  places: Array<VersionPlace>,
};

/** Every version of one user key in memtables, logs and live tables. */
export type KeyVersions = {
  /** The key. */
  key: ShownKey,
  /** The newest version first. */
  versions: Array<KeyVersion>,
  /** Older versions that are left out. */
  more: number,
  /** Tables whose key range has the key, but that hold no version of it, or cannot be read. */
  without: Array<TableWithout>,
};

/** One cell of a table. */
export type LabCell = number | string | null;

/** How to draw a table. */
export type LabChart = {
  /** What it shows. */
  title: string,
  /** Bars for single things, lines for what goes on. */
  kind: LabChartKind,
  /** Which of the tables it draws, from 0. */
  table: number,
  /** The column along the horizontal axis. */
  x: number,
  /** The columns that are drawn, one series each; they share a unit. */
  series: Array<number>,
  /** Whether the horizontal axis is logarithmic; never for bars. */
  xLogarithmic: boolean,
  /** Whether the vertical axis is. */
  yLogarithmic: boolean,
};

/** What a chart is made of. */
export type LabChartKind = "bars" | "lines" | "stacked";

/** Whether a figure of ours meets the claim of the text. */
export type LabClaimVerdict = "none" | "met" | "notMet" | "notComparable";

/** One column of a table. */
export type LabColumn = {
  /** What it is. */
  name: string,
  /** Its unit; empty for counts and words. */
  unit: string,
  /** Significant digits after the decimal point. */
  digits: number,
  /** Whether these are times of this machine. */
  timed: boolean,
};

/** One figure beside the claim. */
export type LabFigure = {
  /** Of what. */
  name: string,
  /** Its unit. */
  unit: string,
  /** Significant digits after the decimal point. */
  digits: number,
  /** The claim in its own words; empty: none. */
  claimed: string,
  /** Whether ours meets the claim. */
  claimVerdict: LabClaimVerdict,
  /** The figure of the original program; empty: there is none. */
  original: string,
  /** Whether ours agrees with it. */
  originalVerdict: LabOriginalVerdict,
  /** Our figure. */
  ours: number,
  /** Why it differs, or another remark; empty: none. */
  note: string,
};

/** The description of a lab. */
export type LabInfo = {
  /** The word that is typed after `lab`. */
  id: string,
  /** A few words. */
  title: string,
  /** What it finds out. */
  question: string,
  /** The claim; empty: none. */
  claim: string,
  /** The text that it stands in; `None` for a lab that repeats no text. */
  source: LabSource | null,
  /** The figures of the original program when it was run to check the claim; empty: it was not run. */
  original: string,
  /** The words that it takes after its id, as its usage writes them; empty: none. */
  words: string,
  /** The default words. */
  usualWords: string,
  /** What can be changed: `--NAME VALUE`. */
  parameters: Array<LabParameter>,
  /** Whether it shows times too: they differ from machine to machine and are never judged. */
  timed: boolean,
};

/** Whether a figure of ours agrees with that of the original program. */
export type LabOriginalVerdict = "none" | "agrees" | "differs" | "notComparable";

/** A parameter of a lab. */
export type LabParameter = {
  /** Without its dashes. */
  name: string,
  /** What it changes. */
  meaning: string,
  /** The default: the number of the claim, or a smaller one if that would take long. */
  default: number,
  /** The smallest. */
  min: number,
  /** The largest. */
  max: number,
};

/** The results of a lab. */
export type LabReport = {
  /** The lab. */
  lab: LabInfo,
  /** The values of its parameters, in their order. */
  settings: Array<LabSetting>,
  /** Its words, separated by spaces. */
  words: string,
  /** Where files were, when they were not only in memory. */
  place: string | null,
  /** Whether it was stopped before its end: it then has no results. */
  stopped: boolean,
  /** The findings, sentence by sentence. */
  findings: Array<string>,
  /** The figures that can be compared with the claim. */
  figures: Array<LabFigure>,
  /** All figures. */
  tables: Array<LabTable>,
  /** How to draw them. */
  charts: Array<LabChart>,
  /** How to get the same in a terminal. */
  command: string,
};

/** The value of a parameter. */
export type LabSetting = {
  /** The parameter. */
  name: string,
  /** Its number. */
  value: number,
};

/** A place in a text. */
export type LabSource = {
  /** Who wrote it, as the text itself says. */
  authors: string,
  /** Its title, and where it was published. */
  title: string,
  /** The section or the slide. */
  place: string,
};

/** Rows of figures. */
export type LabTable = {
  /** What it is about. */
  title: string,
  /** The columns of a row. */
  columns: Array<LabColumn>,
  /** The rows; each has as many cells as there are columns. */
  rows: Array<Array<LabCell>>,
};

/** An event that a timeline marks, so that a reader finds it again. */
export type Landmark = "flush" | "compaction" | "rotate" | "stall" | "failure" | "recovery" | "creation";

/** What answers a question. */
export type LessonAnswerKind = "choice" | "number" | "word" | "pick";

/** A lesson that can be played. */
export type LessonHead = {
  /** What `lesson start` takes. */
  id: string,
  /** Its title. */
  title: string,
  /** How long it takes [minutes]. */
  minutes: number,
  /** 1 to 3. */
  level: number,
  /** What a learner can do after it. */
  goal: string,
  /** Lessons that come before it, by id. */
  needs: Array<string>,
  /** Where the subject comes from. */
  source: string | null,
};

/** Something of a scene. */
export type LessonItem = {
  /** Its number in the lesson, from 0. */
  number: number,
  /** What it is. */
  what: LessonPart,
};

/** What is played. */
export type LessonKind = "lesson" | "read" | "script" | "recap";

/** How a task came out. */
export type LessonOutcome = "done" | "shown";

/** What a thing of a scene is. */
export type LessonPart =
  | { "is": "say",
      /** Its text. */
      prose: Array<Inline> }
  | { "is": "list",
      /** Whether its items have numbers. */
      ordered: boolean,
      /** Its items. */
      items: Array<Array<Inline>> }
  | { "is": "note",
      /** Its paragraphs. */
      paragraphs: Array<Array<Inline>> }
  | { "is": "run",
      /** Its lines. */
      lines: Array<string>,
      /** How many of them have run. */
      ran: number,
      /** The last step of each of these. */
      ends: Array<number>,
      /** What does not agree with the engine. */
      wrong: Array<string> }
  | { "is": "ask" } & LessonQuestion
  | { "is": "check",
      /** The number of claims. */
      claims: number,
      /** What does not agree with the engine. */
      wrong: Array<string> }
  | { "is": "try" } & LessonTask
  | { "is": "show",
      /** The object, as a selection. */
      object: string,
      /** `grain phase`, `tab why`, `bytes`, `spotlight level:1`. */
      views: Array<string> }
  | { "is": "start" };

/** A question of a lesson. */
export type LessonQuestion = {
  /** Its name. */
  name: string,
  /** What is asked. */
  text: Array<Inline>,
  /** What answers it. */
  kind: LessonAnswerKind,
  /** The choices. */
  choices: Array<Array<Inline>>,
  /** What was answered: the number of a choice from 1, or a value; empty: "I do not know". */
  given: string | null,
  /** The engine's answer, once it has given it. */
  revealed: LessonReveal | null,
};

/** The engine's answer to a question. */
export type LessonReveal = {
  /** The number of the choice that holds, from 1. */
  choice: number | null,
  /** The answer, in words. */
  words: string,
  /** Whether the answer given agrees with it; `null`: "I do not know", or none was given. */
  right: boolean | null,
  /** Why it is so. */
  because: Array<Inline> | null,
};

/** A scene of a lesson. */
export type LessonScene = {
  /** Its title. */
  title: Array<Inline>,
  /** Where it begins, for `lesson start ID --at`. */
  at: number,
};

/** The lesson at work. */
export type LessonState = {
  /** Its head. */
  head: LessonHead,
  /** A number that tells its text from others: progress in another text does not fit. */
  textHash: number,
  /** Whether it is a lesson. */
  kind: LessonKind,
  /** Its scenes, in order; what stands before the first one comes first, without a title. */
  scenes: Array<LessonScene>,
  /** The scene on show, from 0. */
  scene: number,
  /** What stands in that scene, as far as the lesson has come. */
  items: Array<LessonItem>,
  /** What the lesson waits for. */
  waits: LessonWaits,
  /** Whether commands of the visitor's own have changed its database. */
  strayed: boolean,
  /** How far it has come: `lesson start ID --at` goes there. */
  at: number,
  /** How far it goes. */
  end: number,
};

/** A task of a lesson. */
export type LessonTask = {
  /** Its name. */
  name: string,
  /** What is to be done. */
  text: Array<Inline>,
  /** How it came out, if it did. */
  outcome: LessonOutcome | null,
  /** The words of the goals that do not hold yet; empty before the first command. */
  missing: Array<Array<Inline>>,
  /** Whether more commands were typed than a solution has: the learner may want a fresh start. */
  startsOver: boolean,
  /** The hints that were asked for. */
  hints: Array<Array<Inline>>,
  /** How many more there are. */
  hintsLeft: number,
  /** Commands that do it, once they were asked for or the task is over. */
  solution: Array<string>,
};

/** What a lesson waits for. */
export type LessonWaits =
  | { "until": "read",
      /** Whether another scene comes. */
      scene: boolean }
  | { "until": "typed",
      /** The line, or what is left of it. */
      line: string }
  | { "until": "answered",
      /** Its name. */
      name: string }
  | { "until": "done",
      /** Its name. */
      name: string }
  | { "until": "over" };

/** How full a level is; compaction takes the level with the highest score of at least 1. */
export type LevelScore = {
  /** 0 is L0. */
  level: number,
  /** Sum of its table files [bytes]. */
  bytes: number,
  /** Its sorted runs; in L0 each table is one. */
  runs: number,
  /** What is compared with the limit. */
  unit: ScoreUnit,
  /** Runs or bytes that start a compaction; 0: never. */
  limit: number,
  /** Runs or bytes ÷ limit. */
  score: number,
  /** Whether the level is due for compaction. */
  due: boolean,
  /** Whether a compaction of this level has something to do, due or not. */
  canCompact: boolean,
};

/** One level. */
export type LevelView = {
  /** Size and score. */
  score: LevelScore,
  /** By run, newest first, then by key. In L0 each table is a run of its own. */
  tables: Array<TableInfo>,
};

/** How much a file looks like one of some format. */
export type Likeness = "none" | "perhaps" | "likely" | "certain";

/** The fields of a log that are different. */
export type LogChange = {
  /**
   *[`WalView::bytes`].
   */
  bytes?: number,
  /**
   *[`WalView::written_bytes`].
   */
  writtenBytes?: number,
  /**
   *[`WalView::synced_bytes`].
   */
  syncedBytes?: number,
  /**
   *[`WalView::records`].
   */
  records?: number,
  /**
   *[`WalView::written_records`].
   */
  writtenRecords?: number,
  /**
   *[`WalView::synced_records`].
   */
  syncedRecords?: number,
  /**
   *[`WalView::closed`].
   */
  closed?: boolean,
};

/** What `explain` explains. */
export type Lookup = "get" | "prefix";

/** `lookup`. */
export type LookupResult = {
  /** The file. */
  file: string,
  /** Its length [bytes]. */
  fileBytes: number,
  /** The key. */
  key: string,
  /** How it was searched: a word for `--search`. */
  search: string,
  /** Whether it has a value. */
  found: boolean,
  /** Whether its newest entry is a tombstone. */
  deleted: boolean,
  /** How the lookup ended, in words. */
  outcome: string,
  /** The value, or its beginning. */
  value: string | null,
  /** Where the entry is stored [bytes]. */
  offset: number | null,
  /** Its sequence number or time stamp. */
  sequence: number | null,
  /** What was read and compared. */
  trail: Trail,
};

/** An event that a timeline marks, told also when the event itself is left out. */
export type MarkedStep = {
  /** Its place in the history of the branch. */
  step: number,
  /** What it is marked as. */
  kind: Landmark,
};

/** The fields of a memtable that are different. */
export type MemtableChange = {
  /**
   *[`MemtableView::bytes`].
   */
  bytes?: number,
  /**
   *[`MemtableView::entries`].
   */
  entries?: number,
  /**
   *[`MemtableView::tombstones`].
   */
  tombstones?: number,
  /**
   *[`MemtableView::ranges`].
   */
  ranges?: RangesView,
  /**
   *[`MemtableView::immutable`].
   */
  immutable?: boolean,
};

/** One entry. */
export type MemtableEntry = {
  /** Its key. */
  key: ShownKey,
  /** Its sequence number. */
  sequence: number,
  /** Put or tombstone. */
  entry: ValueKind,
  /** Length of its value [bytes]. */
  valueBytes: number,
};

/** The tree of one memtable, around the way to one key or to the first. */
export type MemtableTree = {
  /** Which memtable. */
  memtable: number,
  /** Entries in all. */
  entries: number,
  /** Leaves in all. */
  leaves: number,
  /** Inner nodes in all. */
  inners: number,
  /** What all keys begin with; searches compare it once. */
  common: ShownKey,
  /** From the root down: the node on the way, between those that have the same parent. */
  levels: Array<Array<TreeNode>>,
  /** The way down: one step for each level. */
  path: Array<TreeStep>,
  /** Comparisons of the whole way, that of what all keys share included. */
  comparisons: number,
  /** The entries of the leaf at the end of the way. */
  window: Array<MemtableEntry>,
  /** The versions of the key, newest first; some hundred at most. */
  versions: Array<MemtableEntry>,
};

/** One memtable. */
export type MemtableView = {
  /** Number of the memtable. */
  memtable: number,
  /** The log that holds the same writes. */
  wal: number,
  /** Accounted size [bytes], compared with `memtable_bytes`. */
  bytes: number,
  /** Where it rotates [bytes]. */
  limitBytes: number,
  /** Entries, all versions and tombstones. */
  entries: number,
  /** Tombstones among the entries. */
  tombstones: number,
  /** Its range tombstones, which are no entries; none without any. */
  ranges?: RangesView,
  /** Whether it takes no more writes. */
  immutable: boolean,
};

/** The entry that one input of a merge stands on. A flush has one input, and tells none. */
export type MergeHead = {
  /** The table that it is in. */
  table: number,
  /** Its key. */
  key: ShownKey,
  /** Its sequence number. */
  sequence: number,
  /** Put or tombstone. */
  entry: ValueKind,
  /** Whether it comes first of all, so that it is the one to judge. */
  first: boolean,
};

/** What a flush or a compaction did with one entry: the picture of a merge shows it. */
export type MergeStep = {
  /** The key. */
  key: ShownKey,
  /** The sequence number of the version. */
  sequence: number,
  /** Put or tombstone. */
  entry: ValueKind,
  /** What was done with it, and why. */
  verdict: Verdict,
  /** The entry that each input of the merge stands on; none in a flush, which has one input. */
  heads: Array<MergeHead>,
};

/** A message of the worker. A message with a number answers the request of that number.
 *
 * The worker itself builds those of the feature `typescript`: the engine's module need not write them.
 */
export type Message =
  | { "type": "opened",
      /** The request. */
      id: number,
      /** Where the files are. */
      storage: StorageKind,
      /** Why they are in memory, as a sentence; `null` when that was asked for, or they are not. */
      why: string | null,
      /** The state. */
      view: View,
      /** The last step of the sessions before this one, whose history is there again; 0: there is none. */
      step: number,
      /** Whether the history of this one will be there the next time. */
      isHistoryKept: boolean,
      /** The options. */
      options: Array<OptionState>,
      /** The presets. */
      presets: Array<PresetState>,
      /** The preset that the options are equal to, or `custom`. */
      preset: string,
      /** Whether the browser has promised not to clear the files by itself. */
      persisted: boolean }
  | { "type": "owned",
      /** The request. */
      id: number }
  | { "type": "lost" }
  | { "type": "events",
      /** The events. */
      events: Array<WireEvent>,
      /** Events that happened before these and are not sent. */
      elided: number,
      /** Whether all details since the last message are among them. */
      detailed: boolean,
      /** Landmarks since the last message, those among the elided events too. */
      landmarks: Array<MarkedStep>,
      /** Figures after calls since the last message. */
      samples: Array<Sample>,
      /** The view after these events; always present when `elided` is not 0. */
      view: View | null,
      /** What the next step of background work will do. */
      next: string | null,
      /** All files of the database together [bytes]. */
      fileBytes: number }
  | { "type": "options",
      /** The options. */
      options: Array<OptionState>,
      /** The preset that they are equal to, or `custom`. */
      preset: string }
  | { "type": "output",
      /** The request; 0: background work. */
      id: number,
      /** The lines. */
      lines: Array<OutputLine> }
  | { "type": "progress",
      /** The request. */
      id: number,
      /** Operations done. */
      done: number,
      /** Operations in all, if that is known. */
      total: number | null,
      /** What is being done. */
      label: string }
  | { "type": "done",
      /** The request. */
      id: number,
      /** The results of its commands, in their order. */
      answers: Array<Answer>,
      /** Why it ended early. */
      error: Failure | null }
  | { "type": "pick" }
  | { "type": "exported",
      /** What it is called. */
      name: string,
      /** All bytes of the file. */
      bytes: Uint8Array<ArrayBuffer> }
  | { "type": "completions",
      /** The request. */
      id: number,
      /** The ways; `from` counts UTF-16 units. */
      items: Array<Completion> }
  | { "type": "window",
      /** The request. */
      id: number,
      /** The first step. */
      from: number,
      /** The last step. */
      to: number,
      /** The events. */
      events: Array<WireEvent>,
      /** The view before the first of them. */
      view: View }
  | { "type": "branches",
      /** All branches. */
      branches: Array<BranchState>,
      /** The number of the current one. */
      current: number }
  | { "type": "switched" } & Arrival
  | { "type": "entered",
      /** Whether it is that of a lesson. */
      lesson: boolean,
      /** The number of the branch. */
      branch: number,
      /** Where its files are. */
      storage: StorageKind,
      /** Its last step. */
      step: number,
      /** The view there. */
      view: View,
      /** Its options. */
      options: Array<OptionState>,
      /** The preset that they are equal to, or `custom`. */
      preset: string,
      /** What the next step of background work will do. */
      next: string | null,
      /** All its files together [bytes]. */
      fileBytes: number,
      /** Whether events follow that lead to its last step; otherwise those that are missing have to be asked for. */
      follows: boolean }
  | { "type": "lesson",
      /** Its state; `null`: none is at work any more. */
      lesson: LessonState | null }
  | { "type": "breakpoints",
      /** Those that are set now. */
      breakpoints: Array<Breakpoint> }
  | { "type": "shelf",
      /** Number of these files. */
      files: number }
  | { "type": "break",
      /** The step to which the event belongs. */
      step: number,
      /** Its number. */
      breakpoint: number,
      /** The name of the event at `step`. */
      name: string,
      /** Whether it asks for the moment just before that event. */
      before: boolean }
  | { "type": "playing",
      /** Whether it does. */
      playing: boolean,
      /** Steps a second, 0 as many as possible; `null` when it does not. */
      stepsPerSecond: number | null }
  | { "type": "closed",
      /** The request. */
      id: number }
  | { "type": "failed",
      /** The request; `null`: the worker as a whole. */
      id: number | null,
      /** An engine error kind, or `panic`, `protocol`, `closed`. After `panic` the worker is dead. */
      kind: string,
      /** Why, as a sentence. */
      message: string };

/** A named range of bytes. */
export type Node = {
  /** What the range is, such as `data block 3` or `table number`. */
  name: string,
  /** Its type: one word from a closed list, see docs/FORMAT.md. */
  kind: string,
  /** Which of its siblings with this kind it is, from 1: the node's step in a path, `entry:5`. The
   * file itself has 0.
   */
  number: number,
  /** Where it begins [bytes]: in the file, or in the decoded content for nodes `inside`. */
  offset: number,
  /** Its length [bytes]. */
  bytes: number,
  /** What it says, for a person; empty when the children say it all. */
  value: string,
  /** The parts, in order, without gaps; empty for a leaf. */
  children: Array<Node>,
  /** The parts of the decoded content of a leaf, with offsets of their own. */
  inside: Array<Node>,
  /** Whether it has parts that are not listed here, because they were not asked for. */
  more: boolean,
  /** What a program can do something with. */
  fact: Fact | null,
};

/** The effect of an event on an object. */
export type ObjectEffect = "made" | "changed" | "removed" | "read";

/** `open`, `opened`. */
export type OpenResult = {
  /** The files, in the order in which they came. */
  files: Array<OpenedState>,
  /** The directories from which some of them came, in the same order. */
  directories: Array<DirectoryState>,
};

/** An opened file. */
export type OpenedState = {
  /** What commands call it: `@tiny.sst`. */
  id: string,
  /** Its name. */
  name: string,
  /** Its length [bytes]. */
  bytes: number,
  /** Its format; none: no known one. */
  format: FormatState | null,
  /** How sure that is; none: it was said with `--as`. */
  likeness: Likeness | null,
  /** What else it may be, the likeliest first. */
  others: Array<FormatGuess>,
  /** The first place that is damaged. */
  damage: PlaceOfDamage | null,
  /** The first place that is not read, although nothing says that it is damaged. */
  unread: PlaceOfDamage | null,
  /** Entries that can be read, where it holds any. */
  entries: number | null,
  /** What `import` takes to open the database that the file belongs to; none: it belongs to none. */
  database: string | null,
  /** All this in a sentence. */
  what: string,
};

/** One option. */
export type OptionState = {
  /** Its name. */
  name: string,
  /** Its value. */
  value: string,
  /** Its value when nothing else is asked for, written as `value`. */
  default: string,
  /** Unit of a number, or the words to choose from. */
  unit: string,
  /** The words to choose from; one that ends in a colon goes on with a value. Empty: it takes a number. */
  words: Array<string>,
  /** Smallest number. */
  min: number,
  /** Largest number. */
  max: number,
  /** What it does. */
  purpose: string,
};

/** The fields of a table being written that are different. */
export type OutputChange = {
  /**
   *[`OutputView::filter_bytes`].
   */
  filterBytes?: number,
  /**
   *[`OutputView::index_bytes`].
   */
  indexBytes?: number,
  /**
   *[`OutputView::file_bytes`].
   */
  fileBytes?: number,
  /**
   *[`OutputView::synced`].
   */
  synced?: boolean,
};

/** One line of output. */
export type OutputLine = {
  /** Its pieces, left to right. */
  spans: Array<Span>,
};

/** A table that a job is writing. A [`super::View`] names such tables only by number, in their job. */
export type OutputView = {
  /** Number in the file name. */
  table: number,
  /** The level that it will enter, 0 is L0. */
  level: number,
  /** The job that writes it. */
  job: number,
  /** Its data blocks so far. */
  blocks: Array<BlockView>,
  /** Length of its filter, once it is written [bytes]. */
  filterBytes: number | null,
  /** Length of its index, once it is written [bytes]. */
  indexBytes: number | null,
  /** Length of the file, once its footer is written [bytes]. */
  fileBytes: number | null,
  /** Whether it is durable. */
  synced: boolean,
};

/** One node of a file, and some of its parts. */
export type Part = {
  /** From the file down to the node itself. */
  trail: Array<Step>,
  /** Some parts of the node, each without its own. */
  parts: Array<Node>,
  /** Parts in front of these that are left out. */
  skipped: number,
  /** Parts that the node has in all. */
  count: number,
};

/** `layout FILE --node PATH`. */
export type PartResult = {
  /** Name of the file. */
  file: string,
  /** Length of the whole file [bytes]. */
  fileBytes: number,
  /** The node, the way to it, and some of its parts. */
  part: Part,
};

/** One change of a [`View`]. */
export type Patch =
  | { "of": "reset",
      /** The levels. */
      levels: Array<LevelView> }
  | { "of": "levels",
      /** The levels. */
      levels: Array<LevelView> }
  | { "of": "scores",
      /** L0 first. */
      scores: Array<LevelScore> }
  | { "of": "addTable",
      /** The level, 0 is L0. */
      level: number,
      /** How many tables of the level stand before it. */
      position: number,
      /** The table. */
      table: TableInfo }
  | { "of": "removeTable",
      /** The level, 0 is L0. */
      level: number,
      /** The table. */
      table: number }
  | { "of": "manifest",
      /** Its number. */
      manifest: number,
      /** Its length [bytes]. */
      bytes: number,
      /** The edit that was appended, if one was. */
      edit: EditView | null,
      /** Whether all of its edits are durable; otherwise the appended one is not. */
      synced: boolean }
  | { "of": "current",
      /** Its number. */
      manifest: number }
  | { "of": "lastSequence",
      /** Its sequence number. */
      sequence: number }
  | { "of": "log",
      /** What is different. */
      edit: Edit<WalView, LogChange> }
  | { "of": "memtable",
      /** What is different. */
      edit: Edit<MemtableView, MemtableChange> }
  | { "of": "job",
      /** What is different. */
      edit: Edit<JobView, JobChange> }
  | { "of": "transaction",
      /** What is different. */
      edit: Edit<TransactionView, TransactionChange> }
  | { "of": "snapshot",
      /** The sequence number. */
      sequence: number,
      /** Whether it is pinned from now on; otherwise it no longer is. */
      held: boolean }
  | { "of": "stall",
      /** The limit that was reached. */
      stall: Stall | null }
  | { "of": "slowdown",
      /** By how much, and why. */
      slowdown: Slowdown | null }
  | { "of": "readOnly",
      /** The error after which no write is taken. */
      cause: ReadOnlyCause }
  | { "of": "output",
      /** What is different. */
      edit: Edit<OutputView, OutputChange> }
  | { "of": "block",
      /** The table. */
      table: number,
      /** The block. */
      block: BlockView };

/** A place of a file that is damaged or not read. */
export type PlaceOfDamage = {
  /** Where that begins [bytes]; none: the file ends too early, or it concerns the whole file. */
  offset: number | null,
  /** Why, as a sentence. */
  why: string,
};

/** What a command changes about Play. */
export type PlayChange =
  | { "play": "on",
      /** Steps a second, 0 as many as possible; `null`: as fast as before. */
      stepsPerSecond: number | null }
  | { "play": "off" };

/** How much work one step of `play` does. */
export type PlayGrain = "phase" | "job" | "entry";

/** A power failure, and its losses. */
export type PowerLoss = {
  /** The last step of the recovery after it. */
  recovered: number,
  /** The part of the disk that was left and the writes that were lost, as sentences. */
  sentence: string,
};

/** One bucket. */
export type PrefixBucket = {
  /** Its number, from 0. */
  bucket: number,
  /** The four bytes that are stored in it. */
  word: number,
  /** Whether no prefix leads here. */
  free: boolean,
  /** The prefixes that lead here. Only the exact form stores them. */
  prefixes: Array<ShownKey>,
  /** Numbers of the data blocks, from 0: the first ones. */
  blocks: Array<number>,
  /** How many blocks there are. */
  blockCount: number,
};

/** One form of the prefix index of a table, and some of its buckets. */
export type PrefixBuckets = {
  /** The table. */
  table: number,
  /** Which form. */
  form: PrefixIndexForm,
  /** Prefixes of the table. */
  prefixes: number,
  /** The block of prefixes in the file, decompressed: both forms are built of it [bytes]. */
  blockBytes: number,
  /** What this form takes in memory [bytes]. */
  memoryBytes: number,
  /** Buckets (exact: slots) in all. */
  buckets: number,
  /** Those that are empty. */
  free: number,
  /** Those that several prefixes share; the exact form has none. */
  shared: number,
  /** Number of the first bucket in `rows`. */
  skip: number,
  /** Buckets, one after the other. */
  rows: Array<PrefixBucket>,
};

/** What an open table builds from its block of prefixes. */
export type PrefixIndexForm = "none" | "exact" | "compact";

/** One preset. */
export type PresetState = {
  /** Its name. */
  name: string,
  /** What it is for. */
  purpose: string,
};

/** A question that leaves no trace; the answer is the result of the command that people would type. */
export type Query =
  | { "ask": "files" }
  | { "ask": "stats" }
  | { "ask": "memtable",
      /** Its number. */
      memtable: number,
      /** The key whose way through the tree is told, if any. */
      key: Array<number> | null }
  | { "ask": "recent",
      /** Most entries of each. */
      limit: number }
  | { "ask": "follow",
      /** The key as it is shown: with `\xNN` for bytes that cannot be printed. */
      key: string }
  | { "ask": "buckets",
      /** The number of the table. */
      table: number,
      /** Most buckets of each. */
      limit: number }
  | { "ask": "ribbon",
      /** `table:12`, `CURRENT` or an opened `@file`. */
      file: string,
      /** Most stretches. */
      stretches: number }
  | { "ask": "part",
      /** As for a ribbon. */
      file: string,
      /** The steps down from the file: `block:2/entry:5`; empty: the file itself. */
      path: string,
      /** Parts that are left out at the beginning. */
      skip: number,
      /** Most parts. */
      limit: number }
  | { "ask": "hex",
      /** As for a ribbon. */
      file: string,
      /** The compressed part whose content is read; `None`: the file. */
      inside: string | null,
      /** The first byte. */
      offset: number,
      /** Number of bytes. */
      length: number }
  | { "ask": "find",
      /** As for a ribbon. */
      file: string,
      /** As for [`Query::Hex`]. */
      inside: string | null,
      /** The first byte that may be the place. */
      offset: number,
      /** The bytes. */
      bytes: Array<number> }
  | { "ask": "opened" }
  | { "ask": "formats" }
  | { "ask": "entries",
      /** `@file`. */
      file: string,
      /** Entries that are left out at the beginning. */
      skip: number,
      /** Most entries. */
      limit: number }
  | { "ask": "lookup",
      /** `@file`. */
      file: string,
      /** The key as it is shown: with `\xNN` for bytes that cannot be printed. */
      key: string,
      /** `sequential`, `binary` or `hash`. */
      search: string }
  | { "ask": "labs" };

/** The range tombstones of a memtable or a table. */
export type RangesView = {
  /** How many there are. */
  count: number,
  /** The smallest range with all keys that they delete. */
  over: ShownRange,
};

/** Steps of background work a second; 0: as many as possible. */
export type Rate = number;

/** The failure that made a database read-only. */
export type ReadOnlyCause = {
  /** Its kind, for programs: what helps depends on it. */
  kind: ErrorKind,
  /** Its sentence. */
  error: string,
};

/** One stop of a lookup. */
export type ReadStop =
  | { "stop": "memtable",
      /** Number of the memtable. */
      memtable: number,
      /** Key comparisons. */
      comparisons: number,
      /** The entry that was found. */
      hit: Hit | null }
  | { "stop": "outOfRange",
      /** Level of the tables. */
      level: number,
      /** Number of tables. */
      tables: number }
  | { "stop": "filtered",
      /** Level of the table. */
      level: number,
      /** Number of the table. */
      table: number,
      /** The bits of its filter that were tested, and the answer. */
      filter: FilterAnswer }
  | { "stop": "noPrefix",
      /** Level of the table. */
      level: number,
      /** Number of the table. */
      table: number }
  | { "stop": "rangeDelete",
      /** The memtable that has it; none when a table has it. */
      memtable: number | null,
      /** The level of the table that has it. */
      level: number | null,
      /** The table that has it. */
      table: number | null,
      /** The keys that it deletes; in a table, those of the part that the table has. */
      range: ShownRange,
      /** Its sequence number. */
      sequence: number }
  | { "stop": "table",
      /** Level of the table. */
      level: number,
      /** Number of the table. */
      table: number,
      /** What its filter, which said "maybe", was asked; none when the table has no filter. */
      filter: FilterAnswer | null,
      /** What found the block: the prefix index of this form, or a search of the ordinary index. */
      prefixIndex: PrefixIndexForm,
      /** The binary searches that led to the blocks, in order. */
      searches: Array<Search>,
      /** Blocks looked into. */
      blocks: Array<BlockStop>,
      /** Key comparisons, in the index and in blocks. */
      comparisons: number,
      /** The entry that was found. */
      hit: Hit | null,
      /** How the search ended. */
      verdict: TableVerdict };

/** One of the newest entries of a memtable. */
export type RecentEntry = {
  /** Its key; of a range tombstone the first one. */
  key: ShownKey,
  /** Its sequence number. */
  sequence: number,
  /** Put, tombstone or range tombstone. */
  entry: ValueKind,
  /** Its value, cut like a key; empty for a tombstone. Of a range tombstone the key before which it ends;
   * empty when it has no end.
   */
  value: ShownKey,
  /** The number of the log's record that holds it, from 1; `None` when the memtable no longer knows. */
  record: number | null,
};

/** The newest entries of one memtable. */
export type RecentWrites = {
  /** Which memtable. */
  memtable: number,
  /** The log that holds the same writes. */
  wal: number,
  /** The newest entry first. */
  entries: Array<RecentEntry>,
};

/** A request of a page. */
export type Request =
  | { "type": "open",
      /** Name of a preset. */
      preset: Text,
      /** Values of options, which replace those of the preset. */
      settings: Settings,
      /** Where the files are to be. */
      storage: StorageWish,
      /** Whether to take the database from the tab that owns it. */
      takeOver: boolean }
  | { "type": "command",
      /** The line. */
      line: Text,
      /** `null`: now. Otherwise a replica answers, as the engine was at this step of the current branch, or after
       * the call to which the step belongs; only commands that change nothing may be asked.
       */
      at: number | null }
  | { "type": "query",
      /** The question. */
      query: Query,
      /** As for a command. */
      at: number | null }
  | { "type": "window",
      /** The number of the branch; `null`: the current one. */
      branch: number | null,
      /** The first step. */
      from: number,
      /** The last step. */
      to: number,
      /** Whether details are told. */
      details: boolean }
  | { "type": "files",
      /** The files. */
      files: FileOffers }
  | { "type": "lesson",
      /** The name of the file. */
      name: Text,
      /** Its text. */
      text: Text }
  | { "type": "shared",
      /** Its text. */
      text: Text,
      /** Whether all of it runs at once. */
      runs: boolean }
  | { "type": "play",
      /** How much work one step does. */
      grain: PlayGrain,
      /** 0: as fast as possible. */
      stepsPerSecond: Rate }
  | { "type": "pause" }
  | { "type": "cancel" }
  | { "type": "complete",
      /** The line so far. */
      line: Text,
      /** UTF-16 units before the cursor. */
      cursor: number }
  | { "type": "close" };

/** `layout FILE --ribbon N`. */
export type RibbonResult = {
  /** Name of the file. */
  file: string,
  /** Length of the whole file [bytes]. */
  fileBytes: number,
  /** The file from its first byte to its last, without gaps. */
  stretches: Array<Stretch>,
};

/** Figures at one step, as `stats` says them; a ratio is `null` while its denominator is 0. */
export type Sample = {
  /** The step. */
  step: number,
  /** (log + flushes + compactions) ÷ keys and values that the caller wrote. */
  writeAmplification: number | null,
  /** Tables searched ÷ lookups. */
  readAmplification: number | null,
  /** Bytes of all tables ÷ the estimate of the live data. */
  spaceAmplificationEstimate: number | null,
  /** Table files of each level, L0 first [bytes]. */
  levelBytes: Array<number>,
  /** Times that writes had to wait. */
  stalls: number,
  /** Times that writes began to slow down. */
  slowdowns: number,
};

/** `scan`, `prefix`. */
export type ScanResult = {
  /** What was found, in order. */
  entries: Array<EntryResult>,
  /** Whether there is more than the limit. */
  more: boolean,
};

/** By what a level is judged full. */
export type ScoreUnit = "runs" | "bytes";

/** One binary search: for the first place that does not come before the key sought. */
export type Search = {
  /** What was searched. */
  among: Among,
  /** Places in all. */
  count: number,
  /** Comparisons, in order. */
  turns: Array<Turn>,
  /** The place found; `count` when all come before the key. */
  found: number,
};

/** Names and values of options. */
export type Settings = Record<string, string>;

/** `share`: commands that lead from an empty database to this one; they have been tried. */
export type ShareResult = {
  /** The commands as a script, with the options of the database in its first line. */
  script: string,
  /** The same as a lesson, to be finished by hand. */
  lesson: string,
  /** The same as a test in Rust. */
  test: string,
  /** The last step of each command here. */
  ends: Array<number>,
};

/** A user key, or a value, as events and views carry it: cut to [`SHOWN_KEY_BYTES_MAX`], with its full
 * length.
 */
export type ShownKey = {
  /** The first bytes of the key; serialized as a string of one character (U+0000..U+00FF) a byte; the
   * native program prints them as text.
   */
  head: string,
  /** Length of the whole key [bytes]. */
  bytes: number,
  /** Of a cut key, the CRC-32 of the bytes that `head` leaves out: it tells keys with the same head and length
   * apart. A whole key and a value have none.
   */
  rest?: number,
};

/** The keys of a range delete: from its beginning up to, but not including, its end. */
export type ShownRange = {
  /** The first key. */
  begin: ShownKey,
  /** The key before which it ends; none: it has no end. */
  end: ShownKey | null,
};

/** How much writes are slowed down, and why. */
export type Slowdown = {
  /** Why, as a clause. */
  why: string,
};

/** A piece of text in one style; printable: see [`crate::text::escape`]. */
export type Span = {
  /** The text. */
  text: string,
  /** How it is meant. */
  style: Style,
};

/** Why writes have to wait. */
export type Stall = {
  /** Why, as a clause. */
  why: string,
};

/** `stats`: the figures, and the same in words. */
export type StatsResult = {
  /** Puts, deletes and deletes of ranges. */
  writes: number,
  /** The three amplifications. */
  amplification: Array<Amplification>,
  /** All other figures, in words. */
  rows: Array<StatsRow>,
  /** Put operations, those in batches included. */
  puts: number,
  /** Delete operations, those in batches included. */
  deletes: number,
  /** Range delete operations, those in batches included. */
  rangeDeletes: number,
  /** Keys and values given by the caller [bytes]. */
  userBytes: number,
  /** Appended to logs [bytes]. */
  walBytes: number,
  /** Syncs of logs. */
  walSyncs: number,
  /** Point lookups. */
  gets: number,
  /** Point lookups that found a value. */
  getsFound: number,
  /** Tables searched by point lookups, after range and filter. */
  tablesSearched: number,
  /** Flushes done. */
  flushes: number,
  /** Written by flushes [bytes]. */
  flushBytes: number,
  /** Compactions done, trivial moves not counted. */
  compactions: number,
  /** Tables moved down without rewriting them. */
  trivialMoves: number,
  /** Read by compactions [bytes of input files]. */
  compactionReadBytes: number,
  /** Written by compactions [bytes]. */
  compactionWriteBytes: number,
  /** Entries dropped because a newer version hid them. */
  entriesShadowed: number,
  /** Tombstones dropped because nothing was left below them. */
  tombstonesDropped: number,
  /** Entries dropped because a newer range delete hid them. */
  entriesRangeDeleted: number,
  /** Range tombstones dropped because nothing was left below them. */
  rangeTombstonesDropped: number,
  /** Transactions begun; those that neither committed, lost nor were rolled back are open or failed. */
  transactionsBegun: number,
  /** Transactions committed, those that only read included. */
  transactionsCommitted: number,
  /** Transactions rolled back, by the caller or dropped. */
  transactionsRolledBack: number,
  /** Transactions that could not commit because of what others had committed. */
  conflicts: number,
  /** Times that writes had to wait. */
  stalls: number,
  /** Times that writes began to slow down. */
  slowdowns: number,
  /** Times that a slowed write waited for background threads. */
  slowdownWaits: number,
  /** Blocks found in the cache. */
  cacheHits: number,
  /** Blocks read from files. */
  cacheMisses: number,
  /** Decompressed bytes of the blocks found in the cache: what it saved from being read, checked and
   * decompressed again [bytes].
   */
  cacheHitBytes: number,
  /** Decompressed blocks in the cache [bytes]. */
  cacheBytes: number,
  /** Prefix indexes of the open tables, in memory [bytes]. */
  prefixIndexBytes: number,
  /** Tables that prefix scans skipped, because their prefix filter or index said so. */
  prefixSkips: number,
  /** Table files now [bytes]. */
  tableBytes: number,
  /** Entries in tables now, all versions and tombstones. */
  tableEntries: number,
  /** Range tombstones in tables now; one that was cut at the end of a table counts in each. */
  tableRangeTombstones: number,
  /** Estimate of the live data: keys and values that a scan would return [bytes], never more than what
   * memtables and tables hold. Older versions within a memtable or table and tombstones do not count.
   * Where newer data overlaps older data, each of its tombstones is taken to hide one older entry, and
   * of its other entries the share that compactions have found since opening.
   */
  liveBytesEstimate: number,
  /** What compactions have to read until no level is due, an estimate [bytes]. */
  compactionDebtBytes: number,
  /** Sorted runs that a lookup may have to ask: memtables and the runs of all levels. */
  sortedRuns: number,
  /** (log + flushes + compactions) ÷ keys and values written; none before the first write. */
  writeAmplification: number | null,
  /** Tables searched ÷ lookups; none before the first lookup. */
  readAmplification: number | null,
  /** Bytes of all tables ÷ the estimate of the live data; none without tables or live data. Space
   * amplification itself takes a full compaction to know, so this estimate is no measure to compare
   * strategies with.
   */
  spaceAmplificationEstimate: number | null,
};

/** Some figures that belong together. */
export type StatsRow = {
  /** What they are about. */
  name: string,
  /** The figures, with their nouns. */
  text: string,
};

/** A node on the way to another. */
export type Step = {
  /** Its place among all parts of the node before, from 0; decoded parts come after the others. */
  index: number,
  /** Whether its offset counts from the start of decoded content. */
  decoded: boolean,
  /** The node, without its parts. */
  node: Node,
};

/** Where the files of a branch are. */
export type StorageKind = "opfs" | "memory";

/** Where the files of a database are to be. */
export type StorageWish = "auto" | "memory";

/** One stretch of a file: a block or a record, or several neighbours of one kind. */
export type Stretch = {
  /** What it is: `data block 3`, or `data block 3 to data block 9`. */
  name: string,
  /** The kind of its nodes. */
  kind: string,
  /** Number of the first node among those of its kind. */
  number: number,
  /** Where it begins [bytes]. */
  offset: number,
  /** Its length [bytes]. */
  bytes: number,
  /** Nodes of its kind that it stands for; marks between joined records are not counted. */
  parts: number,
};

/** How a piece of text is meant; the host chooses the colours. */
export type Style = "plain" | "dim" | "strong" | "key" | "value" | "number" | "good" | "bad"
  | { "link": string };

/** One table on disk. */
export type TableInfo = {
  /** Number in the file name. */
  table: number,
  /** The run of its level that it belongs to; larger numbers are newer. */
  run: number,
  /** Length of the file [bytes]. */
  bytes: number,
  /** Entries, all versions and tombstones. */
  entries: number,
  /** Tombstones among the entries. */
  tombstones: number,
  /** Its range tombstones, which are no entries; none without any. */
  ranges?: RangesView,
  /** Data blocks. */
  blocks: number,
  /** Smallest user key of its entries and range tombstones. */
  smallest: ShownKey,
  /** Largest user key of its entries; the end of its range tombstones when that comes after it. */
  largest: ShownKey,
  /** Smallest sequence number. */
  sequenceMin: number,
  /** Largest sequence number. */
  sequenceMax: number,
};

/** How the search of one table ended. */
export type TableVerdict = "hit" | "absent" | "onlyNewer" | "falsePositive";

/** A table whose key range has a key that the table does not hold, or that cannot be read. */
export type TableWithout = {
  /** Its level. */
  level: number,
  /** The table. */
  table: number,
  /** The answer of its filter: `false` excludes the key, `true` is a false positive. `None`: it has no filter. */
  maybe: boolean | null,
  /** Why it cannot be read: then it may hold versions all the same. */
  unread: string | null,
};

/** A text of at most `UNITS` UTF-16 units. */
export type Text = string;

/** The way of one search through a file. */
export type Trail = {
  /** Reads of the file, in order. */
  accesses: Array<Access>,
  /** Key comparisons in all. */
  comparisons: number,
};

/** The fields of a transaction that are different. */
export type TransactionChange = {
  /**
   *[`TransactionView::writes`].
   */
  writes?: number,
  /**
   *[`TransactionView::write_bytes`].
   */
  writeBytes?: number,
  /**
   *[`TransactionView::reads`].
   */
  reads?: number,
};

/** One open transaction. */
export type TransactionView = {
  /** Number of the transaction. */
  transaction: number,
  /** What it sees of others: everything up to this sequence number. */
  sequence: number,
  /** Its isolation level. */
  isolation: Isolation,
  /** Keys that it would write now. */
  writes: number,
  /** The same as a batch [bytes]. */
  writeBytes: number,
  /** Lookups and iterators so far. */
  reads: number,
};

/** One node. */
export type TreeNode = {
  /** Its number: leaves and inner nodes are numbered apart, in the order in which they were made. */
  node: number,
  /** Whether it holds entries; otherwise it holds separators, each the first key of a child. */
  leaf: boolean,
  /** Keys in it. */
  slots: number,
  /** Bytes that its keys share and that are not compared. */
  skip: number,
  /** Its first key. */
  first: ShownKey | null,
  /** Whether it is on the way. */
  onPath: boolean,
};

/** One step down. */
export type TreeStep = {
  /** The node. */
  node: number,
  /** How many of its keys come before the one sought: the child to go to, or the place in the leaf. */
  position: number,
  /** Comparisons in it. */
  comparisons: number,
};

/** One comparison of a binary search. */
export type Turn = {
  /** The first position that the search can still return. */
  low: number,
  /** The position after the last one that the search can still return. */
  high: number,
  /** The place that was compared. */
  middle: number,
  /** Its key. */
  key: ShownKey,
  /** Whether it comes before the key sought; the search goes on to its right. */
  before: boolean,
  /** Whether the result was already known: a branchless search may compare a key a second time. */
  again: boolean,
};

/** What an entry says about its key. */
export type ValueKind = "delete" | "put" | "rangeDelete";

/** What a compaction did with one entry, and why. */
export type Verdict = "keptNewest" | "keptForSnapshot" | "keptTombstone" | "droppedShadowed" | "droppedTombstone" | "droppedRangeDeleted" | "keptChanged" | "keptAsTombstone" | "droppedByFilter";

/** Where a copy of a version is. */
export type VersionPlace =
  | { "in": "memtable",
      /** The number of the memtable. */
      memtable: number }
  | { "in": "log",
      /** The log. */
      wal: number,
      /** The number of the record among the batches of the log, from 1. */
      record: number,
      /** The number of the entry in the record, from 1. */
      entry: number,
      /** Where the record begins [bytes]. */
      offset: number,
      /** Length of the record [bytes]. */
      bytes: number }
  | { "in": "ranges",
      /** The level of the table. */
      level: number,
      /** The table. */
      table: number,
      /** The number of the block among those of range tombstones, from 1. */
      block: number,
      /** The number of the entry in the block, from 1. */
      entry: number,
      /** Where the block begins [bytes]. */
      offset: number,
      /** Length of the block as it is stored, without its trailer [bytes]. */
      bytes: number }
  | { "in": "table",
      /** The level of the table. */
      level: number,
      /** The table. */
      table: number,
      /** The number of the block, from 1. */
      block: number,
      /** The number of the entry in the block, from 1. */
      entry: number,
      /** Where the block begins [bytes]. */
      offset: number,
      /** Length of the block as it is stored, without its trailer [bytes]. */
      bytes: number };

/** Which reads find a version. */
export type VersionVerdict =
  | { "is": "found" }
  | { "is": "deleted" }
  | { "is": "shadowed",
      /** The sequence number of the next newer version. */
      by: number }
  | { "is": "covered",
      /** The sequence number of the tombstone. */
      by: number }
  | { "is": "invisible" }
  | { "is": "logged" }
  | { "is": "unreached",
      /** The table that cannot be read. */
      table: number };

/** Everything that the picture shows. */
export type View = {
  /** Logical time of the last event included. */
  time: number,
  /** The active memtable first, then immutable ones, newest first. */
  memtables: Array<MemtableView>,
  /** Logs on disk, oldest first. */
  wals: Array<WalView>,
  /** L0 first; always as many as the options say. */
  levels: Array<LevelView>,
  /** Jobs that have begun, in the order in which they began. */
  jobs: Array<JobView>,
  /** Number of the manifest in use. */
  manifest: number,
  /** Length of the manifest [bytes]. */
  manifestBytes: number,
  /** Its newest edits since the database was opened, oldest first: at most [`EditView::SHOWN_MAX`]. */
  manifestEdits: Array<EditView>,
  /** How many of its newest edits are not durable. */
  manifestUnsynced: number,
  /** Number of the manifest that `CURRENT` names. */
  current: number,
  /** Sequence number of the newest write. */
  lastSequence: number,
  /** Live snapshots, oldest first. */
  snapshots: Array<number>,
  /** Open transactions, oldest first. */
  transactions: Array<TransactionView>,
  /** Why writes wait, if they do. */
  stall: Stall | null,
  /** How much writes are slowed down and why, if they are. */
  slowdown: Slowdown | null,
  /** Why the database is read-only, if it is. */
  readOnly: ReadOnlyCause | null,
};

/** `wal`. */
export type WalResult = {
  /** Logs on disk, oldest first. */
  wals: Array<WalView>,
};

/** One log on disk. */
export type WalView = {
  /** Number of the log. */
  wal: number,
  /** Length, bytes still in memory included [bytes]. */
  bytes: number,
  /** Length of the file [bytes]; the death of the process loses everything after it. */
  writtenBytes: number,
  /** Length known to be durable [bytes]. */
  syncedBytes: number,
  /** Records. */
  records: number,
  /** Records in the file. */
  writtenRecords: number,
  /** Records known to be durable. */
  syncedRecords: number,
  /** Whether it takes no more records. */
  closed: boolean,
};

/** An event with all that a reader needs to make sense of it without knowing its kind. */
export type WireEvent = {
  /** Its place in the history of the branch. */
  step: number,
  /** Number of the operation or phase since the database was opened; details have that of the one before. */
  id: number,
  /** 0 for operations and phases; details count from 1 after each. */
  detail: number,
  /** Logical time: operations and phases so far. */
  time: number,
  /** The job that did it, when a job did. */
  job: number | null,
  /** The event that made this one happen. */
  cause: number | null,
  /** The name of its kind, as breakpoints write it. */
  kind: string,
  /** What happened. */
  sentence: string,
  /** The objects that it made, changed, removed or read, the most important one first. */
  touches: Array<WireTouch>,
  /** Its landmark on a timeline. */
  landmark: Landmark | null,
  /** The span that it begins. */
  begins: EventSpan | null,
  /** The span that it ends. */
  ends: EventSpan | null,
  /** How it changes a view. */
  patches: Array<Patch>,
  /** What a merge did with one entry, of an event that tells it. */
  merge?: MergeStep,
};

/** An object that an event touches. */
export type WireTouch = {
  /** Its address: `table:12`. */
  object: string,
  /** The effect on it. */
  effect: ObjectEffect,
};

/** How a slice of work ended, and the next duties of the worker. */
export type Work = {
  /** Lines printed in it. */
  lines: Array<OutputLine>,
  /** Whether background work goes on by itself from now on; `null`: as before. */
  play: PlayChange | null,
  /** Whether a person is to be asked for files. */
  pick: boolean,
  /** Whether an experiment waits for its module, which is to be fetched before the next slice. */
  labs: boolean,
  /** What the files are called that wait to be saved, if there are any. */
  save: string | null,
} & ({ "state": "idle" }
  | { "state": "more",
  /** Operations done. */
  done: number,
  /** Operations in all, if that is known. */
  total: number | null,
  /** What is being done. */
  label: string,
  /** Whether the events so far have to be told before the next slice. */
  turns: boolean }
  | { "state": "blocked",
  /** Its name. */
  file: string }
  | { "state": "done",
  /** The results of its commands, in their order. */
  answers: Array<Answer>,
  /** Why it ended early. */
  error: Failure | null });

/** `step`, `run`, `flush`, `compact`, `rotate`, `sync`. */
export type WorkResult = {
  /** Whether anything was done or asked for. */
  changed: boolean,
  /** Steps made. */
  steps: number,
  /** Jobs finished. */
  jobs: Array<number>,
  /** The operations and phases on the way, oldest first: the first 4,096. */
  events: Array<DoneEvent>,
  /** What the next step will do. */
  next: string | null,
};

/** Files from outside at once. */
export const FILES_MAX = 1024;

/** Bytes of files from outside at once. */
export const BYTES_MAX = 314572800;

/** Longest name of such a file, with its directories [UTF-16 units]. */
export const NAME_UNITS_MAX = 4096;

/** Bytes of a key that events and views carry. */
export const SHOWN_KEY_BYTES_MAX = 96;

/** Edits of the manifest that a view has at most. */
export const MANIFEST_EDITS_MAX = 8;

/** How files are called, each of the number 0, by the kind of their object. */
export const FILE_NAMES = {
  table: '000000.sst',
  wal: '000000.wal',
  manifest: 'MANIFEST-000000',
  current: 'CURRENT',
  lock: 'LOCK',
} as const;

/** Every kind of event. */
export type EventName =
  | 'op.put'
  | 'op.delete'
  | 'op.delete_range'
  | 'op.batch'
  | 'op.done'
  | 'op.failed'
  | 'op.get'
  | 'op.scan'
  | 'op.snapshot'
  | 'op.release'
  | 'op.sync'
  | 'op.rotate'
  | 'op.compact'
  | 'op.compact_range'
  | 'op.begin'
  | 'op.buffer'
  | 'op.buffer_range'
  | 'op.read'
  | 'op.read_range'
  | 'op.commit'
  | 'op.conflict'
  | 'op.rollback'
  | 'wal.create'
  | 'wal.append'
  | 'wal.write'
  | 'wal.sync'
  | 'wal.close'
  | 'wal.failed'
  | 'wal.delete'
  | 'memtable.insert'
  | 'memtable.rotate'
  | 'stall.begin'
  | 'stall.end'
  | 'slowdown.begin'
  | 'slowdown.end'
  | 'flush.begin'
  | 'flush.install'
  | 'flush.done'
  | 'compaction.pick'
  | 'compaction.begin'
  | 'compaction.skip'
  | 'compaction.progress'
  | 'compaction.install'
  | 'compaction.filtered'
  | 'compaction.done'
  | 'job.failed'
  | 'table.create'
  | 'table.block'
  | 'table.filter'
  | 'table.ranges'
  | 'table.index'
  | 'table.footer'
  | 'table.sync'
  | 'table.delete'
  | 'manifest.create'
  | 'manifest.switch'
  | 'manifest.append'
  | 'manifest.sync'
  | 'manifest.delete'
  | 'recovery.begin'
  | 'recovery.manifest'
  | 'recovery.wal'
  | 'recovery.done'
  | 'refresh.done'
  | 'db.read_only'
  | 'op.checkpoint'
  | 'checkpoint.table'
  | 'checkpoint.log'
  | 'checkpoint.done'
  | 'checkpoint.failed'
  | 'batch.entry'
  | 'batch.range'
  | 'filter.false_positive'
  | 'merge.entry'
  | 'merge.range';

/** How fast Play can go: the word of `play`, and steps a second, 0 as many as possible. */
export const SPEEDS = [
  { word: '0.5', stepsPerSecond: 1 },
  { word: '1', stepsPerSecond: 2 },
  { word: '4', stepsPerSecond: 8 },
  { word: 'max', stepsPerSecond: 0 },
] as const;

/** Steps a second of Play while no other speed was chosen. */
export const PLAY_RATE = 2;

/** Verbs that the page does itself. */
export const PAGE_VERBS = [
  'back',
  'forward',
  'goto',
  'now',
  'play',
  'pause',
  'bytes',
  'bookmark',
  'clear',
] as const;
