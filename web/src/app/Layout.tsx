import type { ReactNode } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';

interface Props {
  /** Everything one below the other, for small windows. */
  stacked: boolean;
  stage: ReactNode;
  /** The picture shows the past: its frame says so. */
  isPast: boolean;
  inspector: ReactNode;
  story: ReactNode;
  terminal: ReactNode;
}

/** Where the parts of the Lab stand; only the dividers can be moved. */
export function Layout({ stacked, stage, isPast, inspector, story, terminal }: Props) {
  if (stacked) {
    return (
      <main className="stacked">
        <div className={isPast ? 'stacked-stage past' : 'stacked-stage'}>{stage}</div>
        {story}
        <div className="stacked-terminal">{terminal}</div>
        <div className="stacked-inspector">{inspector}</div>
      </main>
    );
  }
  return (
    <main className="work">
      <Group orientation="vertical">
        <Panel id="upper" defaultSize="74%" minSize="40%">
          <div className="upper">
            <div className="picture">
              <Group orientation="horizontal">
                <Panel id="stage-panel" defaultSize="71%" minSize="45%">
                  <div className={isPast ? 'frame past' : 'frame'}>{stage}</div>
                </Panel>
                <Separator className="divider" aria-label="Width of the inspector" />
                <Panel id="inspector-panel" defaultSize="29%" minSize="20%">
                  {inspector}
                </Panel>
              </Group>
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
