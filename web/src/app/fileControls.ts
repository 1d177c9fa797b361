import { messageOf } from '../model/failures';
import { counted } from '../model/words';
import type { Listed } from '../share/entries';
import type { ForeignFile } from '../share/foreign';
import type { Lab } from './lab';
import { isLesson } from './lessonControls';
import { offerOf } from './port';

/** The lab's services for files. */
type Desk = Pick<Lab, 'engine' | 'lesson' | 'shared' | 'note' | 'closeFull' | 'atWork'>;

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
      const { error } = await desk.atWork('import', desk.engine.ask(offerOf(files), files));
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
