import type { RecentWrites } from '../../model/engine.generated';
import type { Page } from '../../model/shown';
import { Stage } from '../Stage/Stage';
import { RECENT_MAX } from '../Stage/scene/memory';

/** Asks for the entries that the picture names. */
export const RECENT_QUERY = { ask: 'recent', limit: RECENT_MAX } as const;

const NO_DAMAGES = new Map<string, never>();
const NOTHING_NEW = { selection: null, fresh: new Set<string>(), moved: null };

/** A moment that is drawn for paper. */
export interface Still {
  page: Page;
  recent: readonly RecentWrites[];
}

/** Where pictures for paper are drawn, out of sight, in its width: nothing in them is new or moves. */
export function Easel({ still }: { still: Still | null }) {
  if (still === null) return <div className="handout-easel" />;
  const { view, writing, reading } = still.page;
  return (
    <div className="handout-easel" aria-hidden="true">
      <Stage
        page={{ view, writing, reading, ...NOTHING_NEW }}
        damages={NO_DAMAGES}
        recent={still.recent}
      />
    </div>
  );
}
