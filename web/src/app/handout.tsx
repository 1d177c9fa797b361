import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import {
  type Handout,
  type HandoutPicture,
  type HandoutPlace,
  handoutAddress,
} from '../model/handout';
import type { Page } from '../model/shown';
import { Easel, RECENT_QUERY, type Still } from '../views/Handout/Easel';
import { HandoutView } from '../views/Handout/HandoutView';
import { pictureWords } from '../views/Share/pictureWords';
import { SelectionProvider } from '../views/shared/contexts';
import { pictureText } from '../views/shared/pictureFile';
import { connect } from './connect';
import { playForPaper } from './handoutRun';
import { Lab } from './lab';
import { FIRST_OPENING } from './opening';

const nothing = () => {};
const NOTHING_SELECTED = { select: nothing };

/** Shows a lesson for paper: it is played to its end in an engine of its own, in memory. */
export function showHandout(root: HTMLElement, place: HandoutPlace): void {
  // Paper is white.
  document.documentElement.dataset.theme = 'light';
  createRoot(root).render(<Window place={place} />);
}

function Window({ place }: { place: HandoutPlace }) {
  const { handout, share, failure, still } = useHandout(place.id);
  const [reader, setReader] = useState(place.reader);
  useEffect(() => {
    window.history.replaceState(null, '', handoutAddress({ id: place.id, reader }));
  }, [place.id, reader]);
  const { origin, pathname } = window.location;
  return (
    <SelectionProvider value={NOTHING_SELECTED}>
      <HandoutView
        handout={handout}
        reader={reader}
        link={`${origin}${pathname}#v1/l.${place.id}`}
        share={share}
        failure={failure}
        onReader={setReader}
      />
      <Easel still={still} />
    </SelectionProvider>
  );
}

/** Plays the lesson once; `share`: how far it has come, from 0 to 1. */
function useHandout(id: string) {
  const [handout, setHandout] = useState<Handout | null>(null);
  const [share, setShare] = useState(0);
  const [failure, setFailure] = useState<string | null>(null);
  const [still, setStill] = useState<Still | null>(null);
  useEffect(() => {
    const lab = new Lab(connect(), null);
    const draw = async (page: Page): Promise<HandoutPicture> => {
      const recent = await lab.ask(RECENT_QUERY);
      flushSync(() => setStill({ page, recent }));
      const picture = document.querySelector<SVGSVGElement>('.handout-easel svg');
      const words = pictureWords(page);
      return { svg: picture ? pictureText(picture, words) : '', ...words };
    };
    const play = async () => {
      await lab.open({ ...FIRST_OPENING, storage: 'memory', takeOver: false });
      lab.settle();
      setHandout(await playForPaper(lab, id, draw, setShare));
      setStill(null);
    };
    play().catch((error: unknown) =>
      setFailure(error instanceof Error ? error.message : String(error)),
    );
    return () => lab.dispose();
  }, [id]);
  return { handout, share, failure, still };
}
