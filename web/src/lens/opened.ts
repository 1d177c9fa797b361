// The result of opening a directory, on the page's side.

import type { LensClient, OnProgress } from './client';
import type { LensState } from './lens';
import type { Problem } from './lens.generated';
import type { Source } from './protocol';

/** Opens a directory, and asks for its overview. */
export async function opened(
  client: LensClient,
  source: Source,
  folder: string | null,
  show: OnProgress,
): Promise<{ state: LensState; leftOut: readonly Problem[] }> {
  const { name } = source;
  const found = await client.open(source, folder, show);
  if ('folders' in found) {
    return { state: { state: 'choosing', name, folders: found.folders }, leftOut: [] };
  }
  const { leftOut } = found;
  const answer = await client.ask({ ask: 'overview' }, show);
  const overview = { ...answer, problems: [...leftOut, ...answer.problems] };
  return { state: { state: 'open', name, folder: found.folder, overview, work: null }, leftOut };
}
