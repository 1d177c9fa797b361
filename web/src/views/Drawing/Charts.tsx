import type { ComponentProps } from 'react';
import { Lazy } from '../shared/Lazy';
import { lazyPart } from '../shared/lazyPart';
import type { Drawing } from './Drawing';

/** The part of the page that draws charts. */
const drawing = lazyPart(() => import('./Drawing'));

/** Charts, one below the other; their titles differ. */
export function Charts({ charts }: { charts: readonly ComponentProps<typeof Drawing>[] }) {
  return (
    <Lazy part={drawing} name="charts">
      {({ Drawing }) => charts.map((chart) => <Drawing key={chart.picture.title} {...chart} />)}
    </Lazy>
  );
}
