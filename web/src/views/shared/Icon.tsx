/** A small picture on a button; the button also has a name in words. */
export function Icon({ d }: { d: string }) {
  return (
    <svg viewBox="0 0 16 16" width={14} height={14} aria-hidden="true">
      <path d={d} fill="currentColor" />
    </svg>
  );
}
