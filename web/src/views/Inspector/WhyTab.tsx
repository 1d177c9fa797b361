import { useMemo } from 'react';
import { historyOf, type Page } from '../../model/page';
import { causes } from '../../model/timelineWalk';
import { TextLink } from '../shared/buttons';
import { useTime } from '../shared/contexts';
import { Commands } from '../shared/Facts';

/** The chain of causes of the event on show. */
export function WhyTab({ page }: { page: Page }) {
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
        {[event, ...chain.events].map((link) => (
          <li key={link.step} aria-current={link === event ? 'step' : undefined}>
            {link !== event && <span className="dim">because of </span>}
            <TextLink onClick={() => go(link.step)}>step {link.step}</TextLink>
            <p>{link.sentence}</p>
          </li>
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
      <Commands lines={[`why ${event.step}`]} />
    </>
  );
}
