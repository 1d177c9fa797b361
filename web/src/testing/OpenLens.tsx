import { useState } from 'react';
import type { Lens } from '../lens/lens';
import { LensView } from '../views/Lens/LensView';
import { Offers } from './Offers';

interface Props {
  lens: Lens;
  onLeave?(): void;
}

/** The view of directories as the page has it: it keeps the opened object, and whether bytes are on show. */
export function OpenLens({ lens, onLeave = () => {} }: Props) {
  const [opened, lookInside] = useState<string | null>(null);
  const [inspecting, inspect] = useState(false);
  return (
    <Offers {...{ lookInside, inspect }}>
      <LensView {...{ lens, onLeave, opened, inspecting }} />
    </Offers>
  );
}
