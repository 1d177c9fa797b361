import { decodeHex } from '../../model/bytes';
import { escapeBytes } from '../../model/keys';
import { count } from '../../model/words';
import { useFamilies } from './families';
import { MoreLines, useFirst } from './MoreLines';
import type { Problem, Severity, Standing } from './scene/answers';

/** The sign of each severity. */
const SIGNS: Readonly<Record<Severity, string>> = { error: '▲', not_read: '◇', note: '●' };

/** The word of each state. */
const STATES: Readonly<Record<Standing, string>> = {
  damaged: 'damaged',
  missing: 'missing',
  in_no_level: 'in no level',
  not_read: 'not read',
  note: 'remark',
};

/** Findings, one below the other; nothing for none. */
export function ProblemLines({ problems }: { problems: readonly Problem[] }) {
  const first = useFirst(problems);
  if (problems.length === 0) return null;
  return (
    <>
      <ul className="lens-problems">
        {first.lines.map((problem) => (
          <ProblemLine
            key={`${problem.file} ${problem.offset} ${problem.message} ${problem.keys}`}
            problem={problem}
          />
        ))}
      </ul>
      <MoreLines first={first} nouns="findings" />
    </>
  );
}

function ProblemLine({ problem }: { problem: Problem }) {
  const { file, offset, severity, state, message, family, level, keys } = problem;
  const hasFamilies = useFamilies();
  const where = [
    family !== null && hasFamilies ? `family ${family}` : '',
    level === null ? '' : `L${level}`,
  ].filter(Boolean);
  return (
    <li className={`is-${severity}`}>
      <span className="lens-severity">
        <span aria-hidden="true">{SIGNS[severity]}</span> {STATES[state]}
      </span>
      <div>
        <p>
          <code>{file}</code>
          {offset !== null && ` at offset ${count(offset)}`}: {message}
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
    </li>
  );
}

/** What an answer may lack. */
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
  const text = escapeBytes(bytes);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
