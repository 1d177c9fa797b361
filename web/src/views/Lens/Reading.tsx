import { useSyncExternalStore } from 'react';
import { size } from '../../model/words';
import { useDirectory } from './asking';

interface Props {
  /** The object read. */
  what?: string;
  className?: string;
}

/** Shown until an answer arrives: unpacking the tables of an archive takes a while. */
export function Reading({ what = '', className = '' }: Props) {
  const { subscribe, get } = useDirectory().reading;
  const bytes = useSyncExternalStore(subscribe, get);
  return (
    <p className={`dim ${className}`}>
      Reading{what} …{bytes > 0 && ` ${size(bytes)} read`}
    </p>
  );
}
