import './Job.css';

import { type ReactNode, useEffect, useRef } from 'react';
import { wordOfKey } from '../../model/commandWords';
import type { JobView, MergeHead, OutputView, TableInfo, View } from '../../model/engine.generated';
import { isHidden, jobInFocus } from '../../model/focus';
import { signOf } from '../../model/followed';
import type { MergeEvent } from '../../model/judged';
import type { Page } from '../../model/page';
import { count, counted, size } from '../../model/words';
import { useFollowed } from '../Follow/following';
import { useSelection, useTime } from '../shared/contexts';
import { KeyRange, KeyText } from '../shared/KeyText';
import { Term } from '../shared/Term';
import { isKept, REASONS } from './merge';

/** Verdicts that are listed below the one on show. */
const EARLIER_MAX = 4;
/** Data blocks of a table that are drawn one by one; earlier ones are counted. */
const BLOCKS_MAX = 5;
/** More inputs than this stand closer together. */
const MANY = 3;
/** Letters of a key that are shown. */
const LETTERS = 22;

/** A flush or a compaction at work: what it reads, its verdict on the entry on show, and the tables that grow. */
export function JobPicture({ page }: { page: Page }) {
  const { view, writing } = page;
  const { entries: judged, since, isKnown } = page.judged;
  const job = jobInFocus(page);
  if (!job) return null;
  const done = Math.min(job.entriesDone + since, job.entriesTotal);
  const outputs = [...writing.values()].filter((table) => table.job === job.job);
  const isCalm = page.busy === null && !page.playing;
  return (
    <section className={`job-picture ${job.what}`} aria-label={`${job.what} job ${job.job}`}>
      <div className="job-progress in-row">
        <progress value={done} max={Math.max(job.entriesTotal, 1)} />{' '}
        <span>{`${isKnown ? count(done) : '…'} of ${counted(job.entriesTotal, 'entry')} read`}</span>
      </div>
      <Inputs
        job={job}
        view={view}
        heads={judged[judged.length - 1]?.heads ?? []}
        isCalm={isCalm}
      />
      <Judged
        judged={judged}
        isKnown={isKnown}
        hidden={isHidden(page)}
        isFlush={job.what === 'flush'}
      />
      <Outputs job={job} outputs={outputs} fresh={page.fresh} isCalm={isCalm} />
    </section>
  );
}

interface InputsProps {
  job: JobView;
  view: View;
  heads: readonly MergeHead[];
  /** Steps come one at a time: the newest part is scrolled to. */
  isCalm: boolean;
}

/** What the job reads: a memtable, or tables with the entry that each stands on. */
function Inputs({ job, view, heads, isCalm }: InputsProps) {
  const tables = view.levels.flatMap(({ score, tables: known }) =>
    known
      .filter(({ table }) => job.inputs.includes(table))
      .map((info) => ({ info, level: score.level })),
  );
  const memtable = view.memtables.find((known) => known.memtable === job.memtable);
  const column = useRef<HTMLDivElement>(null);
  const first = heads.find((head) => head.first)?.table;
  useEffect(() => {
    // Of more inputs than fit, the one whose entry is judged stays in sight.
    if (first !== undefined && isCalm)
      column.current?.querySelector('.first')?.scrollIntoView?.({ block: 'nearest' });
  }, [first, isCalm]);
  return (
    <div
      className={tables.length > MANY ? 'job-column in-column many' : 'job-column in-column'}
      ref={column}
    >
      <h3>Input</h3>
      {memtable && (
        <Box
          id={`memtable:${memtable.memtable}`}
          className="memtable"
          title={`memtable ${memtable.memtable}`}
        >
          {counted(memtable.entries, 'entry')} in key order
        </Box>
      )}
      {tables.map(({ info, level }) => (
        <Input
          key={info.table}
          info={info}
          level={level}
          head={heads.find(({ table }) => table === info.table) ?? null}
          isAtEnd={heads.length > 0}
        />
      ))}
    </div>
  );
}

