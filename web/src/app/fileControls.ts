import { messageOf } from '../model/failures';
import { counted } from '../model/words';
import type { Listed } from '../share/entries';
import type { ForeignFile } from '../share/foreign';
import { isLesson, type LessonControls } from './lessonControls';
import type { EnginePort, Outcome } from './port';
import type { SharedControls } from './sharedControls';

/** The lab's services for files. */
interface Desk {
  readonly engine: Pick<EnginePort, 'importFiles'>;
  readonly lesson: Pick<LessonControls, 'play'>;
  readonly shared: Pick<SharedControls, 'look'>;
  note(style: 'bad' | 'dim', text: string): void;
  closeFull(): void;
  /** Shows that the page is at work until `outcome` is there. */
  atWork(label: string, outcome: Promise<Outcome>): Promise<Outcome>;
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
      const { error } = await desk.atWork('import', desk.engine.importFiles(files));
      if (error) desk.note('bad', error.message);
    });

  private async reporting(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.desk.note('bad', `Nothing was opened: ${messageOf(error)}`);
    }
  }
}
