import './Follow.css';

import { useCommands } from '../shared/contexts';

/** Names the followed key, and ends following. */
export function FollowChip({ followed }: { followed: string | null }) {
  const { type } = useCommands();
  if (followed === null) return null;
  return (
    <button
      type="button"
      className="chip follow-chip"
      aria-label={`Following ${followed}: stop`}
      title="Types “follow --off”"
      onClick={() => type('follow --off')}
    >
      ◆ <code>{followed}</code> ×
    </button>
  );
}
