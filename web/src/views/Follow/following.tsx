import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { type Followed, followedOf, pathsIn } from '../../model/followed';
import { shownBytes } from '../../model/keys';
import { useAnswer } from '../shared/useAnswer';

const Context = createContext<Followed | null>(null);

/** The followed key with its versions at the step on show; `null` while none is followed. */
export const useFollowed = (): Followed | null => useContext(Context);

/** Paths in a file of the entries that hold versions of the followed key. */
export function useFollowedPaths(file: string): readonly string[] {
  const followed = useFollowed();
  return useMemo(() => pathsIn(followed, file), [followed, file]);
}

/** Fetches the versions of the followed key at the step on show. */
export function Following(props: { followed: string | null; children: ReactNode }) {
  const { followed, children } = props;
  const answer = useAnswer(followed === null ? null : { ask: 'follow', key: shownBytes(followed) });
  const found = answer.state === 'ready' ? answer.result.versions : null;
  const value = useMemo(
    () => (followed === null || found === null ? null : followedOf(followed, found)),
    [followed, found],
  );
  return <Context.Provider value={value}>{children}</Context.Provider>;
}
