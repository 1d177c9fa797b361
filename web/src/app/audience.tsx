import { Component, type ReactNode, StrictMode, useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { narrated } from '../model/narration';
import type { Page } from '../model/shown';
import { KEYS } from '../present/keys';
import type { LessonShown } from '../present/lessonShown';
import type { Typed } from '../present/typedShown';
import { BytesView } from '../views/Bytes/BytesView';
import { Following } from '../views/Follow/following';
import { LabsView } from '../views/Labs/LabsView';
import { AudienceLesson } from '../views/Present/AudienceLesson';
import { Spot } from '../views/Present/Spot';
import { QrCode } from '../views/Share/QrCode';
import { PageStage } from '../views/Stage/PageStage';
import { Provided } from '../views/shared/contexts';
import { useKeyDown } from '../views/shared/useKeyDown';
import { zoomed } from '../views/shared/usePageScale';
import { useStore } from '../views/shared/useStore';
import { AudienceScreen } from './audienceScreen';
import { audienceScale } from './preferences';
import { useWindowSize } from './useRoom';
import { useWakeLock } from './useWakeLock';

/** Shows the audience's window of the presentation `id` in `root`. It starts no engine and opens no file. */
export function showAudience(root: HTMLElement, id: string): void {
  document.title = 'Levelscope: for the audience';
  const screen = new AudienceScreen(id, window);
  createRoot(root).render(
    <StrictMode>
      <Audience screen={screen} />
    </StrictMode>,
  );
}

/** The room's view: the sentence, the picture, and the question of a lesson; nothing to press. */
export function Audience({ screen }: { screen: AudienceScreen }) {
  const { page, moment, lesson, typed, look, isAway, isOver } = useStore(screen.store);
  useLayoutEffect(() => {
    document.documentElement.dataset.theme = look.theme;
  }, [look.theme]);
  useKeyDown((event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !KEYS.test(event.key)) return;
    event.preventDefault();
    screen.press(event.key);
  });
  useWakeLock(page !== null);
  const scale = useHallScale(look.scale);
  if (page === null) return <Waiting isOver={isOver} />;
  if (look.black) return <main className="audience black" aria-label="Nothing is shown" />;
  return (
    <Provided questions={screen} moment={moment}>
      <main className={classOf(lesson)} style={zoomed(scale)}>
        <h1 className="visually-hidden">Levelscope</h1>
        {!lesson?.question && (
          <Shield moment={moment} instead={null}>
            <Sentence page={page} />
          </Shield>
        )}
        {lesson && <AudienceLesson lesson={lesson} />}
        <div className="audience-picture grows cuts line-above" inert>
          <Shield moment={`${moment} ${page.experiment}`} instead={NOT_DRAWN}>
            <Following followed={page.followed}>
              <Picture page={page} />
            </Following>
          </Shield>
        </div>
        {typed && <TypedLines typed={typed} />}
        {isAway && (
          <p className="audience-away rigid" role="status">
            The presenter’s window is closed.
          </p>
        )}
        {look.code !== null && <Copy link={look.code} />}
        {look.spotlight && page.selection && <Spot page={page} selection={page.selection} />}
      </main>
    </Provided>
  );
}

function classOf(lesson: LessonShown | null): string {
  const question = lesson?.question;
  const asks = question ? (question.revealed ? ' reveals' : ' asks') : '';
  return `app presented audience${asks}`;
}

/** A command that the picture does not show, and its answer. */
function TypedLines({ typed: { command, lines } }: { typed: Typed }) {
  return (
    <section className="audience-typed rigid cuts on-page" aria-label="What was typed">
      <pre className="bare mono">{[`lsm> ${command}`, ...lines].join('\n')}</pre>
    </section>
  );
}

/** The QR code of the same lesson. */
function Copy({ link }: { link: string }) {
  return (
    <section className="audience-code in-row in-column" aria-label="This lesson on your own device">
      <QrCode text={link} />
      <p className="bare breaks mono">{link}</p>
    </section>
  );
}

function Waiting({ isOver }: { isOver: boolean }) {
  return (
    <main className="audience waiting">
      <h1>Levelscope</h1>
      <p>{isOver ? 'The presentation is over.' : 'Waiting for the presenter’s window …'}</p>
      <p>
        <a href="./">Open Levelscope in this window</a>
      </p>
    </main>
  );
}

function Sentence({ page }: { page: Page }) {
  const { name, sentence } = narrated(page);
  return (
    <p className={page.isPast ? 'audience-sentence rigid past' : 'audience-sentence rigid'}>
      <b>{name}</b> {sentence ?? 'Nothing has happened yet.'}
    </p>
  );
}

const NOT_DRAWN = <p className="dim">This cannot be drawn here; the next step can.</p>;

interface ShieldProps {
  moment: string;
  children: ReactNode;
  /** Stands for the children after a failure. */
  instead: ReactNode;
}

/** Limits a failure to a part of the window, until the next message. */
class Shield extends Component<ShieldProps, { failed: string | null }> {
  override state = { failed: null as string | null };

  static getDerivedStateFromError(): { failed: string } {
    return { failed: '' };
  }

  override componentDidUpdate(before: { moment: string }): void {
    if (this.state.failed !== null && before.moment !== this.props.moment)
      this.setState({ failed: null });
  }

  override render(): ReactNode {
    return this.state.failed === null ? this.props.children : this.props.instead;
  }
}

function Picture({ page }: { page: Page }) {
  if (page.experiment !== null) return <LabsView page={page} lab={page.experiment} />;
  if (page.inspecting) return <BytesView page={page} asTable={false} />;
  return <PageStage page={page} />;
}

/** The scale of the hall, at the present size of the window. */
function useHallScale(preferred: number): number {
  const [innerWidth, innerHeight] = useWindowSize();
  return audienceScale(preferred, { innerWidth, innerHeight });
}
