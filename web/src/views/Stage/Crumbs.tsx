import { Fragment } from 'react';
import { useSelection, useViews } from '../shared/contexts';
import type { Opened } from './scene/opened';

/** The way from the tree to what is opened; each step leads back. */
export function Crumbs({ opened, unit }: { opened: Opened; unit: number }) {
  const { lookInside } = useViews();
  const { select } = useSelection();
  const { x: left, y: top } = opened.box;
  const style = { left, top, fontSize: unit };
  return (
    <nav className="crumbs" aria-label="The way to what is opened" style={style}>
      {opened.crumbs.map(({ text, opened: to, selected }, at) => (
        <Fragment key={text}>
          {at > 0 && <span aria-hidden="true">›</span>}
          <button
            type="button"
            aria-current={at === opened.crumbs.length - 1 ? 'location' : undefined}
            onClick={() => {
              lookInside(to);
              if (selected !== null) select(selected);
            }}
          >
            {text}
          </button>
        </Fragment>
      ))}
    </nav>
  );
}
