import { crashAt, sentenceAt } from './branchHistory';
import { keyText } from './keys';
import { stopSentence, stopWords } from './readStops';
import type { Page } from './shown';
import { stepName } from './timelineWalk';
import { isHidden, lookupOnShow } from './verdicts';
import { count } from './words';

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

/**
 * The words above the picture, with the name of the step or of a lookup, which has the words of its stops, and after the last
 * one its result. `sentence` is `null` before anything has happened; `isQuestion`: it stands for a hidden verdict.
 */
export function narrated(page: StepPage) {
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
