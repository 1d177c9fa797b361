import { useState } from 'react';
import { bytesOf, findQuery, hexQuery } from '../../model/ask';
import { type asHexText, type asRustArray, needle } from '../../model/bytes';
import { messageOf } from '../../model/failures';
import { counted, hex } from '../../model/words';
import { useQuestions } from '../shared/contexts';
import type { Place } from './usePlace';

/** Most bytes that are copied at once. */
const COPY_MAX = 1 << 20;

/** Goes to an offset, finds bytes, copies the pinned bytes; `found` is the result in words. */
export function useByteSearch({ space, chunks, pin, cursor, setCursor, pinRange }: Place) {
  const { ask } = useQuestions();
  const [found, setFound] = useState('');
  const go = (offset: number) => {
    const at = Math.min(offset, Math.max((chunks.total ?? 1) - 1, 0));
    setCursor(at);
    pinRange(at, at);
  };
  /** The next offset of `bytes`; `null` if there is none. */
  const findFrom = (from: number, bytes: Uint8Array) =>
    ask(findQuery(space, from, bytes)).then(
      ({ offset }) => offset,
      () => null,
    );
  const find = async (text: string) => {
    const wanted = needle(text);
    if (!wanted) return;
    const from = pin && pin.path === null && found !== '' ? pin.span.from + 1 : cursor;
    const at = (await findFrom(from, wanted)) ?? (await findFrom(0, wanted));
    setFound(at === null ? 'not in this file' : `at ${hex(at)}`);
    if (at !== null) pinRange(at, at + wanted.length - 1);
  };
  const copy = async (textOf: typeof asHexText | typeof asRustArray) => {
    if (!pin) return;
    const length = Math.min(pin.span.end - pin.span.from, COPY_MAX);
    try {
      const bytes = bytesOf(await ask(hexQuery(space, pin.span.from, length)));
      await navigator.clipboard.writeText(textOf(bytes));
      setFound(`${counted(bytes.length, 'byte')} copied`);
    } catch (error) {
      setFound(`not copied: ${messageOf(error)}`);
    }
  };
  return { found, go, find, copy };
}
