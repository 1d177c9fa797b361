/** Highlights and labels of the picture's objects. */

export interface LensMarks {
  unit: number;
  selected: string | null;
  active: string | null;
  overlapped: ReadonlySet<string>;
  /** Whether it is a step before the last one: absent files were deleted since. */
  isPast: boolean;
  onHover(id: string | null): void;
  onSelect(id: string): void;
}

/** Attributes that make an element a selectable object of the picture. */
export function pickable(id: string, marks: LensMarks, className: string, label: string) {
  return {
    id: lensId(id),
    className: marks.active === id ? `${className} is-active` : className,
    role: 'option',
    'aria-selected': marks.selected === id,
    'aria-label': label,
    onClick: () => marks.onSelect(id),
    onPointerEnter: () => marks.onHover(id),
    onPointerLeave: () => marks.onHover(null),
  };
}

/** The DOM id of an object of the picture. */
export function lensId(id: string): string {
  return `lens-${id.replace(/[^a-z0-9]/gi, '-')}`;
}
