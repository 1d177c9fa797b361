import './Inspector.css';

import { type ReactNode, useId, useState } from 'react';
import { fileOfSelection } from '../../model/files';
import { readMoment } from '../../model/readMoment';
import { parseSelection, type Selection } from '../../model/selection';
import type { Page } from '../../model/shown';
import { revealedStops } from '../../model/verdicts';
import { ChartsTab } from '../Charts/ChartsTab';
import { FollowTab } from '../Follow/FollowTab';
import { NowTab } from '../Now/NowTab';
import { ReadTab } from '../Read/ReadTab';
import { Commands } from '../shared/Facts';
import { Tabs } from '../shared/Tabs';
import { BytesTab, ToBytes } from './BytesTab';
import { SelectedTab } from './SelectedTab';
import { StatsTab } from './StatsTab';
import { WhyTab } from './WhyTab';

interface Props {
  page: Page;
  /** Grows with each press of Why? */
  whyAsked: number;
}

type Panel = (page: Page, selection: Selection | null) => ReactNode;

/** The content of each tab. */
const PANELS = {
  Now: (page) => <NowTab page={page} />,
  Selected: (page, selection) => (
    <>
      <SelectedTab page={page} selection={selection} />
      {fileOfSelection(selection, page.view) !== null && <ToBytes words="Every byte of its file" />}
      <BreakOn selection={selection} />
    </>
  ),
  Follow: () => <FollowTab />,
  Bytes: (page, selection) => <BytesTab page={page} selection={selection} />,
  Read(page) {
    const { readPath } = page;
    const isOnStage = readPath?.read === page.reading;
    return (
      <ReadTab
        read={readPath?.read ?? null}
        moment={readPath && readMoment(readPath, page)}
        at={isOnStage ? page.readingStop : null}
        revealed={isOnStage ? revealedStops(page) : null}
      />
    );
  },
  Why: (page) => <WhyTab page={page} />,
  Charts: (page) => <ChartsTab page={page} />,
  Stats: () => <StatsTab />,
} satisfies Record<string, Panel>;

type Tab = keyof typeof PANELS;
const TABS = Object.keys(PANELS) as Tab[];

/** The facts about the selected object, the last explained read, and the figures. */
export function Inspector(props: Props) {
  const { page, whyAsked } = props;
  const [tab, setTab] = useState<Tab>(page.selection === null ? 'Now' : 'Selected');
  const base = useId();
  const { readPath } = page;
  // A newly explained read switches to its tab, also where the stage has no room for it.
  if (useHasChanged(readPath) && readPath) setTab('Read');
  const { followed } = page;
  const tabs = TABS.filter((name) => name !== 'Follow' || followed !== null);
  if (useHasChanged(followed)) {
    if (followed !== null) setTab('Follow');
    else if (tab === 'Follow') setTab('Now');
  }
  if (useHasChanged(page.selection)) {
    // A clicked object opens the tab Selected, except from Bytes and Follow.
    if (page.selection !== null && tab !== 'Bytes' && tab !== 'Follow') setTab('Selected');
    if (page.selection === null && tab === 'Selected') setTab('Now');
  }
  if (useHasChanged(whyAsked)) setTab('Why');
  const selection = page.selection === null ? null : parseSelection(page.selection);
  return (
    <aside className="inspector in-column" aria-label="Inspector">
      <Tabs
        label="Inspector"
        {...{ tabs, tab }}
        onTab={(name) => setTab(name)}
        idOf={(name) => `${base}-${name}`}
        panelOf={() => `${base}-panel`}
      />
      <div
        className="panel grows"
        role="tabpanel"
        id={`${base}-panel`}
        aria-labelledby={`${base}-${tab}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel that scrolls must be reachable by keyboard
        tabIndex={0}
      >
        {PANELS[tab](page, selection)}
      </div>
    </aside>
  );
}

/** Whether a value has changed since the last render. */
function useHasChanged(value: unknown): boolean {
  const [drawn, setDrawn] = useState(value);
  if (drawn === value) return false;
  setDrawn(value);
  return true;
}

/** The breakpoint on the selected object. */
function BreakOn({ selection }: { selection: Selection | null }) {
  if (!selection || !['table', 'wal', 'level'].includes(selection.kind)) return null;
  return <Commands lines={[`break on ${selection.kind} ${selection.number}`]} />;
}
