import { crashAt, sentenceAt } from './branchHistory';
import { keyText } from './keys';
import { stopSentence, stopWords } from './readStops';
import type { Page } from './shown';
import { stepName } from './timelineWalk';
import { isHidden, lookupOnShow } from './verdicts';
import { count } from './words';

/** The words for the step on show, or for a stop of a lookup. */
interface StepWords {
  /** The step, or the lookup. */
  name: string;
  /** `null`: nothing has happened yet. */
  sentence: string | null;
  /** Whether it is a question that stands for a hidden verdict. */
  isQuestion: boolean;
}

type StepPage = Pick<
  Page,
  | 'reading'
  | 'readingStop'
  | 'event'
  | 'place'
  | 'branch'
  | 'branches'
  | 'predicts'
  | 'revealed'
  | 'unopened'
>;

/** The words above the picture: a lookup has those of its stops, and after the last one its result. */
export function narrated(page: StepPage): StepWords {
  const { place, event, readingStop } = page;
  const reading = lookupOnShow(page);
  const isQuestion = isHidden(page);
  if (reading) {
    const name = `${reading.lookup} ${reading.key}.`;
    const sentence = isQuestion ? stopQuestion(page) : stopSentence(reading, readingStop);
    return { name, sentence, isQuestion };
  }
  const sentence = isQuestion ? question(page) : sentenceAt(page, place.step, event);
  return { name: stepName(place), sentence, isQuestion };
}

function stopQuestion({ reading, readingStop: at }: StepPage): string {
  const stop = reading?.stops[at];
  if (!reading || !stop) return '';
  const what = reading.lookup === 'get' ? reading.key : `a key with ${reading.key}`;
  const place = `Stop ${count(at + 1)} of ${count(reading.stops.length)}, ${stopWords(stop).title}`;
  return `${place}: is ${what} here?`;
}

function question(page: StepPage): string {
  if (crashAt(page, page.place.step))
    return 'The power failed. Which acknowledged writes are lost?';
  const merge = page.event?.merge;
  if (!merge) return '';
  const what = merge.entry === 'delete' ? 'the tombstone of ' : '';
  return `Is ${what}${keyText(merge.key)} with sequence number ${count(merge.sequence)} kept or dropped?`;
}
