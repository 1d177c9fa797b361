import type { JobView, MergeHead, Verdict, View } from '../../../model/engine.generated';
import { isKept, type Judged, type MergeEvent, REASONS } from '../../../model/judged';
import { keyId, keyText } from '../../../model/keys';
import { count, counted } from '../../../model/words';
import type { KeyAxis } from './axis';
import { beadsOf } from './beads';
import type { Contents } from './contents';
import type { LevelRow } from './levels';
import { mergedTables } from './merged';
import type { Ground, TableShape } from './tables';
import { type Tag, type Tree, tagBeside, wordsBox } from './tags';
import { keyWidth, textWidth } from './text';

/** A merge in the tree: a line at the key that is judged, and a mark on the next entry of each input. */
export type Sweep = NonNullable<ReturnType<typeof sweepScene>>;

/** A compaction at work, with its verdicts so far. */
export interface Merge {
  job: JobView;
  judged: Judged;
  /** The step on show is the last verdict. */
  isJudging: boolean;
  /** The verdict is hidden: it is to be predicted. */
  isHidden: boolean;
}

/** In place of a verdict that is to be predicted. */
export const KEEP_OR_DROP = 'Keep or drop?';
const LETTERS = 24;

/** The verdicts so far, without the one to be predicted. */
function visibleVerdicts({ judged, isHidden }: Merge): readonly MergeEvent[] {
  return isHidden ? judged.entries.slice(0, -1) : judged.entries;
}

/** A merge as the parts of a picture use it. */
export type MergePart = ReturnType<typeof mergePart>;

/** A merge's changes to a picture of `view`; nothing is drawn of it while a lookup has the picture to itself. */
export function mergePart(view: View, merge: Merge, isDrawn: boolean) {
  const { job, judged } = merge;
  const isThere = view.levels.some(({ tables }) =>
    tables.some(({ table }) => job.inputs.includes(table)),
  );
  const isSwept = isDrawn && isThere && judged.entries.length > 0;
  return {
    isSwept,
    // The entries that the job has written, in order; `null`: not all of its verdicts are known.
    kept: judged.isWhole ? visibleVerdicts(merge).filter(isKept) : null,
    read: (contents: Contents) => readBy(merge, contents),
    tables: (row: LevelRow, ground: Ground) => (isSwept ? mergedTables(row, merge, ground) : row),
    line: (tree: Tree) => (isSwept ? sweepScene(tree, merge) : null),
  };
}

/** How many entries of each input the merge has read. */
function readBy({ job, judged, isHidden }: Merge, contents: Contents): ReadonlyMap<number, number> {
  const last = judged.entries.at(-1);
  if (!last) return new Map();
  return new Map(
    job.inputs.map((table) => {
      const entries = contents.get(table) ?? [];
      const head = last.heads.find((each) => each.table === table);
      if (!head) return [table, entries.length];
      const at = entries.findIndex(
        ({ key, sequence }) => sequence === head.sequence && keyId(key) === keyId(head.key),
      );
      return [table, head.first && !isHidden ? at + 1 : at];
    }),
  );
}

/** Places a merge in the picture; `null` before its first verdict. */
function sweepScene(tree: Tree, merge: Merge) {
  const { job, judged, isJudging } = merge;
  const last = judged.entries.at(-1);
  const output = tree.levels.find(({ level }) => level === job.outputLevel);
  if (!last || !output) return null;
  const isOver = judged.isWhole && judged.entries.length >= job.entriesTotal;
  const bottom = output.box.y + output.box.h + 2;
  return {
    // `null`: every entry has its verdict.
    line: isOver && !isJudging ? null : lineAt(last, merge, tree, bottom),
    tally: tallyOf(merge, bottom, tree.axis.x(last.key), tree),
  };
}

/** The line at an entry, with the next entry of each input, and the verdict. */
function lineAt(last: MergeEvent, { job, isJudging, isHidden }: Merge, tree: Tree, bottom: number) {
  const { rows, axis, levels } = tree;
  const { unit } = rows;
  const inputs = levels
    .flatMap(({ tables }) => tables)
    .filter(({ info }) => info && job.inputs.includes(info.table));
  const x = axis.x(last.key);
  const y = Math.min(bottom, ...inputs.map(({ box }) => box.y)) - unit * 0.5;
  const text = keyText(last.key, LETTERS);
  const fronts = last.heads.flatMap((head) => frontOf(head, inputs, axis));
  const first = fronts.find(({ isFirst }) => isFirst);
  const spot = { x, w: 0, y: first?.middle ?? (y + bottom) / 2, r: unit * 0.4 };
  const words = isHidden ? KEEP_OR_DROP : reasonOf(last);
  return {
    ...{ x, y, h: bottom - y },
    head: { text, box: wordsBox(keyWidth(text, unit), x, y - unit * 1.4, rows) },
    fronts,
    tag: isJudging ? tagBeside(words, spot, rows, beadsOf(tree)) : null,
    verdict: isHidden ? 'hidden' : isKept(last) ? 'kept' : 'dropped',
  };
}

/** The entry that an input stands on, as a mark above it. */
function frontOf({ table, key, first }: MergeHead, inputs: readonly TableShape[], axis: KeyAxis) {
  const shape = inputs.find(({ info }) => info?.table === table);
  if (!shape) return [];
  const { y, h } = shape.floor;
  return [{ table, x: axis.x(key), y: y - 2, middle: y + h / 2, isFirst: first }];
}

function reasonOf(event: MergeEvent): string {
  return `${isKept(event) ? 'kept' : 'dropped'}: ${REASONS[event.verdict]}`;
}

/** The kinds of verdicts of a tally. */
const KINDS: readonly (readonly [string, (verdict: Verdict) => boolean])[] = [
  ['kept', (verdict) => isKept({ verdict })],
  ['older', (verdict) => verdict === 'droppedShadowed'],
  ['deleted', (verdict) => /^dropped(Tombstone|RangeDeleted)$/.test(verdict)],
  ['filtered', (verdict) => verdict === 'droppedByFilter'],
];

/** How many entries were kept and how many dropped, below the line. */
function tallyOf(merge: Merge, y: number, x: number, { rows }: Tree): Tag {
  const { job, judged } = merge;
  const events = visibleVerdicts(merge);
  const parts = KINDS.map(([name, is]) => {
    const number = events.filter(({ verdict }) => is(verdict)).length;
    return number > 0 || name === 'kept' ? `${name} ${count(number)}` : '';
  });
  const text = judged.isWhole
    ? parts.filter(Boolean).join(' · ')
    : `${count(job.entriesDone)} of ${counted(job.entriesTotal, 'entry')} read`;
  return { text, box: wordsBox(textWidth(text, rows.unit), x, y, rows) };
}
