import type { LessonState, Message } from '../model/engine.generated';
import { keep, keptIn, type LineStore } from '../model/kept';
import { type LessonPlace, lessonLink, lessonPlace, sceneAt } from '../model/lessonLink';
import { lessonAfter, lessonWaiting } from '../model/lessons';
import { type Progress, readProgress, withoutLesson, withState } from '../model/progress';
import { questionsAgain, type Recap } from '../model/recap';
import { createStore, type Store } from '../model/store';
import type { ForeignFile } from '../share/foreign';
import type { Lab } from './lab';

const STORE = 'levelscope.progress';

/** The lab's services for lessons. */
type Desk = Pick<Lab, 'store' | 'engine' | 'terminal' | 'type' | 'go'>;

/** Whether a file is a text that may be played. */
export function isLesson({ name }: ForeignFile): boolean {
  return /\.(md|markdown)$/i.test(name);
}

/** Leads through a lesson, and remembers in this browser how far one came. */
export class LessonControls {
  readonly progress: Store<Progress>;
  /** Whether the progress outlives the page. */
  readonly isKept = createStore(true);
  /** The questions of earlier lessons that are asked next, and the lesson after which they are. */
  readonly recap = createStore<Recap>({ questions: [], after: '' });
  /** Whether the inspector has the place of the lesson. */
  readonly inspects = createStore(false);
  /** Where a link leads, until the page is there. */
  private wanted: LessonPlace | null = null;
  /** Whether the database at work is that of a lesson. */
  isOn = false;

  constructor(
    private readonly desk: Desk,
    private readonly kept: Pick<LineStore, 'getItem' | 'setItem'> | null,
  ) {
    this.isKept.update(() => kept !== null);
    this.progress = createStore(readProgress(keptIn(kept, STORE)));
    this.remind();
  }

  hear(message: Message): void {
    if (message.type === 'entered') {
      this.isOn = message.lesson;
      if (!message.lesson) this.inspect(false);
    }
    if (message.type === 'opened' && this.wanted) this.begin(this.wanted);
    if (message.type !== 'lesson' || message.lesson === null) return;
    const { lesson } = message;
    this.goOnTo(lesson);
    // How far one came in what a stranger has written is not kept.
    if (lesson.kind === 'script') return;
    this.progress.update((progress) => withState(progress, lesson));
    if (lesson.kind === 'lesson') this.plan(lesson);
    this.save();
  }

  /** Follows a link to a scene of a lesson, once the database is open; whether it is one. */
  readonly follow = (fragment: string): boolean => {
    this.wanted = lessonPlace(fragment);
    const { state } = this.desk.store.get().connection;
    if (this.wanted && state === 'open') this.begin(this.wanted);
    return this.wanted !== null;
  };

  /** Puts a link to the scene on show into the clipboard, and into the terminal. */
  readonly copyLink = async (): Promise<void> => {
    const { lesson } = this.desk.store.get();
    const link = lesson && lessonLink(lesson);
    if (!link) return;
    const { origin, pathname } = window.location;
    const address = `${origin}${pathname}#${link}`;
    let message = `Link to this scene: ${address}`;
    try {
      await navigator.clipboard.writeText(address);
      message = `Copied: ${address}`;
    } catch {
      // It can be copied from the terminal.
    }
    this.desk.terminal.note('dim', message);
  };

  private begin({ id }: LessonPlace): void {
    this.type(`lesson start ${id}`);
  }

  /** The lesson of a link has begun: its scenes are known now. */
  private goOnTo({ head, kind, scenes }: LessonState): void {
    if (kind !== 'lesson' || head.id !== this.wanted?.id) return;
    const at = sceneAt(scenes, this.wanted.scene);
    this.wanted = null;
    if (at !== null && at > 0) this.type(`lesson start ${head.id} --at ${at}`);
  }

