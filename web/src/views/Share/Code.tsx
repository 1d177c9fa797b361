import { useEffect, useState } from 'react';

/** White around a code, without which readers do not find it [modules]. */
const MARGIN = 4;

interface Square {
  modules: number;
  path: string;
}

/** A QR code of `text`, dark on white; nothing while its part of the page is fetched. */
export function Code({ text }: { text: string }) {
  const [square, setSquare] = useState<Square | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const draw = async () => {
      const { encode } = await import('uqr');
      const { size, data } = encode(text, { ecc: 'M', border: MARGIN });
      const cells = data.flatMap((row, y) =>
        row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
      );
      if (isCurrent) setSquare({ modules: size, path: cells.join('') });
    };
    // Without a network it may not be there; the link is.
    draw().catch(() => setSquare(null));
    return () => {
      isCurrent = false;
    };
  }, [text]);
  if (!square) return null;
  return (
    <svg
      className="share-code"
      viewBox={`0 0 ${square.modules} ${square.modules}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label="QR code of the link"
    >
      <path d={square.path} />
    </svg>
  );
}
