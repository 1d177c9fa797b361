import { useCallback, useMemo, useState } from 'react';
import { bytesOf, hexQuery, type Space } from '../../model/ask';
import { type Leaf, needle } from '../../model/bytes';
import type { Node, Stretch } from '../../model/engine.generated';
import { messageOf } from '../../model/failures';
import { bytesSelection, type Selection } from '../../model/selection';
import { counted, hex } from '../../model/words';
import type { Span } from '../Hex/HexGrid';
import { useChunks } from '../Hex/useChunks';
import { useQuestions, useSelection } from '../shared/contexts';
import { asNode, findFrom, insideOf, pinOf, useCursor, useTrail } from './bytePlaces';
import { copied } from './DataInspector';

/** Most bytes that are copied at once. */
const COPY_MAX = 1 << 20;

/** The position in a file: the pinned part, the bytes on show, and the byte with the keyboard focus. */
export type BytePlace = ReturnType<typeof useBytePlace>;

export function useBytePlace(id: string, selection: Selection | null) {
  const { select } = useSelection();
  const [seen, setSeen] = useState<Span>({ from: 0, end: 1 });
  const trail = useTrail(id, selection?.path ?? '');
  const inside = insideOf(trail, selection);
  const space: Space = useMemo(() => ({ file: id, inside }), [id, inside]);
  const chunks = useChunks(space, seen.from, seen.end);
  const pin = useMemo(() => pinOf(trail, selection), [trail, selection]);
  const [cursor, setCursor] = useCursor(pin, chunks.total ?? 0);
  const pinPath = useCallback((path: string) => select(`${id}/${path}`), [id, select]);
  const pinRange = useCallback(
    (from: number, to: number) => select(bytesSelection(id, inside, from, to)),
    [id, inside, select],
  );
  const onView = useCallback(
    (from: number, end: number) =>
      setSeen((old) => (old.from === from && old.end === end ? old : { from, end })),
    [],
  );
  // The part that has a byte, or else the byte itself.
  const pinAt = (offset: number) => {
    const leaf = chunks.leaf(offset);
    if (leaf) pinPath(leaf.path);
    else pinRange(offset, offset);
  };
  const shown = { trail, inside, space, chunks, pin, cursor, seen };
  return { ...shown, onView, setCursor, pinPath, pinRange, pinAt };
}

/** The part under the pointer. */
export interface Hovered {
  path: string | null;
  node: Node;
}

/** Follows the pointer through tree, bytes and ribbon alike. */
export function useHover(inside: string | null) {
  const [hover, setHover] = useState<Hovered | null>(null);
  const onLeaf = useCallback(
    (leaf: Leaf | null) =>
      setHover((old) =>
        leaf && old?.path === leaf.path ? old : leaf && { path: leaf.path, node: leaf.node },
      ),
    [],
  );
  const onNode = useCallback(
    (path: string | null, node: Node | null, decoded: boolean) =>
      // Parts of decoded content have no offset in the file, and the other way round.
      setHover(node && path !== null && decoded === (inside !== null) ? { path, node } : null),
    [inside],
  );
  const onPart = (part: Stretch | null) =>
    setHover(part && inside === null ? { path: part.path, node: asNode(part) } : null);
  return { hover, onLeaf, onNode, onPart };
}

/** Goes to an offset, finds bytes, copies the pinned bytes; `found` is the result in words. */
export function useByteSearch(place: BytePlace) {
  const { ask } = useQuestions();
  const [found, setFound] = useState('');
  const { space, chunks, pin, cursor, setCursor, pinRange } = place;
  const go = (offset: number) => {
    const at = Math.min(offset, Math.max((chunks.total ?? 1) - 1, 0));
    setCursor(at);
    pinRange(at, at);
  };
  const search = async (text: string) => {
    const wanted = needle(text);
    if (!wanted) return;
    const from = pin && pin.path === null && found !== '' ? pin.span.from + 1 : cursor;
    const at =
      (await findFrom(ask, space, from, wanted)) ?? (await findFrom(ask, space, 0, wanted));
    if (at === null) {
      setFound('not in this file');
      return;
    }
    setFound(`at ${hex(at)}`);
    pinRange(at, at + wanted.length - 1);
  };
  const copy = async (what: 'hex' | 'rust') => {
    if (!pin) return;
    const length = Math.min(pin.span.end - pin.span.from, COPY_MAX);
    try {
      const bytes = bytesOf(await ask(hexQuery(space, pin.span.from, length)));
      await navigator.clipboard.writeText(copied(what, bytes));
      setFound(`${counted(bytes.length, 'byte')} copied`);
    } catch (error) {
      setFound(`not copied: ${messageOf(error)}`);
    }
  };
  return { found, go, search, copy };
}
