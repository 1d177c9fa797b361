import './Share.css';

import { useEffect, useState } from 'react';
import type { Code } from '../../share/link';

/** A QR code of `text`, dark on white; nothing while its part of the page is fetched. */
export function QrCode({ text }: { text: string }) {
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
