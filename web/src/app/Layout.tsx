import './Layout.css';

import { type ReactNode, useLayoutEffect, useRef } from 'react';
import {
  Group,
  type GroupImperativeHandle,
  Panel,
  Separator,
  type Layout as Shares,
} from 'react-resizable-panels';
import { Split } from '../views/shared/Split';
import { useSize } from '../views/shared/useSize';

/** The parts of the Lab, in any layout. */
export interface LayoutParts {
  stage: ReactNode;
  /** The picture shows the past, as its frame marks. */
  isPast: boolean;
  /** Takes the place of stage and inspector. */
  full: ReactNode | null;
  /** The side panel; `null` where it is hidden. */
  inspector: ReactNode | null;
  /** A column beside everything else; `null`: there is none. */
  column: ReactNode | null;
  /** The sentence of the step; `null` while it does not belong to the view on show. */
  narration: ReactNode | null;
  /** The controls of time; as the narration. */
  timeline: ReactNode | null;
  terminal: ReactNode;
}

interface Props extends LayoutParts {
  /** Height of the terminal [px]. */
  terminalHeight: number;
  /** The divider above the terminal was moved to this height [px]. */
  onTerminalHeight(height: number): void;
}

/** One line of the terminal and the space around it [px]. */
export const TERMINAL_LINE = 34;
const FIRST_SIZE = { width: 1280, height: 600 };
const SIZE_MIN = { width: 1, height: 100 };

/** The layout of the Lab: the sentence on top like a title, then the stage; only the dividers can be moved. */
export function Layout(props: Props) {
  const { narration, timeline, column } = props;
  // Every part keeps its place in the DOM when a column appears or disappears, so picture and terminal keep their state.
  return (
    <div className="beside grows">
      <main className="work widens">
        {narration}
        <Docked {...props}>
          <div className="upper">
            <div className="picture">
              <Picture {...props} />
            </div>
            {timeline}
          </div>
        </Docked>
      </main>
      {column !== null && <div className="column">{column}</div>}
    </div>
  );
}

interface DockedProps extends Pick<Props, 'terminal' | 'terminalHeight' | 'onTerminalHeight'> {
  children: ReactNode;
}

/** The terminal below everything else, with a divider. */
export function Docked({ children, terminal, terminalHeight, onTerminalHeight }: DockedProps) {
  const host = useRef<HTMLDivElement>(null);
  const heights = useRef<GroupImperativeHandle>(null);
  const { height } = useSize(host, FIRST_SIZE, SIZE_MIN);
  const share = Math.min((100 * terminalHeight) / height, 70);
  useLayoutEffect(() => {
    heights.current?.setLayout({ upper: 100 - share, 'terminal-panel': share });
  }, [share]);
  const onMoved = (shares: Shares) => {
    const moved = shares['terminal-panel'];
    if (moved !== undefined && Math.abs(moved - share) > 1) {
      onTerminalHeight(Math.round((moved * height) / 100));
    }
  };
  return (
    <div className="heights grows" ref={host}>
      <Group orientation="vertical" groupRef={heights} onLayoutChanged={onMoved}>
        <Panel id="upper" defaultSize={`${100 - share}%`} minSize="25%">
          {children}
        </Panel>
        <Separator className="divider" aria-label="Height of the terminal" />
        <Panel id="terminal-panel" defaultSize={`${share}%`} minSize="3%">
          {terminal}
        </Panel>
      </Group>
    </div>
  );
}

/** The stage with the side panel beside it, or the view that takes the place of both. */
function Picture({ stage, isPast, full, inspector }: Props) {
  const frame = isPast ? 'frame past' : 'frame';
  if (full !== null || inspector === null) return <div className={frame}>{full ?? stage}</div>;
  const picture = <div className={frame}>{stage}</div>;
  return <Split picture={picture} side={inspector} label="Width of the inspector" />;
}
