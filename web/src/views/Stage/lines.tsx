import { useTime } from '../shared/contexts';
import { Crumbs } from './Crumbs';
import { OpenedView } from './Opened';
import { PlumbLine } from './PlumbLine';
import { SweepLine } from './SweepLine';
import type { Scene } from './scene/stage';
import { REVEAL } from './scene/sweep';
import type { Tag } from './scene/tags';
import { textWidth } from './scene/text';

/** The lines of a merge and of a lookup. */
function Drawn({ scene: { sweep, plumb, rows } }: { scene: Scene }) {
  return (
    <>
      {sweep && <SweepLine sweep={sweep} unit={rows.unit} />}
      {plumb && <PlumbLine plumb={plumb} unit={rows.unit} />}
    </>
  );
}

/** In place of a result that is hidden. */
function Question({ scene: { plumb, sweep, rows } }: { scene: Scene }) {
  const asked = plumb?.marks.find(({ sign }) => sign === 'hidden')?.tag;
  const tag = asked ?? (sweep?.line?.verdict === 'hidden' ? sweep.line.tag : null);
  if (!tag) return null;
  const whole = textWidth(`${tag.text} ${REVEAL}`, rows.unit);
  return <Reveal tag={tag} unit={rows.unit} hasHint={tag === asked || tag.box.w > whole} />;
}

function Reveal({ tag, unit, hasHint }: { tag: Tag; unit: number; hasHint: boolean }) {
  const { reveal } = useTime();
  const { x: left, y: top, h: minHeight } = tag.box;
  return (
    <button
      type="button"
      className="stage-question card"
      style={{ left, top, minHeight, fontSize: unit }}
      onClick={reveal}
    >
      {tag.text}
      {hasHint && <small> {REVEAL}</small>}
    </button>
  );
}

/** For the pictures that have a lookup, a merge or an opened table. */
export const LINES = { Drawn, Question, OpenedView, Crumbs };
