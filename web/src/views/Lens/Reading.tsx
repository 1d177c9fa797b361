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

/** Shown until an answer arrives: unpacking the tables of an archive takes a while. */
export function Reading({ what = '', className = '' }: Props) {
  const { subscribe, get } = useContext(context);
  const bytes = useSyncExternalStore(subscribe, get);
  return (
    <p className={`dim ${className}`}>
      Reading{what} …{bytes > 0 && ` ${size(bytes)} read`}
    </p>
  );
}
