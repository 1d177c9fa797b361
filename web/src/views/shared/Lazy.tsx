import { type ReactNode, useEffect, useState } from 'react';
import { Action } from './buttons';
import type { LazyPart } from './lazyPart';

interface Props<Module> {
  part: LazyPart<Module>;
  /** The name of the part, after "the": `charts`. */
  name: string;
  /** Takes its place while it is not there. */
  instead?: ReactNode;
  children(module: Module): ReactNode;
}

type State = 'fetching' | 'failed' | 'there';

/** Shows content that needs a part fetched on first use. If the fetch fails, only this place is missing, and offers to try again. */
export function Lazy<Module>({ part, name, instead, children }: Props<Module>) {
  const [state, setState] = useState<State>(part.loaded ? 'there' : 'fetching');
  useEffect(() => {
    if (state !== 'fetching') return;
    let over = false;
    const enter = (next: State) => () => {
      if (!over) setState(next);
    };
    part.load().then(enter('there'), enter('failed'));
    return () => {
      over = true;
    };
  }, [part, state]);
  if (part.loaded && state === 'there') return children(part.loaded);
  if (state === 'fetching') return <p className="dim part-wait">Loading the {name} …</p>;
  return (
    <>
      <p className="part-missing" role="status">
        The {name} could not be fetched from the server; everything else goes on.{' '}
        <Action onClick={() => setState('fetching')}>Try again</Action>
      </p>
      {instead}
    </>
  );
}
