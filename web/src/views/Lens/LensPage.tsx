import '../Inspector/Inspector.css';

import { type KeyboardEvent, useState } from 'react';
import type { Checked, Lens } from '../../lens/lens';
import { DirectoryProvider, remembering } from './asking';
import { BytesTab } from './BytesTab';
import { FilesTab } from './FilesTab';
import { FamiliesProvider, useFamilies } from './families';
import { FamilyPicker, LensHead, type LensTab, TABS } from './LensHead';
import { LevelsTab } from './LevelsTab';
import { ProblemsTab } from './ProblemsTab';
import { isAboutKeys, QuestionsTab } from './QuestionsTab';
import { ReadingProvider } from './Reading';
import { ReadTab, type ReadWish } from './ReadTab';
import type { FamilyLine, Overview, Problem } from './scene/answers';
import { useHistory } from './useHistory';

interface Props {
  lens: Lens;
  name: string;
  overview: Overview;
  /** A check or an export that goes on. */
  work: Work | null;
  onLeave(): void;
  onOpenFiles: (() => void) | undefined;
  /** Opens a table that was saved in the playground. */
  onTable?: ((table: File) => void) | undefined;
}

export interface Work {
  readonly what: 'check' | 'export';
  readonly progress: { readonly done: number; readonly total: number | null };
}

/** An open directory. */
export function LensPage(props: Props) {
  // A check changes answers: what it has found counts in later ones.
  const [ask, setAsk] = useState(() => remembering(props.lens.ask));
  const onChecked = () => setAsk(() => remembering(props.lens.ask));
  return (
    <DirectoryProvider value={ask}>
      <FamiliesProvider value={props.overview.engine === 'rocksdb'}>
        <ReadingProvider value={props.lens.reading}>
          <OpenPage {...props} onChecked={onChecked} />
        </ReadingProvider>
      </FamiliesProvider>
    </DirectoryProvider>
  );
}

/** What is on show. */
interface Shown {
  tab: LensTab;
  family: number;
  step: number;
  selected: string | null;
  question: { id: string; key: string | null };
  wish: ReadWish | null;
  /** The file whose bytes are shown; `null`: the manifest. */
  file: string | null;
}

function OpenPage(props: Props & { onChecked(): void }) {
  const { lens, name, overview, work, onLeave, onOpenFiles, onTable, onChecked } = props;
  const last = Math.max(overview.steps - 1, 0);
  const [shown, setShown] = useState<Shown>(() => ({
    tab: 'Levels',
    family: largest(overview.families)?.id ?? 0,
    step: last,
    selected: null,
    question: { id: 'level0', key: null },
    wish: null,
    file: null,
  }));
  const [found, setFound] = useState<Checked | null>(null);
  const history = useHistory(overview.steps);
  const change = (part: Partial<Shown>) => setShown((before) => ({ ...before, ...part }));
  const family = overview.families.find(({ id }) => id === shown.family) ?? overview.families[0];
  const { tab } = shown;
  const problems = found?.problems ?? overview.problems;
  const hasFamilies = useFamilies();
  const hasChoice = hasFamilies && isAboutFamily(tab, shown.question.id);
  return (
    <div className="lens in-column">
      <LensHead
        overview={{ ...overview, problems: [...problems] }}
        name={name}
        onProblems={() => change({ tab: 'Problems' })}
        onOther={lens.close}
        onLeave={onLeave}
        onOpenFiles={onOpenFiles}
      />
      <main className="lens-main in-column grows">
        <div className="lens-tabs in-row rigid">
          <TabList tab={tab} problems={problems.length} onTab={(next) => change({ tab: next })} />
          <span className="lens-promise clipped">Nothing is written, no byte leaves this page</span>
          {family && hasChoice && (
            <FamilyPicker
              families={overview.families}
              family={family}
              onFamily={(id) => change({ family: id, selected: null, wish: null })}
            />
          )}
        </div>
        <div
          id="lens-panel"
          className="lens-panel grows"
          role="tabpanel"
          aria-labelledby={`lens-tab-${tab}`}
        >
          {family === undefined ? (
            <p className="lens-note">The manifest names no column family that is left.</p>
          ) : (
            <Content
              {...{ lens, overview, work, family, shown, history, problems, found, onTable }}
              change={change}
              onFound={(checked) => {
                setFound(checked);
                onChecked();
              }}
            />
          )}
        </div>
      </main>
    </div>
  );
}

