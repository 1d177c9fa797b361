import { useMemo } from 'react';
import type { Inline, LessonItem, LessonState, RecentWrites } from '../../model/engine.generated';
import type { HandoutReader } from '../../model/handout';
import type { Page } from '../../model/shown';
import { counted } from '../../model/words';
import { Item } from '../Lesson/LessonColumn';
import { Words } from '../Lesson/Words';
import { QrCode } from '../Share/QrCode';
import { LINES } from '../Stage/lines';
import { Stage } from '../Stage/Stage';
import type { Contents } from '../Stage/scene/contents';
import { lookupPart } from '../Stage/scene/plumb';
import { Action } from '../shared/buttons';
import { NOTHING, Provided } from '../shared/contexts';
import type { PictureWords } from '../shared/pictureFile';

/** The tree at one moment. */
export interface Still {
  page: Page;
  recent: readonly RecentWrites[];
  contents: Contents;
  words: PictureWords;
}

export interface HandoutScene {
  title: readonly Inline[];
  /** Its parts; questions with the engine's answers. */
  items: readonly LessonItem[];
}

/** A lesson that was played to its end. */
export interface Handout {
  lesson: LessonState;
  scenes: readonly HandoutScene[];
  /** The picture after each part with commands that changed it, by the number of the part. */
  pictures: ReadonlyMap<number, Still | null>;
}

interface Props {
  /** `null` while it is being made. */
  handout: Handout | null;
  reader: HandoutReader;
  /** The address of the lesson. */
  link: string;
  /** The progress of playing it, from 0 to 1. */
  share: number;
  /** Why the handout failed. */
  failure: string | null;
  onReader(reader: HandoutReader): void;
}

const LESSONS = { ...NOTHING, presents: true };
const NOTHING_NEW = { selection: null, fresh: new Set<string>(), moved: null };

/** A lesson on paper, and above it what only the screen shows. */
export function HandoutView({ handout, reader, link, share, failure, onReader }: Props) {
  return (
    <>
      <section className="handout-tools" aria-label="How the handout is printed">
        {handout ? (
          <Action onClick={() => window.print()}>Print</Action>
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
        <Provided lessons={LESSONS}>
          <main className={`lesson-scene grows handout ${reader}`}>
            <Head head={handout.lesson.head} reader={reader} link={link} />
            <Scenes handout={handout} reader={reader} />
          </main>
        </Provided>
      )}
    </>
  );
}

type HeadProps = Pick<Props, 'reader' | 'link'> & Pick<LessonState, 'head'>;

function Head({ head, reader, link }: HeadProps) {
  return (
    <div className="handout-head">
      <div>
        <h1>{head.title}</h1>
        <p>
          {counted(head.minutes, 'minute')}. After this lesson: {head.goal}
        </p>
        {reader === 'teacher' && head.source !== null && <p>Sources: {head.source}</p>}
        <p>
          Play it at <code>{link}</code>
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

/** The parts as the lesson beside the picture has them, each with the tree after its commands. */
function Scenes({ handout, reader }: { handout: Handout; reader: HandoutReader }) {
  const { lesson, scenes, pictures } = handout;
  return scenes.map(({ title, items }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the scenes of a lesson never change places
    <section key={index}>
      {title.length > 0 && <Words prose={title} as="h2" />}
      {items.map((item) => {
        const still = pictures.get(item.number);
        return (
          <div key={item.number} className={`handout-${item.what.is}`}>
            <Item item={forPaper(item, reader)} lesson={lesson} />
            {still && <Figure still={still} />}
          </div>
        );
      })}
    </section>
  ));
}

/** A part with the engine's answers for a teacher, without any for a learner. */
function forPaper(item: LessonItem, reader: HandoutReader): LessonItem {
  const { what } = item;
  const isTeacher = reader === 'teacher';
  if (what.is === 'ask')
    return isTeacher ? item : { ...item, what: { ...what, given: null, revealed: null } };
  if (what.is !== 'try') return item;
  const solution = isTeacher ? what.solution : [];
  return { ...item, what: { ...what, outcome: null, missing: [], hints: [], solution } };
}

/** The picture with the sentence of its step: nothing in it is new or moves. */
function Figure({ still: { page, recent, contents, words } }: { still: Still }) {
  const { view, writing, reading: read } = page;
  const lookup = useMemo(
    () => read && lookupPart({ read, at: read.stops.length, isHidden: false }),
    [read],
  );
  return (
    <figure>
      <div role="img" aria-label={`The tree: ${words.description}`}>
        <div inert>
          <Stage
            page={{ view, writing, ...NOTHING_NEW }}
            lookup={lookup}
            lines={LINES}
            recent={recent}
            contents={contents}
            moves={null}
          />
        </div>
      </div>
      <figcaption>{words.title}</figcaption>
    </figure>
  );
}
