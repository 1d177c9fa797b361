import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { partQuery } from '../../model/ask';
import { type DamagedByte, NO_DAMAGE } from '../../model/damage';
import type { Step } from '../../model/engine.generated';
import { messageOf } from '../../model/failures';
import {
  above,
  below,
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

export type FileTree = ReturnType<typeof useTree>;

/** Least time between two fetches of open branches while the database changes [ms]. */
const PAUSE_MS = 300;

/**
 * The parts of `file`, fetched as they are opened; the way along `trail`, from the file down, is opened
 * by itself. `damages` are known without fetching.
 */
export function useTree(
  file: string | null,
  trail: readonly Step[] | null,
  damages: readonly DamagedByte[] = NO_DAMAGE,
) {
  const { ask } = useQuestions();
  const [state, setState] = useState<{ file: string | null; tree: Tree }>({
    file,
    tree: EMPTY_TREE,
  });
  const [failure, setFailure] = useState<string | null>(null);
  const tree = state.file === file ? state.tree : EMPTY_TREE;
  const change = useCallback(
    (next: (tree: Tree) => Tree) =>
      setState((old) => ({ file, tree: next(old.file === file ? old.tree : EMPTY_TREE) })),
    [file],
  );
  const fetch = useCallback(
    async (path: string, skip: number, limit: number) => {
      if (file === null) return;
      try {
        const part = await ask(partQuery(file, path, skip, limit));
        change((tree) => withPart(tree, path, part));
        if (path === '') setFailure(null);
      } catch (error) {
        if (path !== '') return;
        // The tree of the previous file must not stay on show.
        change(() => EMPTY_TREE);
        setFailure(messageOf(error));
      }
    },
    [ask, file, change],
  );

  const latest = useRef(tree);
  latest.current = tree;
  useRenewal(latest, fetch);
  const way = useMemo(() => wayOf(trail), [trail]);
  useEffect(() => {
    for (const { path, index } of way) {
      change((tree) => withOpen(tree, path, true));
      if (!knows(latest.current, path, index)) {
        const { skip, limit } = windowAround(index);
        void fetch(path, skip, limit);
      }
    }
  }, [way, fetch, change]);

  const setOpen = useCallback(
    (path: string, open: boolean) => {
      change((tree) => withOpen(tree, path, open));
      if (open && !latest.current.branches.has(path)) void fetch(path, 0, WINDOW);
    },
    [change, fetch],
  );
  const more = useCallback(
    ({ path, skip, limit }: Extract<Row, { type: 'more' }>) => void fetch(path, skip, limit),
    [fetch],
  );
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
    const timer = setTimeout(
      async () => {
        const open = [...latest.current.open].sort((a, b) => a.length - b.length);
        for (const path of open) {
          if (over) return;
          const branch = latest.current.branches.get(path);
          const limit = Math.max(WINDOW, branch?.parts.length ?? 0);
          await fetch(path, branch?.from ?? 0, limit);
        }
      },
      latest.current.branches.size > 0 ? PAUSE_MS : 0,
    );
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [latest, fetch, moment]);
}

/** The branches to open, each with the place of the part that is wanted in it. */
function wayOf(trail: readonly Step[] | null): { path: string; index: number }[] {
  let path = '';
  return (trail ?? []).slice(1).map(({ index, node }) => {
    const step = { path, index };
    path = below(path, node);
    return step;
  });
}

/** The path of the last step of a trail. */
export function pathOfTrail(trail: readonly Step[]): string {
  return trail.slice(1).reduce((path, { node }) => below(path, node), '');
}

/** The row to which the key leads: its parent. */
export function parentRow(rows: readonly Row[], path: string): number {
  const parent = above(path);
  return rows.findIndex((row) => row.type === 'node' && row.path === parent);
}
