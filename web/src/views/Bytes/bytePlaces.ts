import { useCallback, useState } from 'react';
import { findQuery, partQuery, type Space } from '../../model/ask';
import type { Node, Step, Stretch } from '../../model/engine.generated';
import type { Selection } from '../../model/selection';
import type { Ask } from '../shared/contexts';
import { useAnswer } from '../shared/useAnswer';
import type { Pin } from './DataInspector';
import { pathOfTrail } from './useTree';

/** The trail from the file down to the selected part; the last known trail while the next one is fetched. */
export function useTrail(file: string, path: string): readonly Step[] | null {
  const { state, last } = useAnswer(partQuery(file, path, 0, 0));
  return state === 'failed' ? null : (last?.part.trail ?? null);
}

/** The compressed part whose content is shown; `null` for the bytes of the file. */
export function insideOf(
  trail: readonly Step[] | null,
  selection: Selection | null,
): string | null {
  if (!trail) return null;
  const end = trail.findIndex((step) => step.decoded);
  if (end > 0) return pathOfTrail(trail.slice(0, end));
  if (!selection?.range?.decoded) return null;
  return pathOfTrail(trail);
}

/** The pinned part. */
export function pinOf(trail: readonly Step[] | null, selection: Selection | null): Pin | null {
  if (!trail || !selection) return null;
  const last = trail[trail.length - 1];
  if (selection.range) {
    const { from, to, decoded } = selection.range;
    return { path: null, trail, span: { from, end: to + 1 }, decoded };
  }
  if (!last || trail.length < 2) return null;
  const { offset, bytes } = last.node;
  const span = { from: offset, end: offset + bytes };
  return { path: pathOfTrail(trail), trail, span, decoded: last.decoded };
}

/** The byte with the keyboard focus; it follows the pinned part. */
export function useCursor(pin: Pin | null, total: number): [number, (offset: number) => void] {
  const [state, setState] = useState<{ pin: Pin | null; cursor: number }>({ pin, cursor: 0 });
  let { cursor } = state;
  if (state.pin !== pin) {
    const outside = pin !== null && (cursor < pin.span.from || cursor >= pin.span.end);
    if (outside) cursor = pin.span.from;
    setState({ pin, cursor });
  }
  const clamped = Math.min(cursor, Math.max(total - 1, 0));
  const set = useCallback((offset: number) => setState((old) => ({ ...old, cursor: offset })), []);
  return [total === 0 ? cursor : clamped, set];
}

/** A part of a ribbon as a node without parts. */
export function asNode({ name, kind, number, offset, bytes }: Stretch): Node {
  const unknown = { value: '', children: [], inside: [], more: true, fact: null };
  return { name, kind, number, offset, bytes, ...unknown };
}

/** The next offset of `bytes`; `null` if there is none. */
export async function findFrom(
  ask: Ask,
  space: Space,
  from: number,
  bytes: Uint8Array,
): Promise<number | null> {
  try {
    return (await ask(findQuery(space, from, bytes))).offset;
  } catch {
    return null;
  }
}
