import { createContext, useContext, useSyncExternalStore } from 'react';
import { createStore, type Store } from '../../model/store';
import { size } from '../../model/words';

/** Bytes that were read for the question at work. */
const context = createContext<Store<number>>(createStore(0));
export const ReadingProvider = context.Provider;

interface Props {
  /** The object read. */
  what?: string;
  className?: string;
}

/** In the place of an answer that is on its way: tables of an archive take a while to be unpacked. */
export function Reading({ what = '', className = '' }: Props) {
  const { subscribe, get } = useContext(context);
  const bytes = useSyncExternalStore(subscribe, get);
  return (
    <p className={`dim ${className}`}>
      Reading{what} …{bytes > 0 && ` ${size(bytes)} read`}
    </p>
  );
}
