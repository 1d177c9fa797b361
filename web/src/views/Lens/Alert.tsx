/** The triangle of damaged and missing files, with its tip at a place of a picture [px]. */
export function Alert({ x, y }: { x: number; y: number }) {
  return <path className="lens-alert" d={`M${x.toFixed(1)} ${y.toFixed(1)}l8 13h-16z`} />;
}
