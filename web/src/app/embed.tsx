import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { shown } from '../model/shown';
import { embeddedLink } from '../share/embeddedLink';
import { Wrong } from '../views/Share/Wrong';
import { PageStage } from '../views/Stage/PageStage';
import { useKeys } from '../views/shared/useKeys';
import { useStore } from '../views/shared/useStore';
import { Narration } from '../views/Timeline/Narration';
import { TimelineBar } from '../views/Timeline/TimelineBar';
import { timeKeys } from './keys';
import { Lab } from './lab';
import { Offers } from './Offers';
import { connect } from './port';

const nothing = () => {};

/**
 * Runs the commands of a link in a frame of another page, with a database in memory, and shows picture and time only.
 * Returns `false` if this window is no such frame.
 */
export function showEmbedded(root: HTMLElement): boolean {
  const link = embeddedLink(window, window.location);
  if (link === null) return false;
  const { fragment, address } = link;
  document.title = 'Levelscope';
  // It neither reads nor stores data of the visitor.
  const lab = new Lab(connect(), null);
  void lab.reopen('memory');
  void lab.shared.follow(fragment).then(() => lab.shared.accept(true));
  createRoot(root).render(
    <StrictMode>
      <Embedded lab={lab} address={address} />
    </StrictMode>,
  );
  return true;
}

/** Picture, sentence and the controls of time. */
export function Embedded({ lab, address }: { lab: Lab; address: string }) {
  const page = shown(useStore(lab.calm));
  const live = shown(useStore(lab.store));
  const wrong = useStore(lab.shared.offered)?.wrong ?? [];
  useKeys(timeKeys(lab, { watch: nothing }), page.connection.state === 'open');
  return (
    <Offers lab={lab} page={page} why={nothing} closeFull={nothing} presents={null}>
      <main className="app embedded cuts">
        <h1 className="visually-hidden">Levelscope</h1>
        {wrong.length > 0 ? (
          <Wrong wrong={wrong} />
        ) : (
          <>
            <Narration page={page} isLow />
            <div className={`grows cuts line-above${page.isPast ? ' past' : ''}`}>
              <PageStage page={live} />
            </div>
            <TimelineBar page={page} isBare />
          </>
        )}
        <p className="embedded-origin rigid line-above">
          <a href={address} target="_blank" rel="noopener">
            Open in a tab
          </a>{' '}
          <span className="dim">Levelscope: a storage engine at work in this frame</span>
        </p>
      </main>
    </Offers>
  );
}