  /** Goes on by one: a line is typed, a scene is turned; what waits for an answer waits on. */
  readonly next = (): void => {
    const { lesson, busy } = this.desk.store.get();
    if (lesson === null || busy !== null) return;
    // The lesson's view comes first.
    if (this.inspects.get()) {
      this.inspect(false);
      return;
    }
    const { waits, strayed } = lesson;
    if (strayed) this.type('lesson back');
    else if (waits.until === 'typed') this.type(isForeign(lesson) ? 'next' : waits.line);
    else if (waits.until === 'read') this.type('next');
    // A key too many must not drop the database of a link.
    else if (waits.until === 'over' && lesson.kind !== 'script') this.goOn(lesson);
  };

  /**
   * As {@link next}, by the key of a clicker; true if a lesson took it. Before an audience a question goes on
   * without an answer; a task leaves the key to the steps of the work.
   */
  turn(isPresented: boolean): boolean {
    const { lesson, busy } = this.desk.store.get();
    if (lesson === null) return false;
    const { until } = lesson.waits;
    if (until === 'done' && !lesson.strayed) return false;
    if (until === 'answered' && !isPresented) return false;
    if (until === 'answered' && busy === null) this.type('answer ?');
    else this.next();
    return true;
  }

  /** Shows the inspector in the place of the lesson, or the lesson again. */
  readonly inspect = (inspects: boolean): void => this.inspects.update(() => inspects);

  /** After a lesson comes the one that follows it, and after the last one the visitor's own database. */
  private goOn(lesson: LessonState): void {
    const { head, kind } = lesson;
    const { questions, after } = this.recap.get();
    const [question, ...others] = questions;
    if (question) {
      this.recap.update(() => ({ questions: others, after }));
      this.type(`lesson recap ${question.lesson} ${question.name}`);
      return;
    }
    const next = isForeign(lesson) ? null : lessonAfter(kind === 'recap' ? after : head.id);
    if (next) this.start(next.id);
    else this.type('leave');
  }

  /** At the end of a lesson, questions of earlier ones are asked again. */
  private plan({ head, waits }: LessonState): void {
    const { id: after } = head;
    const isOver = waits.until === 'over';
    const questions = isOver ? questionsAgain(this.progress.get(), after) : [];
    this.recap.update(() => ({ questions, after }));
  }

  /** Starts a lesson where it was left, or at its beginning. */
  readonly start = (id: string): void => {
    const known = this.progress.get()[id];
    const at = known && !known.done && known.at > 0 ? ` --at ${known.at}` : '';
    this.type(`lesson start ${id}${at}`);
  };

  /** Plays the lesson in a file, or prints its mistakes, line by line. */
  readonly play = async ({ name, bytes }: ForeignFile): Promise<void> => {
    const text = new TextDecoder().decode(bytes);
    const { error } = await this.desk.engine.ask({ type: 'lesson', name, text });
    for (const wrong of error?.message.split('\n') ?? []) this.desk.terminal.note('bad', wrong);
  };

  /** Forgets how far one came in a lesson; `null`: in all of them. */
  readonly forget = (id: string | null): void => {
    this.progress.update((progress) => (id === null ? {} : withoutLesson(progress, id)));
    this.save();
  };

  /** A lesson goes on now, wherever the page looks. */
  private type(command: string): void {
    if (this.desk.store.get().cursor !== null) this.desk.go({ to: 'now' }, 'jump');
    this.desk.type(command);
  }

  /** A visitor who comes back learns that a lesson waits. */
  private remind(): void {
    const lesson = lessonWaiting(this.progress.get());
    if (!lesson) return;
    const text = `Lesson ${lesson.number}, ${lesson.title}, is not finished: Lessons in the header goes on with it.`;
    this.desk.terminal.note('dim', text);
  }

  /** Where it cannot be kept, it lasts until the page is closed, as the list of lessons shows. */
  private save(): void {
    this.isKept.update(() => keep(this.kept, STORE, this.progress.get()));
  }
}

/** Whether its lines were written by others: they do not enter the history of what the visitor has typed. */
function isForeign({ kind }: LessonState): boolean {
  return kind === 'script' || kind === 'read';
}