interface InputProps {
  info: TableInfo;
  level: number;
  head: MergeHead | null;
  /** Other inputs stand on an entry, so that one without has none left. */
  isAtEnd: boolean;
}

function Input({ info, level, head, isAtEnd }: InputProps) {
  const followed = useFollowed();
  const sign = head && signOf(followed, head.sequence);
  const classes = `table level-${Math.min(level, 3)}${head?.first ? ' first' : ''}${sign ? ' followed' : ''}`;
  return (
    <Box
      id={`table:${info.table}`}
      className={classes}
      title={`table ${info.table}`}
      note={`L${level}`}
      sign={sign}
    >
      {head ? (
        <>
          <span className="visually-hidden">stands on </span>
          <Key of={head} /> <span className="dim">#{count(head.sequence)}</span>
          {head.first && <b className="arrow"> → first</b>}
        </>
      ) : isAtEnd ? (
        <span className="dim">read to its end</span>
      ) : (
        <span className="range">
          <KeyRange from={info.smallest} to={info.largest} limit={LETTERS} />
        </span>
      )}
    </Box>
  );
}

interface BoxProps {
  id: string;
  className: string;
  title: string;
  note?: string;
  /** That of the version of the followed key that it stands on. */
  sign?: string | null;
  children: ReactNode;
}

/** An object that can be selected. */
function Box({ id, className, title, note, sign, children }: BoxProps) {
  const { select } = useSelection();
  return (
    <button
      type="button"
      className={`job-box wraps ${className}`}
      data-object={id}
      onClick={() => select(id)}
    >
      <b data-sign={sign ?? undefined}>
        <span className="job-word">{title.split(' ')[0]} </span>
        {title.split(' ')[1]}
      </b>
      {note && <small>{note}</small>}
      <span className="job-content">{children}</span>
    </button>
  );
}

/** A key; that of a tombstone is struck through. */
function Key({ of }: { of: Pick<MergeHead, 'key' | 'entry'> }) {
  const text = <KeyText of={of.key} limit={LETTERS} />;
  return (
    <code data-key={wordOfKey(of.key) ?? undefined}>
      {of.entry === 'delete' ? (
        <>
          <s>{text}</s> ×<span className="visually-hidden"> tombstone</span>
        </>
      ) : (
        text
      )}
    </code>
  );
}

interface JudgedProps {
  judged: readonly MergeEvent[];
  isKnown: boolean;
  /** The verdict on the entry on show is hidden. */
  hidden: boolean;
  isFlush: boolean;
}

