import { useState } from 'react';
import type { Lens } from '../lens/lens';
import { LensView } from '../views/Lens/LensView';
import { Offers } from './Offers';

interface Props {
  lens: Lens;
  address?: string;
  onLeave?(): void;
}

/** The view of directories as the page has it: it keeps its name, the opened object, and whether bytes are on show. */
export function OpenLens({ lens, address = '', onLeave = () => {} }: Props) {
  const [opened, lookInside] = useState<string | null>(null);
  const [inspecting, inspect] = useState(false);
  const [name, setName] = useState(address);
  const onDirectory = (name: string) => {
    setName(name);
    lookInside(null);
    inspect(false);
  };
  return (
    <Offers {...{ lookInside, inspect }}>
      <LensView {...{ lens, name, onDirectory, onLeave, opened, inspecting }} />
    </Offers>
  );
}
