import './Layout.css';

import { type ReactNode, useEffect, useRef } from 'react';
import { Group, type GroupImperativeHandle, Panel, Separator } from 'react-resizable-panels';

interface Props {
  /** Everything one below the other, for small windows. */
  stacked: boolean;
  stage: ReactNode;
  /** The picture shows the past: its frame says so. */
  isPast: boolean;
  /** Takes the place of stage and inspector. */
  full: ReactNode | null;
  inspector: ReactNode;
  /** Narration and timeline; `null` while neither belongs to the view on show. */
  story: ReactNode | null;
  terminal: ReactNode;
}

/** The layout of the Lab; only the dividers can be moved. */
export function Layout({ stacked, stage, full, isPast, inspector, story, terminal }: Props) {
  const heights = useRef<GroupImperativeHandle>(null);
  const isFull = full !== null;
  useEffect(() => {
    // A view in full width also gets more height; the layout is restored afterwards.
    const group = heights.current;
    if (!isFull || !group) return;
    const before = group.getLayout();
    group.setLayout({ upper: 86, 'terminal-panel': 14 });
    return () => {
      heights.current?.setLayout(before);
    };
  }, [isFull]);
  if (stacked) {
    return (
      <main className="stacked">
        <div className={isPast ? 'stacked-stage past' : 'stacked-stage'}>{full ?? stage}</div>
        {story}
        <div className="stacked-terminal">{terminal}</div>
        {full === null && <div className="stacked-inspector">{inspector}</div>}
      </main>
    );
  }
  return (
    <main className="work">
      <Group orientation="vertical" groupRef={heights}>
        <Panel id="upper" defaultSize="74%" minSize="40%">
          <div className="upper">
            <div className="picture">
              {full !== null ? (
                <div className={isPast ? 'frame past' : 'frame'}>{full}</div>
              ) : (
                <Group orientation="horizontal">
                  <Panel id="stage-panel" defaultSize="71%" minSize="45%">
                    <div className={isPast ? 'frame past' : 'frame'}>{stage}</div>
                  </Panel>
                  <Separator className="divider" aria-label="Width of the inspector" />
                  <Panel id="inspector-panel" defaultSize="29%" minSize="20%">
                    {inspector}
                  </Panel>
                </Group>
              )}
            </div>
            {story}
          </div>
        </Panel>
        <Separator className="divider" aria-label="Height of the terminal" />
        <Panel id="terminal-panel" defaultSize="26%" minSize="10%">
          {terminal}
        </Panel>
      </Group>
    </main>
  );
}
