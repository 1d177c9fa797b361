import './LensInspector.css';

import { objectOf, openedOf, parseSelection } from '../../model/selection';
import { count } from '../../model/words';
import { Action, TextLink } from '../shared/buttons';
import { useViews } from '../shared/contexts';
import { Facts } from '../shared/Facts';
import { useDirectory, useQuery } from './asking';
import { Breakable } from './Breakable';
import { PartDetails, type WaysOn } from './PartDetails';
import { KeyText } from './ShownText';
import type { Facts as FactsOf, FamilyLine, LifeLine } from './scene/answers';

export interface InspectorProps extends WaysOn {
  family: FamilyLine;
  selected: string | null;
  /** The step on show. */
  step: number;
  onStep(step: number): void;
}

/** The selected part of a file, and facts about the selected object; without one, about the family. */
export function LensInspector(props: InspectorProps) {
  const { family, selected, step } = props;
  const object = objectOf(selected) ?? '';
  const { result, failure } = useQuery({ ask: 'facts', family: family.id, step, object });
  return (
    <aside className="inspector in-column lens-inspector" aria-label="Details">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div className="panel grows" tabIndex={0}>
        {failure !== null && <p className="problem">{failure}</p>}
        {failure === null && result && <Details {...props} facts={result} />}
        {selected === null && <Help family={family} />}
      </div>
    </aside>
  );
}

function Details(props: InspectorProps & { facts: FactsOf }) {
  const { title, isFile, what, problems, rows, notes, life, file } = props.facts;
  const path = props.selected === null ? '' : parseSelection(props.selected)?.path;
  // The picture counts the blocks of a table; the file may name them otherwise.
  const isPart = path && !/^block:\d+$/.test(path);
  return (
    <>
      {file !== null && isPart && <PartDetails {...{ ...props, file, path }} />}
      <h2>
        {isFile ? <code>{title}</code> : title} {what !== '' && <small>{what}</small>}
      </h2>
      {problems.map((problem) => (
        <p key={problem} className="problem">
          ▲ {problem}
        </p>
      ))}
      <Facts
        rows={rows.map(({ label, text, key }) => [
          label,
          key ? <KeyText key={label} shown={key} /> : <Breakable key={label} text={text} />,
        ])}
      />
      {notes.map((note) => (
        <p key={note} className="dim">
          {note}
        </p>
      ))}
      <Ways {...props} />
      {life.length > 0 && <Life life={life} {...props} />}
    </>
  );
}

/** Where to go on from a file. */
function Ways({ facts, selected, onCover, onScan, onBytes }: InspectorProps & { facts: FactsOf }) {
  const { lookInside } = useViews();
  const { opened } = useDirectory();
  const { file } = facts;
  const inside = openedOf(selected);
  const first = facts.rows.find(({ key }) => key !== null)?.key;
  if (file === null) return null;
  return (
    <div className="commands">
      {inside !== null && inside !== opened && (
        <Action onClick={() => lookInside(inside)}>Look inside</Action>
      )}
      {first && <Action onClick={() => onCover(first.hex)}>What covers its first key?</Action>}
      {first && <Action onClick={() => onScan(first.hex)}>Read from its first key</Action>}
      <Action onClick={() => onBytes(file)}>Every byte of its file</Action>
    </div>
  );
}

/** The steps in which a table was born, moved and died. */
function Life({
  life,
  step,
  onStep,
}: Pick<InspectorProps, 'step' | 'onStep'> & { life: LifeLine[] }) {
  return (
    <>
      <h3>Its life</h3>
      <ol className="why">
        {life.map(({ edit, event, step: of }) => (
          <li key={edit} aria-current={of?.step === step ? 'step' : undefined}>
            <strong>{eventWords(event)}</strong>{' '}
            {of ? (
              <TextLink onClick={() => onStep(of.step)}>step {count(of.step)}</TextLink>
            ) : (
              <span className="dim">by an edit that could not be applied</span>
            )}
            {of && <span className="dim"> {of.sentence}</span>}
            {of?.reason != null && <span className="dim"> {of.reason}.</span>}
          </li>
        ))}
      </ol>
    </>
  );
}

function eventWords(event: LifeLine['event']): string {
  if ('born' in event) return `born in L${event.born.level}`;
  if ('moved' in event) return `moved from L${event.moved.from} to L${event.moved.to}`;
  if ('not_applied' in event) return `added to L${event.not_applied.level}`;
  return `died in L${event.died.level}`;
}

/** The selectable objects, and the keys. */
function Help({ family }: { family: FamilyLine }) {
  return (
    <>
      <p className="dim">
        {family.orderKnown
          ? 'Select a table, a level, a log or a blob file. Places on the key axis are ranks among the first and last keys of tables.'
          : 'The order of these keys is not known, so tables stand in the order of the manifest, and keys cannot be searched.'}
      </p>
      <p>
        <small>
          <kbd>←</kbd> <kbd>→</kbd> one step, with <kbd>Shift</kbd> ten; <kbd>Page Up</kbd>{' '}
          <kbd>Page Down</kbd> from change to change; <kbd>Home</kbd> <kbd>End</kbd> first and last;{' '}
          <kbd>Space</kbd> plays. <kbd>Tab</kbd> to the picture: arrows walk through it,{' '}
          <kbd>Enter</kbd> opens.
        </small>
      </p>
    </>
  );
}