/** The verdict on the entry on show, large, and those before it. */
function Judged({ judged, isKnown, hidden, isFlush }: JudgedProps) {
  const last = judged[judged.length - 1];
  const earlier = judged.slice(0, -1).slice(-EARLIER_MAX).toReversed();
  return (
    <div className="job-column in-column job-judged">
      <h3>Keep or drop</h3>
      {last ? (
        <Verdict event={last} hidden={hidden} />
      ) : (
        <p className="dim">{isKnown ? notYet(isFlush) : '…'}</p>
      )}
      {earlier.length > 0 && (
        <ol aria-label="Entries judged before">
          {earlier.map((event) => (
            <li
              key={`${event.step} ${event.detail}`}
              className={isKept(event.verdict) ? 'kept' : 'dropped'}
            >
              {isKept(event.verdict) ? '✓' : '✗'} <Key of={event} />{' '}
              <span className="dim">
                #{count(event.sequence)} {REASONS[event.verdict].text}
              </span>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

function notYet(isFlush: boolean): string {
  return isFlush
    ? 'A flush writes every entry except versions hidden by a newer one.'
    : 'No entry has been judged yet.';
}

function Verdict({ event, hidden }: { event: MergeEvent; hidden: boolean }) {
  const { reveal } = useTime();
  const kept = isKept(event.verdict);
  const { text, term } = REASONS[event.verdict];
  const state = hidden ? 'hidden' : kept ? 'kept' : 'dropped';
  return (
    <div className={`verdict ${state}`}>
      <p className="verdict-key">
        <Key of={event} /> <span className="dim">#{count(event.sequence)}</span>
      </p>
      {hidden ? (
        <button type="button" className="card" onClick={reveal}>
          Keep or drop? <small>Reveal (→ or PgDn)</small>
        </button>
      ) : (
        <p className="verdict-word">
          {kept ? '✓ kept' : '✗ dropped'}: <Term name={term}>{text}</Term>
        </p>
      )}
    </div>
  );
}

interface OutputsProps {
  job: JobView;
  outputs: readonly OutputView[];
  fresh: ReadonlySet<string>;
  isCalm: boolean;
}

/** The tables being written, part by part. */
function Outputs({ job, outputs, fresh, isCalm }: OutputsProps) {
  const column = useRef<HTMLDivElement>(null);
  const parts = outputs.reduce((sum, output) => sum + partsWritten(output), 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a part was written
  useEffect(() => {
    if (!isCalm) return;
    const written = column.current?.querySelectorAll('.job-part.done');
    written?.[written.length - 1]?.scrollIntoView?.({ block: 'nearest' });
  }, [parts, isCalm]);
  return (
    <div className="job-column in-column" ref={column}>
      <h3>Output</h3>
      {outputs.length === 0 && (
        <p className="dim">No table of L{job.outputLevel} has been created yet.</p>
      )}
      {outputs.slice(-2).map((output) => (
        <Output key={output.table} output={output} isFresh={fresh.has(`table:${output.table}`)} />
      ))}
      {outputs.length > 2 && (
        <p className="dim">and {counted(outputs.length - 2, 'table')} before</p>
      )}
    </div>
  );
}

function partsWritten({ blocks, filterBytes, indexBytes, fileBytes, synced }: OutputView): number {
  const others = [filterBytes !== null, indexBytes !== null, fileBytes !== null, synced];
  return blocks.length + others.filter(Boolean).length;
}

function Output({ output, isFresh }: { output: OutputView; isFresh: boolean }) {
  const { select } = useSelection();
  const { table, level, blocks, filterBytes, indexBytes, fileBytes, synced } = output;
  const hidden = Math.max(blocks.length - BLOCKS_MAX, 0);
  const id = `table:${table}`;
  return (
    <div className={`job-file level-${Math.min(level, 3)}${isFresh ? ' fresh' : ''}`}>
      <button type="button" className="job-file-name" data-object={id} onClick={() => select(id)}>
        <b>table {table}</b> <small>for L{level}</small>
      </button>
      <ol>
        {hidden > 0 && (
          <li className="job-part done whole">{counted(hidden, 'data block')} before</li>
        )}
        {blocks.slice(hidden).map((block) => (
          <li key={block.index} className="job-part done whole">
            <span>
              block {block.index}: <KeyRange from={block.first} to={block.last} limit={14} />
            </span>
            <small>{size(block.storedBytes)}</small>
          </li>
        ))}
        <Part name="filter" bytes={filterBytes} />
        <Part name="index" bytes={indexBytes} />
        <Part name="footer" bytes={fileBytes === null ? null : 0} />
        <li className={synced ? 'job-part done whole' : 'job-part todo whole'}>
          {synced ? 'synced: durable' : 'not yet synced'}
        </li>
      </ol>
    </div>
  );
}

function Part({ name, bytes }: { name: string; bytes: number | null }) {
  return (
    <li className={bytes === null ? 'job-part todo' : 'job-part done'}>
      <span>{name}</span>
      <small>{bytes === null ? 'to come' : bytes > 0 ? size(bytes) : 'written'}</small>
    </li>
  );
}
