import { useMemo } from 'react';
import type { MemtableTree, RecentWrites } from '../../model/engine.generated';
import { isIn, levelOf } from '../../model/files';
import { headBytes, keyText } from '../../model/keys';
import { parseSelection } from '../../model/selection';
import type { Page } from '../../model/shown';
import { useAnswer } from '../shared/useAnswer';
import type { Inside } from './scene/inside';
import { logInside, memtableInside } from './scene/insideMemory';
import type { TableIn } from './scene/insideTable';
import { type InsidePart, insidePart } from './scene/opened';
import { useTable } from './useTable';

/** What the page has opened, as far as it is known; `null`: nothing is, or it is not there at the step on show. */
export function useInside(page: Opening, recent: Recent): InsidePart | null {
  const { view, opened } = page;
  const info = useMemo(() => findTable(view, opened), [view, opened]);
  const table = useTable(info, page);
  const memory = useMemory(page, recent);
  return useMemo(() => {
    const inside = table ?? memory;
    return inside && insidePart({ ...inside, selected: page.selection });
  }, [table, memory, page.selection]);
}

type Opening = Pick<Page, 'view' | 'opened' | 'selection'>;
type Recent = readonly RecentWrites[];

/** The opened memtable or log. The tree of a memtable is known around one way, so there is a question for each step. */
function useMemory({ view, opened }: Opening, recent: Recent): Inside | null {
  const chosen = opened === null ? null : parseSelection(opened);
  const memtable = chosen?.kind === 'memtable' && isIn(view, opened ?? '') ? chosen.number : null;
  const steps = chosen?.path.split('/').filter(Boolean) ?? [];
  const root = useTree(memtable, null, '');
  const second = useTree(memtable, root, steps[0]);
  const third = useTree(memtable, second, steps[1]);
  const fourth = useTree(memtable, third, steps[2]);
  const tree = [root, second, third, fourth][steps.length] ?? null;
  return useMemo(() => {
    if (opened === null) return null;
    return tree ? memtableInside(view, recent, tree, opened) : logInside(view, recent, opened);
  }, [view, recent, tree, opened]);
}

/** The tree of a memtable around the way to a node, which `above` has, or to its first key; `null`: not known. */
function useTree(memtable: number | null, above: MemtableTree | null, step: string | undefined) {
  const node = above?.levels
    .flat()
    .find((known) => `${known.leaf ? 'leaf' : 'inner'}:${known.node}` === step);
  const isAsked = memtable !== null && step !== undefined && (step === '' || node);
  // The next key after its first one: newer versions of that may be in the node before.
  const first = node?.first && [...headBytes(node.first), 0];
  const answer = useAnswer(isAsked ? { ask: 'memtable', memtable, key: first ?? null } : null);
  return answer.state === 'ready' ? answer.result : null;
}

/** The table that is opened, and its level. */
function findTable(view: Page['view'], opened: string | null): TableIn | null {
  const chosen = opened === null ? null : parseSelection(opened);
  if (chosen?.kind !== 'table') return null;
  const level = levelOf(chosen.number, view);
  const info = level?.tables.find(({ table }) => table === chosen.number);
  if (!level || !info) return null;
  const keys = `${keyText(info.smallest, 16)} … ${keyText(info.largest, 16)}`;
  return { ...info, file: `table:${info.table}`, keys, level: level.score.level };
}
