import '../Inspector/Inspector.css';
import './Lens.css';

import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { Checked, Lens, LensWork } from '../../lens/lens';
import { QUESTIONS } from '../../lens/lens.generated';
import { ownName } from '../../lens/names';
import type { Cursor } from '../../lens/protocol';
import type { ForeignFile } from '../../share/foreign';
import { Provided, useViews } from '../shared/contexts';
import { Tabs } from '../shared/Tabs';
import { useStore } from '../shared/useStore';
import { DirectoryProvider, remembering, useDirectory } from './asking';
import { BytesTab } from './BytesTab';
import { FilesTab } from './FilesTab';
import { FamilyPicker, isOfFiles, LensHead, type LensTab, tabsOf } from './LensHead';
import { LensNotice } from './LensNotice';
import { LensStart } from './LensStart';
import { LevelsTab } from './LevelsTab';
import { ProblemsTab } from './ProblemsTab';
import { QuestionsTab } from './QuestionsTab';
import { ReadTab, type ReadWish } from './ReadTab';
import { AsBranch } from './Saving';
import type { FamilyLine, Overview, Problem } from './scene/answers';
import { type Named, useAddress } from './useAddress';
import { useHistory } from './useHistory';

interface LensProps extends Named {
  lens: Lens;
  /** Back to the playground. */
  onLeave(): void;
  /** Opens the files of a database, or a log of entries, as a branch of the playground. */
  onBranch?: ((files: readonly ForeignFile[]) => void) | undefined;
  /** What the picture shows from inside. */
  opened?: string | null | undefined;
  /** Whether the address leads to bytes. */
  inspecting?: boolean;
  /** Puts a terminal below the views of an open directory. */
  dock?: ((views: ReactNode) => ReactNode) | undefined;
}

/** The directory that is open, or the ways to choose one. */
export function LensView(props: LensProps) {
  const { lens } = props;
  const state = useStore(lens.store);
  const { open, isOther } = useAddress(props);
  if (state.state !== 'open' || isOther) return <LensStart {...props} state={state} />;
  const { overview, work } = state;
  return (
    <>
      <LensPage
        // Another directory has a page of its own.
        key={open}
        {...{ ...props, overview, work }}
        title={ownName(state)}
      />
      <LensNotice lens={lens} />
    </>
  );
}

interface Props extends LensProps {
  title: string;
  overview: Overview;
  /** A check or an export that goes on. */
  work: LensWork | null;
}

/** An open directory. */
function LensPage(props: Props) {
  const { opened = null } = props;
  const { ask: asked, checks, reading } = props.lens;
  const times = useStore(checks);
  const hasFamilies = props.overview.engine === 'rocksdb' || isOfFiles(props.overview);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a check changes answers, because what it has found counts in later ones
  const directory = useMemo(
    () => ({ ask: remembering(asked), hasFamilies, reading }),
    [asked, hasFamilies, reading, times],
  );
  const questions = useMemo(() => ({ ask: directory.ask as never, isSerial: true }), [directory]);
  const shown = useMemo(() => ({ ...directory, opened }), [directory, opened]);
  return (
    <DirectoryProvider value={shown}>
      <Provided questions={questions} views={useViews()}>
        <OpenPage {...props} />
      </Provided>
    </DirectoryProvider>
  );
}

interface TabState {
  tab: LensTab;
  /** The family that `selected` and `wish` are about. */
  of: number;
  selected: string | null;
  question: { id: string; key: string | null };
  wish: ReadWish | null;
}

const FIRST: TabState = {
  tab: 'Levels',
  of: 0,
  selected: null,
  question: { id: 'level0', key: null },
  wish: null,
};

function firstOf(overview: Overview): TabState {
  return isOfFiles(overview) ? { ...FIRST, tab: 'Files' } : FIRST;
}

