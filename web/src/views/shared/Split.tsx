import type { ReactNode } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';

interface Props {
  picture: ReactNode;
  /** In the side panel; `null`: there is none. */
  side: ReactNode;
  /** Whether it stands below the picture. */
  isNarrow?: boolean;
  label: string;
}

/** A picture with the side panel beside it, and a divider that can be moved. */
export function Split({ picture, side, isNarrow = false, label }: Props) {
  return (
    <Group orientation={isNarrow ? 'vertical' : 'horizontal'}>
      <Panel id="stage-panel" defaultSize="73%" minSize="45%">
        {picture}
      </Panel>
      {side !== null && (
        <>
          <Separator className="divider" aria-label={label} />
          <Panel id="inspector-panel" defaultSize="27%" minSize="18%">
            {side}
          </Panel>
        </>
      )}
    </Group>
  );
}
