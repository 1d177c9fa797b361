import { useCallback, useMemo, useState } from 'react';
import { partQuery, type Space } from '../../model/ask';
import type { DamagedByte } from '../../model/damage';
import type { Node, Step } from '../../model/engine.generated';
import { bytesSelection, type Selection } from '../../model/selection';
import { below } from '../../model/tree';
import { useSelection } from '../shared/contexts';
import { useAnswer } from '../shared/useAnswer';
import { useChunks } from './useChunks';
import { type PathStep, useTree } from './useTree';

/** Some bytes in a row. */
export interface Span {
  from: number;
  /** The byte after the last one. */
  end: number;
}

/** A part of the file, as tree, bytes and ribbon know it. */
export interface Part {
  path: string;
  node: Pick<Node, 'name' | 'offset' | 'bytes'> & { value?: string };
}

/** A pinned part of the file, or some pinned bytes of it. */
export interface Pin {
  /** Path of the part; `null` for selected bytes. */
  path: string | null;
  trail: readonly PathStep[];
  span: Span;
  /** Whether the span counts in decoded content. */
  decoded: boolean;
}

/** The position in a file: its parts, the pinned one and the one under the pointer, and the byte with the keyboard focus. */
export type Place = ReturnType<typeof usePlace>;

/** What tree, bytes, ribbon and data inspector show; `damages` are places of the file that are known to be damaged. */
export function usePlace(id: string, selection: Selection | null, damages: readonly DamagedByte[]) {
  const { select } = useSelection();
  const [seen, setSeen] = useState<Span>({ from: 0, end: 1 });
  const trail = useTrail(id, selection?.path ?? '');
  const tree = useTree(id, trail, damages);
  const inside = insideOf(trail, selection);
  const space: Space = useMemo(() => ({ file: id, inside }), [id, inside]);
  const chunks = useChunks(space, seen.from, seen.end);
  const pin = useMemo(() => pinOf(trail, selection), [trail, selection]);
  const [cursor, setCursor] = useCursor(pin, chunks.total ?? 0);
  const pinPath = (path: string) => select(`${id}/${path}`);
  const pinRange = (from: number, to: number, within = inside) =>
    select(bytesSelection(id, within, from, to));
  // The part that has a byte, or else the byte itself.
  const pinAt = (offset: number) => {
    const leaf = chunks.leaf(offset);
    if (leaf) pinPath(leaf.path);
    else pinRange(offset, offset);
  };
  const onView = useCallback(
    (from: number, end: number) =>
      setSeen((old) => (old.from === from && old.end === end ? old : { from, end })),
    [],
  );
  const [hover, setHover] = useState<Part | null>(null);
  const point = (part: Part | null, decoded = inside !== null) =>
    // Parts of decoded content have no offset in the file, and the other way round.
    setHover(part && decoded === (inside !== null) ? part : null);
  const shown = { id, trail, tree, inside, space, chunks, pin, cursor, seen, hover };
  return { ...shown, onView, setCursor, pinPath, pinRange, pinAt, point };
}

export function spanOf({ node }: Part): Span {
  return { from: node.offset, end: node.offset + node.bytes };
}

/** The trail from the file down to the selected part; the last known trail while the next one is fetched. */
function useTrail(file: string, selected: string): readonly PathStep[] | null {
  const { state, last } = useAnswer(partQuery(file, selected, 0, 0));
  const steps = state === 'failed' ? undefined : last?.part.trail;
  return useMemo(() => {
    let path = '';
    const withPath = (step: Step, depth: number): PathStep => {
      if (depth > 0) path = below(path, step.node);
      return { ...step, path };
    };
    return steps?.map(withPath) ?? null;
  }, [steps]);
}

/** The compressed part whose content is shown; `null` for the bytes of the file. */
function insideOf(trail: readonly PathStep[] | null, selection: Selection | null): string | null {
  const end = trail?.findIndex((step) => step.decoded) ?? -1;
  const inside = end > 0 ? trail?.[end - 1] : selection?.range?.decoded && trail?.at(-1);
  return inside ? inside.path : null;
}

function pinOf(trail: readonly PathStep[] | null, selection: Selection | null): Pin | null {
  const last = trail?.at(-1);
  if (!trail || !last || !selection) return null;
  if (selection.range) {
    const { from, to, decoded } = selection.range;
    return { path: null, trail, span: { from, end: to + 1 }, decoded };
  }
  if (trail.length < 2) return null;
  return { path: last.path, trail, span: spanOf(last), decoded: last.decoded };
}

/** The byte with the keyboard focus; it follows the pinned part. */
function useCursor(pin: Pin | null, total: number): [number, (offset: number) => void] {
  const [state, setState] = useState<{ pin: Pin | null; cursor: number }>({ pin, cursor: 0 });
  let { cursor } = state;
  if (state.pin !== pin) {
    const outside = pin !== null && (cursor < pin.span.from || cursor >= pin.span.end);
    if (outside) cursor = pin.span.from;
    setState({ pin, cursor });
  }
  const set = (offset: number) => setState((old) => ({ ...old, cursor: offset }));
  return [total === 0 ? cursor : Math.min(cursor, total - 1), set];
}