/** A link of the terminal leads to bytes, and an opened table is in the picture. */
function useLinks(lens: Lens, setShown: (change: (before: TabState) => TabState) => void): void {
  const { opened } = useDirectory();
  const { inspect } = useViews();
  useEffect(() => {
    if (opened === null) return;
    const { family } = lens.cursor.get();
    setShown((before) => ({ ...shownOf(before, family), tab: 'Levels', selected: opened }));
  }, [lens, opened, setShown]);
  useEffect(
    () => lens.place.subscribe(() => lens.place.get() !== null && inspect(true)),
    [lens, inspect],
  );
}

/** The tab on show. The bytes are not kept here: they have an address, so that Back leads out of them. */
function useShown({ lens, overview, inspecting = false }: Props) {
  const { inspect } = useViews();
  const { family } = useStore(lens.cursor);
  const [all, setShown] = useState(() => firstOf(overview));
  useLinks(lens, setShown);
  const own = shownOf(all, family);
  const change = (part: Partial<TabState>) => {
    if (part.tab !== undefined) inspect(part.tab === 'Bytes');
    if (part.tab !== 'Bytes') setShown((before) => ({ ...shownOf(before, family), ...part }));
  };
  const shown: TabState = inspecting ? { ...own, tab: 'Bytes' } : own;
  return { shown, change };
}

/** The state for `family`, which the terminal may have chosen, too; in another family nothing is selected. */
function shownOf(shown: TabState, family: number): TabState {
  return shown.of === family ? shown : { ...shown, of: family, selected: null, wish: null };
}

function OpenPage(props: Props) {
  const { lens, title, overview, work, onLeave, onDirectory, onBranch, dock } = props;
  const { hasFamilies } = useDirectory();
  const last = Math.max(overview.steps - 1, 0);
  const cursor = useStore(lens.cursor);
  const checks = useStore(lens.checks);
  const [before] = useState(checks);
  const [found, setFound] = useState<Checked | null>(null);
  const history = useHistory(overview.steps);
  const { shown, change } = useShown(props);
  const family = overview.families.find(({ id }) => id === cursor.family) ?? overview.families[0];
  const go = (part: Partial<Cursor>) => lens.cursor.update((before) => ({ ...before, ...part }));
  const { tab } = shown;
  const { problems } = overview;
  const hasChoice = hasFamilies && isAboutFamily(tab, shown.question.id);
  const views = (
    <div className="upper">
      <div className="lens-tabs in-row rigid line-below">
        <TabList {...{ overview, tab }} onTab={(next) => change({ tab: next })} />
        <small className="lens-promise dim clipped">
          Nothing is written, no byte leaves this page
        </small>
        <span className="spacer" />
        {family && hasChoice && (
          <FamilyPicker {...{ overview, family }} onFamily={(id) => go({ family: id })} />
        )}
      </div>
      <div
        id="lens-panel"
        className="lens-panel grows"
        // The focus comes here from the terminal.
        tabIndex={-1}
        role="tabpanel"
        aria-labelledby={`lens-tab-${tab}`}
      >
        {family === undefined ? (
          <p className="lens-note">{noneOf(overview)}</p>
        ) : (
          <Content
            {...{ lens, overview, work, family, shown, history, problems, found, onBranch }}
            step={cursor.step ?? last}
            change={change}
            onFamily={(id) => go({ family: id })}
            onStep={(step) => go({ step: step < last ? step : null })}
            onFound={setFound}
          />
        )}
      </div>
    </div>
  );
  return (
    <div className="lens in-column on-page">
      <LensHead
        overview={overview}
        name={title}
        isChecked={found !== null || checks > before}
        onProblems={() => change({ tab: 'Problems' })}
        onOther={() => {
          lens.close();
          onDirectory('');
        }}
        onLeave={onLeave}
      />
      <main className="lens-main in-column grows">{dock ? dock(views) : views}</main>
    </div>
  );
}

/** Why there is nothing to show. */
function noneOf(overview: Overview): string {
  if (isOfFiles(overview)) return 'There is no file.';
  return 'The manifest names no column family that is left.';
}

