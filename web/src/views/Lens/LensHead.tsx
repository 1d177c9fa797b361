import '../Header/Header.css';

import { nameText } from '../../lens/names';
import { counted, joined, size } from '../../model/words';
import { Quiet } from '../shared/buttons';
import { Name } from '../shared/Name';
import type { FamilyLine, Overview } from './scene/answers';

const TABS = ['Levels', 'Questions', 'Read', 'Problems', 'Files', 'Bytes'] as const;
export type LensTab = (typeof TABS)[number];

/** Whether it is a set of files without an engine: it has no levels and no history. */
export function isOfFiles({ engine }: Pick<Overview, 'engine'>): boolean {
  return engine === 'files';
}

export function tabsOf(overview: Overview): readonly LensTab[] {
  if (!isOfFiles(overview)) return TABS;
  return TABS.filter((tab) => tab !== 'Levels' && tab !== 'Questions');
}

interface HeadProps {
  overview: Overview;
  /** The opened source. */
  name: string;
  /** Whether a check has run. */
  isChecked: boolean;
  onProblems(): void;
  /** Goes to the choice of another directory. */
  onOther(): void;
  onLeave(): void;
}

/** The database's engine, its size, and whether it is sound. */
export function LensHead(props: HeadProps) {
  const { overview, name, isChecked, onProblems, onOther, onLeave } = props;
  const { engineName, evidence, bytes, files, problems } = overview;
  const bad = problems.filter(({ severity }) => severity === 'error').length;
  return (
    <header className="lens-head">
      <Quiet className="back" onClick={onLeave} title="Back to the playground">
        <span aria-hidden="true">←</span> Playground
      </Quiet>
      <h1 className="clipped">
        {engineName}{' '}
        <span className="dim">
          <Name of={name} />
        </span>
      </h1>
      <details className="lens-evidence rigid placed">
        <summary className="chip">
          <span className="roomy">recognized by </span>
          {counted(evidence.length, 'sign')} <span aria-hidden="true">▾</span>
        </summary>
        <div>
          <ul>
            {evidence.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </div>
      </details>
      <span className="chip plain">
        {size(bytes)} in {counted(files.length, 'file')}
      </span>
      <button
        type="button"
        className={`chip${bad > 0 ? ' warn' : ''}`}
        onClick={onProblems}
        title={isChecked ? 'The outcome of the last check' : 'Found without a check'}
      >
        <span className={isChecked || bad > 0 ? 'dot' : ''} aria-hidden="true">
          {bad > 0 ? '▲' : isChecked ? '●' : '○'}
        </span>
        {problemWords(problems.length, bad, isChecked)}
      </button>
      <span className="spacer" />
      <Quiet onClick={onOther}>Open another …</Quiet>
    </header>
  );
}

function problemWords(all: number, bad: number, isChecked: boolean): string {
  if (all === 0) return isChecked ? 'no problem found' : 'not checked';
  if (bad === 0) return counted(all, 'remark');
  return bad === all ? counted(bad, 'problem') : `${counted(bad, 'problem')} of ${all} findings`;
}

interface PickerProps {
  overview: Overview;
  family: FamilyLine;
  onFamily(id: number): void;
}

/** Chooses the column family, or the file, of all views. */
export function FamilyPicker({ overview, family, onFamily }: PickerProps) {
  return (
    <div className="lens-family in-row">
      <label className="dim rigid" htmlFor="lens-family">
        {isOfFiles(overview) ? 'File' : 'Column family'}
      </label>
      <select
        id="lens-family"
        value={family.id}
        onChange={(event) => onFamily(Number(event.target.value))}
      >
        {overview.families.map((one) => (
          <option key={one.id} value={one.id}>
            {nameText(one.name)}: {familyWords(one)}
          </option>
        ))}
      </select>
    </div>
  );
}

function familyWords(family: FamilyLine): string {
  const { tables, tableBytes, blobFiles, logEntries } = family;
  return joined([
    `${counted(tables, 'table')}, ${size(tableBytes)}`,
    blobFiles > 0 && counted(blobFiles, 'blob file'),
    logEntries > 0 && `${counted(logEntries, 'entry')} in logs`,
  ]);
}
