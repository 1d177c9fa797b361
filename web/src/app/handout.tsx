import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { messageOf } from '../model/failures';
import { type HandoutPlace, handoutAddress } from '../model/handout';
import { type Handout, HandoutView } from '../views/Handout/HandoutView';
import { playForPaper } from './handoutRun';
import { Lab } from './lab';
import { connect } from './port';

/** Shows a lesson for paper: it is played to its end in an engine of its own, in memory. */
export function showHandout(root: HTMLElement, place: HandoutPlace): void {
  // Paper is white.
  document.documentElement.dataset.theme = 'light';
  createRoot(root).render(<Window place={place} />);
}

function Window({ place }: { place: HandoutPlace }) {
  const played = useHandout(place.id);
  const [reader, setReader] = useState(place.reader);
  useEffect(() => {
    window.history.replaceState(null, '', handoutAddress({ id: place.id, reader }));
  }, [place.id, reader]);
  const { origin, pathname } = window.location;
  const link = `${origin}${pathname}#v1/l.${place.id}`;
  return <HandoutView {...played} reader={reader} link={link} onReader={setReader} />;
}

/** Plays the lesson once; `share`: how far it has come, from 0 to 1. */
function useHandout(id: string) {
  const [handout, setHandout] = useState<Handout | null>(null);
  const [share, setShare] = useState(0);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    const lab = new Lab(connect(), null);
    const play = async () => {
      await lab.reopen('memory');
      lab.settle();
      setHandout(await playForPaper(lab, id, setShare));
    };
    play().catch((error: unknown) => setFailure(messageOf(error)));
    return () => lab.dispose();
  }, [id]);
  return { handout, share, failure };
}
