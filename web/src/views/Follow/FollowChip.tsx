import './Follow.css';

import { Quiet } from '../shared/buttons';
import { useCommands } from '../shared/contexts';

/** Names the followed key on the stage, and ends following. */
export function FollowChip({ followed }: { followed: string | null }) {
  const { type } = useCommands();
  if (followed === null) return null;
  return (
    <Quiet
      className="follow-chip"
      aria-label={`Following ${followed}: stop`}
      title="Types “follow --off”"
      onClick={() => type('follow --off')}
    >
      ◆ <code>{followed}</code> ×
    </Quiet>
  );
}
