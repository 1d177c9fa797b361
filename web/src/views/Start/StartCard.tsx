import './StartCard.css';

import type { Page } from '../../model/page';
import { useCommands } from '../shared/contexts';

interface Props {
  page: Pick<
    Page,
    'view' | 'connection' | 'inspecting' | 'experiment' | 'last' | 'begun' | 'isPast'
  >;
}

/** First commands, and what one sees of each. */
const FIRST = [
  { command: 'put apple red', shows: 'A log record, then an entry in the memtable.' },
  { command: 'fill 60 --words', shows: 'The memtable fills and rotates; flushes wait.' },
  { command: 'run', shows: 'Flushes write tables, compactions merge them.' },
];

/** What to try first, in the empty picture of a new database. */
export function StartCard({ page }: Props) {
  const { type } = useCommands();
  const isEmpty = page.view.lastSequence === 0 && page.last === page.begun && !page.isPast;
  if (page.connection.state !== 'open' || !isEmpty) return null;
  return (
    <section className="start-card" aria-label="Start">
      <h2>Put a key. Watch it fall.</h2>
      <p>Writes land in memory and in a log; tables sink from level to level.</p>
      <ol>
        {FIRST.map(({ command, shows }) => (
          <li key={command}>
            <button type="button" className="command" onClick={() => type(command)}>
              <code>{command}</code>
            </button>{' '}
            {shows}
          </li>
        ))}
      </ol>
      <p className="dim">
        → does the next step of what waits, ← goes back. Everything drawn is what the engine did.
      </p>
    </section>
  );
}
