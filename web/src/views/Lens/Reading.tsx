import { size } from '../../model/words';
import { useStore } from '../shared/useStore';
import { useDirectory } from './asking';

interface Props {
  /** The object read. */
  what?: string;
  className?: string;
}

/** Shown until an answer arrives: unpacking the tables of an archive takes a while. */
export function Reading({ what = '', className = '' }: Props) {
  const bytes = useStore(useDirectory().reading);
  return (
    <p className={`dim ${className}`}>
      Reading{what} …{bytes > 0 && ` ${size(bytes)} read`}
    </p>
  );
}
