import { memo, useRef } from 'react';
import type { SideShown } from '../../model/comparison';
import type { CompareSide } from '../../model/engine.generated';
import { count } from '../../model/words';
import { Stage } from '../Stage/Stage';
import { useFit } from '../shared/useFit';

interface Props {
  side: CompareSide;
  /** The step at the cursor. */
  step: number;
  /** The side at that step; `null` while its events are fetched. */
  shown: SideShown | null;
  /** The runs in each level, the most that either side has. */
  lanes: readonly number[];
}

/** Narrower pictures scroll sideways [px]. */
const WIDTH_MIN = 280;

/** The tree of one side at the cursor, with its sentence. Until its events arrive, the previous tree stays, marked as late. */
export const ComparedStage = memo(function ComparedStage({ side, step, shown, lanes }: Props) {
  const before = useRef<SideShown | null>(null);
  if (shown) before.current = shown;
  const drawn = shown ?? before.current;
  const options = side.options.map(({ name, value }) => `${name} ${value}`).join(', ');
  const sentence = shown ? (shown.event?.sentence ?? '') : 'The events of this step are fetched …';
  const host = useFit('--text', 12, sentence);
  return (
    <figure className="compare-picture in-column widens" aria-busy={shown === null}>
      <figcaption>
        <h2 title={options}>{side.title}</h2>
        <p ref={host} title={sentence}>
          <span className="dim">step {count(step)}</span> {sentence}
        </p>
      </figcaption>
      {drawn && (
        // Both pictures have the same objects, so nothing can be selected in them.
        <div className={shown ? 'compare-stage grows' : 'compare-stage grows late'} inert>
          <div className="compare-tree">
            <Stage page={{ ...drawn, selection: null }} lanes={lanes} widthMin={WIDTH_MIN} />
          </div>
        </div>
      )}
    </figure>
  );
});