/** Whether the choice of a family changes anything of a view. */
function isAboutFamily(tab: LensTab, question: string): boolean {
  if (tab === 'Questions')
    return QUESTIONS.some(({ id, isAboutKeys }) => id === question && isAboutKeys);
  return tab !== 'Files' && tab !== 'Bytes';
}

interface ContentProps extends Pick<Props, 'lens' | 'overview' | 'work' | 'onBranch'> {
  family: FamilyLine;
  shown: TabState;
  step: number;
  history: ReturnType<typeof useHistory>;
  problems: readonly Problem[];
  found: Checked | null;
  change(part: Partial<TabState>): void;
  onFamily(family: number): void;
  onStep(step: number): void;
  onFound(found: Checked): void;
}

/** The actions of rows and findings. */
function waysOf({ lens, overview, family, change, onFamily, onStep }: ContentProps) {
  const idOf = (name?: string) =>
    overview.families.find((one) => one.name === name)?.id ?? family.id;
  const sizes = new Map(overview.files.map(({ name, bytes }) => [name, bytes]));
  const show = (address: string) => lens.place.update(() => ({ address }));
  const toBytes = (file: string) => show(`@${file}`);
  return {
    toBytes,
    toStep: (step: number, of?: string) => {
      change({ tab: 'Levels' });
      onFamily(idOf(of));
      onStep(step);
    },
    toTable: (number: number, of?: string) => {
      change({ tab: 'Levels', selected: `table:${number}`, of: idOf(of) });
      onFamily(idOf(of));
    },
    onBytes: ({ file, offset }: Problem) => {
      const bytes = sizes.get(file);
      if (bytes === undefined) return null;
      const isIn = offset !== null && offset < bytes;
      return () => show(isIn ? `@${file}/bytes:${offset}-${offset}` : `@${file}`);
    },
  };
}

function Content(props: ContentProps) {
  const { lens, overview, work, family, shown, step, history, problems, found, change } = props;
  const { onStep, onFound, onBranch } = props;
  const { files, manifest } = overview;
  const { toBytes, toStep, toTable, onBytes } = waysOf(props);
  switch (shown.tab) {
    case 'Levels':
      return (
        <LevelsTab
          {...{ overview, family, history, problems, step, onStep }}
          selected={shown.selected}
          onSelect={(selected) => change({ selected })}
          onCover={(key) => change({ tab: 'Questions', question: { id: 'cover', key } })}
          onBytes={toBytes}
          onScan={(from) => change({ tab: 'Read', wish: { way: 'scan', from } })}
        />
      );
    case 'Questions':
      return (
        <QuestionsTab
          {...{ lens, family }}
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
          {...{ family, overview }}
          wish={shown.wish}
          onTable={(number) => {
            toTable(number);
            onStep(overview.steps);
          }}
        />
      );
    case 'Problems':
      return (
        <ProblemsTab {...{ lens, family, work, problems, found, onFound, onBranch, onBytes }} />
      );
    case 'Files':
      return (
        <FilesTab
          {...{ files, problems, manifest }}
          isOfFiles={isOfFiles(overview)}
          onBytes={toBytes}
        >
          {overview.engine === 'levelscope' && onBranch && <AsBranch {...{ lens, onBranch }} />}
        </FilesTab>
      );
    case 'Bytes':
      return (
        <BytesTab
          {...{ files, problems }}
          place={lens.place}
          first={manifest ?? files[0]?.name ?? ''}
        />
      );
  }
}

interface TabListProps {
  overview: Overview;
  tab: LensTab;
  onTab(tab: LensTab): void;
}

function TabList({ overview, tab, onTab }: TabListProps) {
  const problems = overview.problems.length;
  return (
    <Tabs
      label="The directory"
      tabs={tabsOf(overview)}
      {...{ tab, onTab }}
      idOf={(name) => `lens-tab-${name}`}
      panelOf={() => 'lens-panel'}
    >
      {(name) => (
        <>
          {name}
          {name === 'Problems' && problems > 0 && <span className="lens-count">{problems}</span>}
        </>
      )}
    </Tabs>
  );
}
