import { wordOfText } from '../model/commandWords';
import type { OpenedState } from '../model/engine.generated';
import { messageOf } from '../model/failures';
import { inspect, type PageState, select } from '../model/page';
import { answersOf, commandBegins, commandEnds } from '../model/running';
import { counted } from '../model/words';
import type { ForeignFile } from '../share/foreign';
import { type Gathered, gather } from '../share/gather';
import { isLesson, type LessonControls } from './lessonControls';
import type { EnginePort } from './port';
import { isScript, type SharedControls } from './sharedControls';

/** What files need of the lab. */
interface Desk {
  readonly engine: Pick<EnginePort, 'openFiles'>;
  readonly lesson: Pick<LessonControls, 'play'>;
  readonly shared: Pick<SharedControls, 'look'>;
  note(style: 'bad' | 'dim', text: string): void;
  type(command: string): void;
  closeFull(): void;
  /** Makes a change of the page with the next frame. */
  enqueue(change: (page: PageState) => PageState): void;
}

/** Opens files that people give to the page. */
export class FileControls {
  constructor(private readonly desk: Desk) {}

  /** Opens the files that a person has dropped or chosen, and shows the first one. */
  readonly open = (gathering: Promise<Gathered>): Promise<void> =>
    this.telling(async () => {
      const { desk } = this;
      const files = await this.files(gathering);
      const [only] = files;
      if (only === undefined) return;
      if (files.length === 1 && isLesson(only)) return desk.lesson.play(only);
      if (files.length === 1 && isScript(only)) return desk.shared.look(only);
      const opened = await this.opened(files);
      const [first] = opened;
      desk.enqueue((page) => inspect(page, true));
      if (first) desk.enqueue((page) => select(page, opened.length === 1 ? first.id : null));
    });

  /** Makes the entries of a log a branch; the log itself does not stay open. */
  readonly importEntries = (log: File): Promise<void> =>
    this.telling(async () => {
      const files = await this.files(gather([{ path: log.name, file: log }]));
      const [opened] = await this.opened(files);
      if (opened === undefined) return;
      this.desk.closeFull();
      const word = wordOfText(opened.id);
      this.desk.type(`import ${word}; close ${word}`);
    });

  /** The files that came; says which were left out. */
  private async files(gathering: Promise<Gathered>): Promise<readonly ForeignFile[]> {
    const { files, leftOut } = await gathering;
    for (const sentence of leftOut) this.desk.note('bad', `${sentence}.`);
    if (files.length === 0) this.desk.note('dim', 'There was no file to open.');
    return files;
  }

  private async opened(files: readonly ForeignFile[]): Promise<readonly OpenedState[]> {
    const { desk } = this;
    if (files.length === 0) return [];
    desk.note('dim', `Opening ${counted(files.length, 'file')} …`);
    desk.enqueue((page) => commandBegins(page, 'open'));
    const { answers, error } = await desk.engine.openFiles(files);
    desk.enqueue((page) => commandEnds(page, answers));
    if (error) desk.note('bad', error.message);
    return answersOf(answers, 'opened').flatMap(({ files: known }) => known);
  }

  private async telling(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.desk.enqueue((page) => commandEnds(page, []));
      this.desk.note('bad', `Nothing was opened: ${messageOf(error)}`);
    }
  }
}
