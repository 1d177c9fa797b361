import { useMemo } from 'react';
import type { WireEvent } from '../../model/engine.generated';
import { historyOf, type Page } from '../../model/page';
import { causes } from '../../model/timelineWalk';
import { TextLink } from '../shared/buttons';
import { useTime } from '../shared/contexts';
import { Command } from '../shared/Facts';

interface Props {
  page: Pick<Page, 'event' | 'histories' | 'branch' | 'place'>;
}

/** The chain of causes of the event on show. */
export function WhyTab({ page }: Props) {
  const { go } = useTime();
  const { event } = page;
  const { timeline } = historyOf(page);
  const chain = useMemo(
    () => (event ? causes(timeline, event) : { events: [], missing: null }),
    [timeline, event],
  );
  if (!event) return <p>{page.place.step > 0 ? '…' : 'Nothing has happened yet.'}</p>;
  return (
    <>
      <h2>
        Why? <small>step {event.step}</small>
      </h2>
      <ol className="why">
        <Link event={event} isFirst />
        {chain.events.map((cause) => (
          <Link key={cause.step} event={cause} isFirst={false} />
        ))}
      </ol>
      {chain.missing && (
        <p className="dim">
          Earlier causes lie in steps that the page has let go of:{' '}
          <TextLink onClick={() => chain.missing && go(chain.missing.to)}>
            step {chain.missing.to}
          </TextLink>
        </p>
      )}
      <div className="commands">
        <Command line={`why ${event.step}`} />
      </div>
    </>
  );
}

interface LinkProps {
  event: WireEvent;
  isFirst: boolean;
}

function Link({ event, isFirst }: LinkProps) {
  const { go } = useTime();
  return (
    <li>
      {!isFirst && <span className="dim">because of </span>}
      <TextLink onClick={() => go(event.step)}>step {event.step}</TextLink>
      <p>{event.sentence}</p>
    </li>
  );
}
