import '../Header/Notice.css';

import type { Page } from '../../model/shown';
import { waysOn } from '../../model/unopened';
import { Command } from '../shared/Facts';

/** In place of the picture where no database is open: why, and the ways on. */
export function Unopened({ page }: { page: Page }) {
  return (
    <div className="page-stage placed with-card" id="stage" tabIndex={-1}>
      <section className="notice-card" aria-label="No database is open">
        <p className="cause">{page.unopened}</p>
        {waysOn(page).map(({ line, does }) => (
          <p key={line}>
            <Command line={line} /> {does}
          </p>
        ))}
      </section>
    </div>
  );
}
