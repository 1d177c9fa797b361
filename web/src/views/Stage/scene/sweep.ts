import type { JobView, MergeHead, Verdict, View } from '../../../model/engine.generated';
import { isKept, type Judged, type MergeEvent, REASONS } from '../../../model/judged';
import { keyId, keyText } from '../../../model/keys';
import { count, counted, joined } from '../../../model/words';
import type { KeyAxis } from './axis';
import { beadsOf } from './beads';
import type { Contents } from './contents';
import type { Box, Rows, Span } from './geometry';
import type { LevelRow } from './levels';
import { mergedTables } from './merged';
import type { TableShape } from './tables';
import { meets, type Tag, type Tree, tagBeside, wordsBox } from './tags';
import { keyWidth, textWidth } from './text';
import type { Ground } from './tree';

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
/** How a hidden result is revealed. */
export const REVEAL = 'Reveal (→ or PgDn)';
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
  const row = tree.rows.merge;
  if (!last || !output || !row) return null;
  const isOver = judged.isWhole && judged.entries.length >= job.entriesTotal;
  // `null`: every entry has its verdict.
  const line = isOver && !isJudging ? null : lineAt(last, merge, tree, row, output);
  return { line, tally: tallyOf(merge, line, [row, output.box], tree) };
}

/** The line at an entry, with the next entry of each input, and the verdict. */
function lineAt(last: MergeEvent, merge: Merge, tree: Tree, row: Span, output: LevelRow) {
  const { job, isJudging, isHidden } = merge;
  const { rows, axis, levels } = tree;
  const { unit } = rows;
  const inputs = levels
    .flatMap(({ tables }) => tables)
    .filter(({ table }) => table && job.inputs.includes(table.number));
  const x = axis.x(last.key);
  const y = row.y + row.h;
  const bottom = output.box.y + output.box.h + 2;
  const text = keyText(last.key, LETTERS);
  const head = { text, box: wordsBox(keyWidth(text, unit), x, row.y, rows) };
  const fronts = last.heads.flatMap((front) => frontOf(front, inputs, axis));
  const first = fronts.find(({ isFirst }) => isFirst);
  const spot = { x, w: 0, y: first?.middle ?? (y + bottom) / 2, r: unit * 0.4 };
  const reason = isHidden ? KEEP_OR_DROP : reasonOf(last);
  // From the longest to the shortest; a question has its button's hint where there is room.
  const wordings = isHidden ? [`${reason} ${REVEAL}`, reason] : [reason, reason.replace(/:.*/, '')];
  const place = wordings
    .map((words) => beside(head.box, words, rows))
    .find((each) => each !== null);
  const tag = place
    ? { ...place, text: isHidden ? reason : place.text }
    : tagBeside(reason, spot, rows, beadsOf(tree));
  return {
    ...{ x, y, h: bottom - y, head, fronts },
    tag: isJudging ? tag : null,
    verdict: isHidden ? 'hidden' : isKept(last) ? 'kept' : 'dropped',
  };
}

/** `text` in the row of `box`, on the side with more room; `null`: it has too little. */
function beside(box: Box, text: string, { unit, left, right }: Rows): Tag | null {
  const w = textWidth(text, unit) + unit;
  const after = box.x + box.w + unit * 0.4;
  const isAfter = right - box.x - box.w > box.x - left;
  const x = isAfter ? after : box.x - unit * 0.4 - w;
  return x < left || x + w > right ? null : { text, box: { ...box, x, w } };
}

/** The entry that an input stands on, as a mark above it. */
function frontOf({ table, key, first }: MergeHead, inputs: readonly TableShape[], axis: KeyAxis) {
  const shape = inputs.find((each) => each.table?.number === table);
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

/**
 * How many entries were kept and how many dropped, at the end of the row that is farther from the line and free; where
 * neither is, at the end of the row of the output.
 */
function tallyOf(
  merge: Merge,
  line: ReturnType<typeof lineAt> | null,
  [{ y }, output]: readonly [Span, Box],
  { rows }: Tree,
): Tag {
  const text = tallyText(merge);
  const { left, right } = rows;
  const at = (end: number, top: number) => wordsBox(textWidth(text, rows.unit), end, top, rows);
  const ends = [at(right, y), at(left, y)];
  const isLate = line !== null && line.x > (left + right) / 2;
  const taken = line ? [line.head.box, ...(line.tag ? [line.tag.box] : [])] : [];
  const box = (isLate ? ends.toReversed() : ends).find((end) =>
    taken.every((other) => !meets(end, other)),
  );
  return { text, box: box ?? at(right, output.y + output.h - rows.unit * 1.4) };
}

function tallyText(merge: Merge): string {
  const { job, judged } = merge;
  const events = visibleVerdicts(merge);
  const parts = KINDS.map(([name, is]) => {
    const number = events.filter(({ verdict }) => is(verdict)).length;
    return number > 0 || name === 'kept' ? `${name} ${count(number)}` : '';
  });
  return judged.isWhole
    ? joined(parts, ' · ')
    : `${count(job.entriesDone)} of ${counted(job.entriesTotal, 'entry')} read`;
}
