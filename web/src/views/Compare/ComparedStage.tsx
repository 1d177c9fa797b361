import { memo, useRef } from 'react';
import type { SideShown } from '../../model/comparison';
import type { DamageWords } from '../../model/damage';
import type { CompareSide } from '../../model/engine.generated';
import { count } from '../../model/words';
import { Stage } from '../Stage/Stage';

interface Props {
  side: CompareSide;
  /** The step at the cursor. */
  step: number;
  /** The side at that step; `null` while its events are fetched. */
  shown: SideShown | null;
}

const NO_DAMAGES: DamageWords = new Map();

/** The tree of one side at the cursor, with its sentence. Until its events are there it keeps the tree before, and says so. */
export const ComparedStage = memo(function ComparedStage({ side, step, shown }: Props) {
  const before = useRef<SideShown | null>(null);
  if (shown) before.current = shown;
  const drawn = shown ?? before.current;
  const options = side.options.map(({ name, value }) => `${name} ${value}`).join(', ');
  return (
    <figure className="compare-picture" aria-busy={shown === null}>
      <figcaption>
        <h2 title={options}>{side.title}</h2>
        <p>
          <span className="dim">step {count(step)}</span>{' '}
          {shown ? (shown.event?.sentence ?? '') : 'The events of this step are fetched …'}
        </p>
      </figcaption>
      {drawn && (
        // Both pictures have the same objects: they are looked at here, and selected on their branch.
        <div className={shown ? 'compare-stage' : 'compare-stage late'} inert>
          <Stage
            page={{
              view: drawn.view,
              writing: drawn.writing,
              fresh: drawn.fresh,
              selection: null,
              moved: null,
              reading: null,
            }}
            damages={NO_DAMAGES}
          />
        </div>
      )}
    </figure>
  );
});
