// The presenter's clock. Pure.

/** A time as `4:05`, and as `1:04:05` from an hour on. */
export function clockText(elapsedMs: number): string {
  const seconds = Math.max(0, Math.floor(elapsedMs / 1000));
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60];
  const hours = Math.floor(seconds / 3600);
  const all = hours > 0 ? [hours, ...parts] : parts;
  return all.map((part, index) => (index === 0 ? `${part}` : `${part}`.padStart(2, '0'))).join(':');
}

/** Whether more time has passed than was planned; without a plan, never. */
export function isLate(elapsedMs: number, plannedMinutes: number | null): boolean {
  return plannedMinutes !== null && elapsedMs > plannedMinutes * 60_000;
}
