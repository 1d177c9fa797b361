import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { partQuery } from '../../model/ask';
import { type DamagedByte, NO_DAMAGE } from '../../model/damage';
import type { Step } from '../../model/engine.generated';
import { messageOf } from '../../model/failures';
import {
  above,
  damagedPaths,
  EMPTY_TREE,
  knows,
  type Row,
  rowsOf,
  type Tree,
  WINDOW,
  windowAround,
  withOpen,
  withPart,
} from '../../model/tree';
import { useMoment, useQuestions } from '../shared/contexts';

/** A step from the file down to a part; the path of the file is ''. */
export type PathStep = Step & { path: string };

export type FileTree = ReturnType<typeof useTree>;

/** Least time between two fetches of open branches while the database changes [ms]. */
const PAUSE_MS = 300;

/**
 * The parts of `file`, which stays the same, fetched as they are opened; the way along `trail`, from the file down, is
 * opened by itself. `damages` are known without fetching.
 */
export function useTree(
  file: string,
  trail: readonly PathStep[] | null,
  damages: readonly DamagedByte[] = NO_DAMAGE,
) {
  const { ask } = useQuestions();
  const [tree, setTree] = useState(EMPTY_TREE);
  const [failure, setFailure] = useState<string | null>(null);
  const fetch = useCallback(
    async (path: string, skip: number, limit: number) => {
      try {
        const part = await ask(partQuery(file, path, skip, limit));
        setTree((old) => withPart(old, path, part));
        if (path === '') setFailure(null);
      } catch (error) {
        if (path !== '') return;
        // Parts of another moment must not stay on show.
        setTree(EMPTY_TREE);
        setFailure(messageOf(error));
      }
    },
    [ask, file],
  );
  const latest = useRef(tree);
  latest.current = tree;
  useRenewal(latest, fetch);
  useEffect(() => {
    for (const { path, index } of trail?.slice(1) ?? []) {
      const parent = above(path) ?? '';
      setTree((old) => withOpen(old, parent, true));
      const { skip, limit } = windowAround(index);
      if (!knows(latest.current, parent, index)) void fetch(parent, skip, limit);
    }
  }, [trail, fetch]);
  const setOpen = (path: string, open: boolean) => {
    setTree((old) => withOpen(old, path, open));
    if (open && !tree.branches.has(path)) void fetch(path, 0, WINDOW);
  };
  const more = ({ path, skip, limit }: Extract<Row, { type: 'more' }>) =>
    void fetch(path, skip, limit);
  const rows = useMemo(() => rowsOf(tree), [tree]);
  const damaged = useMemo(() => damagedPaths(tree, damages), [tree, damages]);
  return { rows, damaged, failure, setOpen, more };
}

type Fetch = (path: string, skip: number, limit: number) => Promise<void>;

/** Fetches the open nodes again when the database has changed, the file first. */
function useRenewal(latest: RefObject<Tree>, fetch: Fetch): void {
  const moment = useMoment();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `moment` means that the parts may have changed
  useEffect(() => {
    let over = false;
    const renew = async () => {
      const open = [...latest.current.open].sort((a, b) => a.length - b.length);
      for (const path of open) {
        if (over) return;
        const { from = 0, parts = [] } = latest.current.branches.get(path) ?? {};
        await fetch(path, from, Math.max(WINDOW, parts.length));
      }
    };
    const timer = setTimeout(renew, latest.current.branches.size > 0 ? PAUSE_MS : 0);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [latest, fetch, moment]);
}
