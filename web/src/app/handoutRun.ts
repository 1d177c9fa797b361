import type { LessonItem, LessonWaits } from '../model/engine.generated';
import { shown } from '../model/shown';
import type { Handout, HandoutScene, Still } from '../views/Handout/HandoutView';
import { pictureWords } from '../views/Share/pictureWords';
import { contentsQuery } from '../views/Stage/useContents';
import { RECENT_QUERY } from '../views/Stage/useRecent';
import type { Lab } from './lab';

/** More commands than any lesson has. */
const COMMANDS_MAX = 1000;

/** The command by which a lesson goes on, without a learner. */
function goesOn(waits: LessonWaits): string | null {
  switch (waits.until) {
    case 'typed':
      return waits.line;
    case 'read':
      return 'next';
    case 'answered':
      return 'answer ?';
    case 'done':
      return 'next --skip';
    case 'over':
      return null;
  }
}

/**
 * Plays a lesson to its end in `lab`, whose database is in memory, and records its scenes; `onProgress` gets the
 * progress, from 0 to 1. Rejects with an `Error` whose message is a sentence.
 */
export async function playForPaper(
  lab: Lab,
  id: string,
  onProgress: (share: number) => void,
): Promise<Handout> {
  const scenes: HandoutScene[] = [];
  const pictures = new Map<number, Still | null>();
  let last = '';
  let stood = '';
  let command: string | null = `lesson start ${id}`;
  for (let count = 0; command !== null && count < COMMANDS_MAX; count += 1) {
    const { error } = await lab.engine.ask({ type: 'command', line: command, at: null });
    lab.settle();
    // A breakpoint leaves the page at its step.
    if (lab.store.get().cursor !== null) lab.go({ to: 'now' }, 'jump');
    const page = shown(lab.store.get());
    const { lesson } = page;
    if (lesson === null) throw new Error(error?.message ?? 'The lesson did not begin.');
    // A lesson may show a failing command on purpose; then it goes on.
    const stand = JSON.stringify([lesson.at, lesson.waits]);
    if (error !== null && stand === stood) throw new Error(error.message);
    stood = stand;
    scenes[lesson.scene] = { title: lesson.scenes[lesson.scene]?.title ?? [], items: lesson.items };
    for (const { number } of lesson.items.filter(isFinished)) {
      if (pictures.has(number)) continue;
      const recent = await lab.ask(RECENT_QUERY);
      const tables = page.view.levels.flatMap((level) => level.tables.map(({ table }) => table));
      const answers = tables.length > 0 ? await lab.ask(contentsQuery(tables)) : [];
      const contents = new Map(answers.map(({ table, entries }) => [table, entries]));
      const words = pictureWords(page);
      // Commands without a step do not change the picture.
      const looks = JSON.stringify([words, recent, page.reading]);
      pictures.set(number, looks === last ? null : { page, recent, contents, words });
      last = looks;
    }
    onProgress(lesson.at / Math.max(lesson.end, 1));
    command = goesOn(lesson.waits);
    if (command === null) return { lesson, scenes: scenes.filter(Boolean), pictures };
  }
  throw new Error('The lesson did not come to its end.');
}

/** Whether its commands have all run. */
function isFinished({ what }: LessonItem): boolean {
  return what.is === 'run' && what.ran === what.lines.length;
}
