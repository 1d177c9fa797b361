import { messageOf } from '../model/failures';
import type { PageState } from '../model/page';
import { commandBegins, commandEnds } from '../model/running';
import { counted } from '../model/words';
import type { Listed } from '../share/entries';
import type { ForeignFile } from '../share/foreign';
import { isLesson, type LessonControls } from './lessonControls';
import type { EnginePort } from './port';
import type { SharedControls } from './sharedControls';

/** The lab's services for files. */
interface Desk {
  readonly engine: Pick<EnginePort, 'importFiles'>;
  readonly lesson: Pick<LessonControls, 'play'>;
  readonly shared: Pick<SharedControls, 'look'>;
  note(style: 'bad' | 'dim', text: string): void;
  closeFull(): void;
  /** Makes a change of the page with the next frame. */
  enqueue(change: (page: PageState) => PageState): void;
}

/** Opens dropped and chosen files. */
export class FileControls {
  constructor(private readonly desk: Desk) {}

  /** Plays a lesson or a script. */
  readonly play = ({ path, file }: Listed): Promise<void> =>
    this.reporting(async () => {
      const { desk } = this;
      const played = { name: path, bytes: new Uint8Array(await file.arrayBuffer()) };
      if (isLesson(played)) await desk.lesson.play(played);
      else desk.shared.look(played);
    });

  /** Makes a branch of the files of a database, or of a log of entries. */
  readonly importFiles = (files: readonly ForeignFile[]): Promise<void> =>
    this.reporting(async () => {
      const { desk } = this;
      desk.note('dim', `Opening ${counted(files.length, 'file')} as a branch …`);
      desk.closeFull();
      desk.enqueue((page) => commandBegins(page, 'import'));
      const { answers, error } = await desk.engine.importFiles(files);
      desk.enqueue((page) => commandEnds(page, answers));
      if (error) desk.note('bad', error.message);
    });

  private async reporting(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.desk.enqueue((page) => commandEnds(page, []));
      this.desk.note('bad', `Nothing was opened: ${messageOf(error)}`);
    }
  }
}
