import './Share.css';

import { useEffect, useState } from 'react';
import type { Code } from '../../share/link';
import { isOnThisComputer } from '../../share/thisComputer';

/** A QR code of a link; where no phone can reach the link, the reason instead. */
export function QrCode({ text }: { text: string }) {
  return isOnThisComputer(text) ? (
    <p className="note-box is-bad share-local" role="note">
      This address is on this computer only: no other device can open it. Put the page on a web
      server first.
    </p>
  ) : (
    <Drawn text={text} />
  );
}

/** Dark on white; nothing while its part of the page is fetched. */
function Drawn({ text }: { text: string }) {
  const [code, setCode] = useState<Code | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const draw = async () => {
      const { codeOf } = await import('../../share/link');
      if (isCurrent) setCode(codeOf(text));
    };
    // Without a network the code may be missing; the link is still shown.
    draw().catch(() => setCode(null));
    return () => {
      isCurrent = false;
    };
  }, [text]);
  if (!code) return null;
  return (
    <svg
      className="share-code"
      viewBox={`0 0 ${code.modules} ${code.modules}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label="QR code of the link"
    >
      <path d={code.path} />
    </svg>
  );
}
