import { useMemo } from 'react';
import { decodeHex } from '../../model/bytes';
import { cutEnd, escapeBytes } from '../../model/keys';
import { sanitize } from '../../model/sanitize';
import { count } from '../../model/words';
import { Action } from '../shared/buttons';
import { MoreLines, useFirst } from '../shared/MoreLines';
import { Name } from '../shared/Name';
import { useDirectory } from './asking';
import type { Problem, Severity, Standing } from './scene/answers';

/** The sign of each severity. */
const SIGNS: Readonly<Record<Severity, string>> = { error: '▲', not_read: '◇', note: '●' };

/** The word of each state. */
const STATES: Readonly<Record<Standing, string>> = {
  damaged: 'damaged',
  missing: 'missing',
  in_no_level: 'in no level',
  left_out: 'left out',
  not_read: 'not read',
  note: 'remark',
};

/** The way to the bytes of a finding; `null`: the file is not there. */
export type OnBytes = (of: Problem) => (() => void) | null;

interface Props {
  problems: readonly Problem[];
  /** Without it no line leads to bytes. */
  onBytes?: OnBytes | undefined;
}

/** Findings, one below the other; equal ones once, with their number. */
export function ProblemLines({ problems, onBytes }: Props) {
  const alike = useMemo(() => gathered(problems), [problems]);
  const first = useFirst(alike);
  if (problems.length === 0) return null;
  return (
    <>
      <ul className="lens-problems bare">
        {first.lines.map(({ problem, times }) => (
          <ProblemLine key={JSON.stringify(problem)} {...{ problem, times, onBytes }} />
        ))}
      </ul>
      <MoreLines first={first} nouns="findings" />
    </>
  );
}

/** Each finding once, at its first place, with its number. */
function gathered(problems: readonly Problem[]): Finding[] {
  const alike = new Map<string, Finding>();
  for (const problem of problems) {
    const same = JSON.stringify(problem);
    const known = alike.get(same);
    if (known) known.times += 1;
    else alike.set(same, { problem, times: 1 });
  }
  const found = [...alike.values()];
  // A read reports a missing file, and so does the place that refers to it: the latter has more detail.
  const placed = new Set(found.filter(({ problem }) => isPlaced(problem)).map(bare));
  return found.filter((one) => isPlaced(one.problem) || !placed.has(bare(one)));
}

function isPlaced({ family, level, keys }: Problem): boolean {
  return family !== null || level !== null || keys !== null;
}

/** A finding without its place. */
function bare({ problem: { file, offset, severity, message } }: { problem: Problem }): string {
  return JSON.stringify([file, offset, severity, message]);
}

/** A finding, and how often it was made. */
interface Finding {
  problem: Problem;
  times: number;
}

function ProblemLine({ problem, times, onBytes }: Finding & Pick<Props, 'onBytes'>) {
  const { file, offset, severity, state, message, family, level, keys } = problem;
  const toBytes = onBytes?.(problem);
  const { hasFamilies } = useDirectory();
  const where = [
    family !== null && hasFamilies ? `family ${family}` : '',
    level === null ? '' : `L${level}`,
  ].filter(Boolean);
  return (
    <li className={`note-box${severity === 'error' ? ' is-bad' : ''}`}>
      <strong>
        <span aria-hidden="true">{SIGNS[severity]}</span> {STATES[state]}
      </strong>
      <div>
        <p>
          <code>
            <Name of={file} />
          </code>
          {offset !== null && ` at offset ${count(offset)}`}: {sanitize(message)}
          {times > 1 && <strong> ({count(times)} times)</strong>}
        </p>
        {(family !== null || keys !== null) && (
          <p className="dim">
            {where.join(', ')}
            {keys && (
              <>
                {where.length > 0 && ', '}
                {keys[0] === keys[1] ? 'key ' : 'keys '}
                {keys[0] === '' ? 'from the first one' : <code>{keyWords(keys[0])}</code>}
                {keys[0] !== keys[1] && ' to '}
                {keys[0] !== keys[1] && <code>{keyWords(keys[1])}</code>}
              </>
            )}
          </p>
        )}
      </div>
      {toBytes && (
        <Action aria-label={`Bytes of ${file}`} onClick={toBytes}>
          Bytes
        </Action>
      )}
    </li>
  );
}

/** An answer's cautions. */
export function Cautions({ sentences }: { sentences: readonly string[] }) {
  return sentences.map((sentence) => (
    <p key={sentence} className="lens-verdict">
      <strong>Caution:</strong> {sentence}
    </p>
  ));
}

function keyWords(hex: string): string {
  const bytes = decodeHex(hex);
  if (bytes === null || bytes.length === 0) return '""';
  return cutEnd(escapeBytes(bytes), 60);
}
