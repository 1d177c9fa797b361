import type { OutputView, ShownKey } from '../../../model/engine.generated';
import { counted, size } from '../../../model/words';
import { writtenRange } from '../../../model/writing';
import type { Box, Span } from './geometry';
import { above, apart, FLOORED_MIN, floorOf, numbered, type TableShape } from './tables';
import { boldWidth } from './text';
import type { Ground } from './tree';

interface Reach {
  smallest: ShownKey;
  largest: ShownKey;
}

/** A table being written, and between which keys its job reads, where that is known. */
export interface Output {
  output: OutputView;
  inputs: Reach | null;
  /** The progress of its job, 0 to 1. */
  done: number;
}

/** The tables that are written into one lane, one after the other. */
export function outputShapes(outputs: readonly Output[], span: Span, ground: Ground): TableShape[] {
  const placed = outputs.map((each) => ({ each, box: outputBox(each, span, ground) }));
  for (const one of placed) {
    if (reachOf(one.each.output, ground)) continue;
    // A table without blocks begins after the other outputs of its job.
    const others = placed.filter(
      ({ each }) => each.output.job === one.each.output.job && reachOf(each.output, ground),
    );
    const from = Math.max(one.box.x, ...others.map(({ box }) => box.x + box.w + 1));
    one.box = { ...one.box, x: from, w: Math.max(one.box.x + one.box.w - from, 0) };
  }
  placed.sort((a, b) => a.box.x - b.box.x);
  // Each ends where the next one begins.
  const boxes = placed.map(({ box }, index) => {
    const next = placed[index + 1]?.box.x ?? ground.rows.right;
    return { ...box, w: Math.min(box.w, Math.max(next - box.x, 0)) };
  });
  return apart(boxes, ground.rows).flatMap((box, index) => {
    const output = placed[index]?.each.output;
    return output ? [outputShape(output, box, ground)] : [];
  });
}

/** The keys that an output has, with those of the block at work where they are known. */
function reachOf(output: OutputView, { known }: Ground): Reach | null {
  const entries = known.get(output.table) ?? [];
  const [first, last] = [entries[0], entries.at(-1)];
  return first && last ? { smallest: first.key, largest: last.key } : writtenRange(output);
}

/** An output's box at its keys; before its first block, at the range of its inputs. */
function outputBox({ output, inputs, done }: Output, span: Span, ground: Ground): Box {
  const { axis, rows } = ground;
  const whole = rows.right - rows.left;
  const range = reachOf(output, ground);
  // Without other tables there is no axis yet: the first table grows with its entries until it is installed.
  if (range && axis.size === 0) {
    return { x: rows.left, w: whole * done, ...span };
  }
  const reach = range ?? inputs;
  if (!reach || axis.size === 0) return { x: rows.left, w: whole, ...span };
  const from = axis.x(reach.smallest);
  const w = Math.max(axis.x(reach.largest) - from, FLOORED_MIN);
  return { x: Math.min(from, rows.right - w), w, ...span };
}

function outputShape(output: OutputView, box: Box, ground: Ground): TableShape {
  const { rows } = ground;
  const { unit, line } = rows;
  const range = reachOf(output, ground);
  const bytes = size(output.blocks.reduce((sum, { storedBytes }) => sum + storedBytes, 0));
  const blocks = counted(output.blocks.length, 'block');
  const wordings = output.synced
    ? ['written, not yet installed', 'not yet installed', 'written']
    : output.fileBytes !== null
      ? ['written, not yet synced', 'not yet synced', 'written']
      : output.blocks.length === 0
        ? ['created, nothing written', 'created', 'empty']
        : [`being written, ${blocks}, ${bytes}`, `${blocks}, ${bytes}`, blocks, bytes];
  const head = above(box, rows);
  const y = head.y + head.h / 2 + unit * 0.36;
  return {
    id: `table:${output.table}`,
    table: null,
    box,
    deleted: null,
    tombstones: null,
    captions:
      box.h < line - 2 || box.w < boldWidth(String(output.table), unit) + 4
        ? []
        : numbered(String(output.table), wordings, { x: box.x, w: box.w, y }, { unit }),
    ...floorOf(output.table, box, ground),
    role: 'output',
    empty: range === null,
    thin: false,
    bar: false,
    label: () => `table ${output.table}, ${wordings[0]}`,
  };
}
