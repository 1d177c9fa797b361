import { decodeHex } from '../../model/bytes';
import { escapeBytes } from '../../model/keys';
import { sanitize } from '../../model/sanitize';
import { count } from '../../model/words';
import { useFamilies } from './families';
import { MoreLines, useFirst } from './MoreLines';
import { Name } from './Name';
import type { Problem, Severity } from './scene/answers';

/** The sign and the word of each severity. */
const SEVERITIES: Readonly<Record<Severity, readonly [string, string]>> = {
  error: ['▲', 'damaged'],
  not_read: ['◇', 'not read'],
  note: ['●', 'remark'],
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
            key={`${problem.file} ${problem.offset} ${problem.message}`}
            problem={problem}
          />
        ))}
      </ul>
      <MoreLines first={first} nouns="findings" />
    </>
  );
}

function ProblemLine({ problem }: { problem: Problem }) {
  const { file, offset, severity, message, family, level, keys } = problem;
  const [sign, word] = SEVERITIES[severity];
  const hasFamilies = useFamilies();
  const where = [
    family !== null && hasFamilies ? `family ${family}` : '',
    level === null ? '' : `L${level}`,
  ].filter(Boolean);
  return (
    <li className={`is-${severity}`}>
      <span className="lens-severity">
        <span aria-hidden="true">{sign}</span> {word}
      </span>
      <div>
        <p>
          <code>
            <Name of={file} />
          </code>
          {offset !== null && ` at offset ${count(offset)}`}: {sanitize(message)}
        </p>
        {(family !== null || keys !== null) && (
          <p className="dim">
            {where.join(', ')}
            {keys && (
              <>
                {where.length > 0 && ', '}keys{' '}
                {keys[0] === '' ? 'from the first one' : <code>{keyWords(keys[0])}</code>} to{' '}
                <code>{keyWords(keys[1])}</code>
              </>
            )}
          </p>
        )}
      </div>
    </li>
  );
}

function keyWords(hex: string): string {
  const bytes = decodeHex(hex);
  if (bytes === null || bytes.length === 0) return '""';
  const text = escapeBytes(bytes);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
