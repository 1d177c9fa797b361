import type { Inline } from '../../model/engine.generated';
import type { Handout, HandoutReader, HandoutScene } from '../../model/handout';
import { counted } from '../../model/words';
import { QrCode } from '../Share/QrCode';
import { HandoutItem } from './HandoutItem';
import { PaperWords } from './PaperWords';

interface Props {
  /** `null` while it is being made. */
  handout: Handout | null;
  reader: HandoutReader;
  /** Where the lesson can be played. */
  link: string;
  /** How far it has come, from 0 to 1. */
  share: number;
  /** Why there is none. */
  failure: string | null;
  onReader(reader: HandoutReader): void;
}

/** A lesson on paper, and above it what only the screen shows. */
export function HandoutView(props: Props) {
  const { handout, reader, link, share, failure, onReader } = props;
  return (
    <>
      <section className="handout-tools" aria-label="How the handout is printed">
        {handout ? (
          <button type="button" className="command" onClick={() => window.print()}>
            Print
          </button>
        ) : (
          <p role="status">
            {failure ?? 'The lesson is played for its pictures …'}{' '}
            {failure === null && <progress aria-label="How far it has come" value={share} />}
          </p>
        )}
        <label>
          <input
            type="checkbox"
            checked={reader === 'teacher'}
            onChange={({ target }) => onReader(target.checked ? 'teacher' : 'learner')}
          />{' '}
          for the teacher: with answers, reasons and notes
        </label>
      </section>
      {handout && (
        <main className="handout" data-reader={reader}>
          <Head handout={handout} reader={reader} link={link} />
          {handout.scenes.map((scene, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the scenes of a lesson never change places
            <Scene key={index} scene={scene} handout={handout} reader={reader} />
          ))}
        </main>
      )}
    </>
  );
}

type Shown = Pick<Props, 'reader' | 'link'> & { handout: Handout };

function Head({ handout: { head }, reader, link }: Shown) {
  return (
    <div className="handout-head">
      <div>
        <h1>{head.title}</h1>
        <p>
          {counted(head.minutes, 'minute')}. After this lesson: {head.goal}
        </p>
        {reader === 'teacher' && head.source !== null && <p>Sources: {head.source}</p>}
        <p>
          Play it at <span className="handout-link">{link}</span>
        </p>
      </div>
      <QrCode text={link} />
      {reader === 'learner' && (
        <>
          <p className="handout-write">Name</p>
          <p className="handout-write">Date</p>
        </>
      )}
    </div>
  );
}

interface SceneProps extends Pick<Shown, 'handout' | 'reader'> {
  scene: HandoutScene;
}

function Scene({ scene: { title, items }, handout, reader }: SceneProps) {
  return (
    <section>
      {title.length > 0 && (
        <h2>
          <PaperWords prose={title as Inline[]} />
        </h2>
      )}
      {items.map((item) => (
        <HandoutItem
          key={item.number}
          item={item}
          picture={handout.pictures.get(item.number) ?? null}
          reader={reader}
        />
      ))}
    </section>
  );
}