/** Whether the choice of a family changes anything of a view. */
function isAboutFamily(tab: LensTab, question: string): boolean {
  if (tab === 'Questions') return isAboutKeys(question);
  return tab !== 'Files' && tab !== 'Bytes';
}

interface ContentProps {
  lens: Lens;
  overview: Overview;
  work: Work | null;
  family: FamilyLine;
  shown: Shown;
  history: ReturnType<typeof useHistory>;
  problems: readonly Problem[];
  found: Checked | null;
  change(part: Partial<Shown>): void;
  onFound(found: Checked): void;
  onTable: Props['onTable'];
}

/** Where rows and findings lead. */
function waysOf({ overview, family, change }: ContentProps) {
  const idOf = (name?: string) =>
    overview.families.find((one) => one.name === name)?.id ?? family.id;
  const files = new Set(overview.files.map(({ name }) => name));
  return {
    toStep: (step: number, of?: string) => change({ tab: 'Levels', step, family: idOf(of) }),
    toTable: (number: number, of?: string) =>
      change({ tab: 'Levels', selected: `table:${number}`, family: idOf(of) }),
    onBytes: (file: string) => (files.has(file) ? () => change({ tab: 'Bytes', file }) : null),
  };
}

function Content(props: ContentProps) {
  const { lens, overview, work, family, shown, history, problems, found, change } = props;
  const { onFound, onTable } = props;
  const { toStep, toTable, onBytes } = waysOf(props);
  switch (shown.tab) {
    case 'Levels':
      return (
        <LevelsTab
          {...{ overview, family, history, problems }}
          step={shown.step}
          selected={shown.selected}
          onSelect={(selected) => change({ selected })}
          onStep={(step) => change({ step })}
          onCover={(key) => change({ tab: 'Questions', question: { id: 'cover', key } })}
          onBytes={(file) => change({ tab: 'Bytes', file })}
          onScan={(from) => change({ tab: 'Read', wish: { way: 'scan', from } })}
        />
      );
    case 'Questions':
      return (
        <QuestionsTab
          lens={lens}
          family={family}
          question={shown.question}
          onQuestion={(question) => change({ question })}
          onStep={toStep}
          onTable={toTable}
        />
      );
    case 'Read':
      return (
        <ReadTab
          key={family.id}
          family={family}
          overview={overview}
          wish={shown.wish}
          onTable={(number) =>
            change({
              tab: 'Levels',
              selected: `table:${number}`,
              step: Math.max(overview.steps - 1, 0),
            })
          }
        />
      );
    case 'Problems':
      return (
        <ProblemsTab {...{ lens, family, work, problems, found, onFound, onTable, onBytes }} />
      );
    case 'Files':
      return (
        <FilesTab
          files={overview.files}
          problems={problems}
          manifest={overview.manifest}
          onBytes={(file) => change({ tab: 'Bytes', file })}
        />
      );
    case 'Bytes':
      return (
        <BytesTab
          files={overview.files}
          file={shown.file ?? overview.manifest}
          problems={problems}
          onFile={(file) => change({ file })}
        />
      );
  }
}

interface TabListProps {
  tab: LensTab;
  problems: number;
  onTab(tab: LensTab): void;
}

function TabList({ tab, problems, onTab }: TabListProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const next = TABS[(TABS.indexOf(tab) + step + TABS.length) % TABS.length] ?? tab;
    event.preventDefault();
    onTab(next);
    document.getElementById(`lens-tab-${next}`)?.focus();
  };
  return (
    <div
      className="tabs wraps rigid"
      role="tablist"
      aria-label="The directory"
      onKeyDown={onKeyDown}
    >
      {TABS.map((name) => (
        <button
          type="button"
          role="tab"
          key={name}
          id={`lens-tab-${name}`}
          aria-selected={tab === name}
          aria-controls="lens-panel"
          tabIndex={tab === name ? 0 : -1}
          onClick={() => onTab(name)}
        >
          {name}
          {name === 'Problems' && problems > 0 && <span className="lens-count">{problems}</span>}
        </button>
      ))}
    </div>
  );
}

/** The family that holds most: that is the one people ask about. */
function largest(families: readonly FamilyLine[]): FamilyLine | null {
  const size = ({ table_bytes, blob_bytes, log_entries }: FamilyLine) =>
    table_bytes + blob_bytes + log_entries;
  return families.reduce<FamilyLine | null>(
    (found, family) => (found === null || size(family) > size(found) ? family : found),
    null,
  );
}
