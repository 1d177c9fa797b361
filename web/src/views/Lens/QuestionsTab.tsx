import './Questions.css';

import { type FormEvent, useState } from 'react';
import type { Lens } from '../../lens/lens';
import { QUESTIONS } from '../../lens/lens.generated';
import { SheetList } from '../Labs/SheetList';
import { Action, Primary } from '../shared/buttons';
import { useDirectory, useQuery } from './asking';
import { KeyField, keyHex, type TypedKey, typedKey } from './KeyField';
import { Reading } from './Reading';
import { type Links, ReportPage } from './ReportPage';
import type { FamilyLine } from './scene/answers';

interface AskedQuestion {
  id: string;
  /** Hexadecimal digits of the key that it is about; `null`: the reader chooses one. */
  key: string | null;
}

interface Props extends Links {
  lens: Lens;
  family: FamilyLine;
  question: AskedQuestion;
  onQuestion(question: AskedQuestion): void;
}

/** The questions that people ask, each answered from the directory. */
export function QuestionsTab(props: Props) {
  const { lens, family, question, onQuestion } = props;
  const { id, key } = question;
  const known = QUESTIONS.find((one) => one.id === id);
  const isAboutKey = known?.isAboutKeys === true;
  const query = {
    ask: 'report',
    id,
    family: family.id,
    key: isAboutKey ? key : null,
  } as const;
  const { result, isCurrent, failure } = useQuery(query);
  return (
    <div className="labs-view on-panel">
      <SheetList
        label="Questions"
        sheets={QUESTIONS.map((one, at) => ({ id: one.id, mark: at + 1, words: one.text }))}
        shown={id}
        onShow={(wanted) => onQuestion({ id: wanted, key: null })}
      />
      <article
        className="lab-page widens scrolls"
        aria-label={known?.text ?? 'Report'}
        aria-busy={!isCurrent && failure === null}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
      >
        {isAboutKey && (
          <AboutKey
            key={`${id} ${key}`}
            hex={key}
            onKey={(wanted) => onQuestion({ id, key: wanted })}
          />
        )}
        {failure !== null && <p className="problem">{failure}</p>}
        {failure === null && !isCurrent && <Reading what=" what answers it" />}
        {result && isCurrent && (
          <ReportPage
            report={result}
            onCsv={() => lens.csv(query)}
            onStep={props.onStep}
            onTable={props.onTable}
          />
        )}
      </article>
    </div>
  );
}

/** Narrows a question to one key. */
function AboutKey({ hex, onKey }: { hex: string | null; onKey(hex: string | null): void }) {
  const [typed, setTyped] = useState<TypedKey>(() => typedKey(hex));
  const { hasFamilies } = useDirectory();
  const [problem, setProblem] = useState<string | null>(null);
  const ask = (event: FormEvent) => {
    event.preventDefault();
    const found = keyHex(typed);
    if (found.value === null) setProblem(found.problem);
    else onKey(found.value || null);
  };
  return (
    <form className="form" onSubmit={ask}>
      <KeyField
        label="About the key"
        typed={typed}
        problem={problem}
        placeholder={hasFamilies ? 'any key of any family' : 'any key'}
        onTyped={(next) => {
          setTyped(next);
          setProblem(null);
        }}
      />
      <Primary type="submit">Ask</Primary>
      {hex !== null && <Action onClick={() => onKey(null)}>Any key</Action>}
    </form>
  );
}
