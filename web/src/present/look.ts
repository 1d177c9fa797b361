// How the audience's window looks, as the presenter has set it. Pure.

/** The presenter's settings of the audience's window. */
export type Look = typeof FIRST_LOOK;

export const FIRST_LOOK = {
  /** In a lit room, a light theme is easier to read from afar than a dark one. */
  theme: 'light' as 'light' | 'dark',
  /** Size of everything, relative to what the window suggests; see {@link AUDIENCE_SCALES}. */
  scale: 1,
  /** Nothing is shown: the room looks at the lecturer. */
  black: false,
  /** All but the selected object is dimmed. */
  spotlight: false,
  /** The link of the QR code on show; `null`: none is. */
  code: null as string | null,
};

/** The least and the greatest scale, and one step. */
export const AUDIENCE_SCALES = { least: 0.8, most: 1.6, step: 0.1 } as const;

/** The look one size larger or smaller; 0: as it was designed. */
export function scaled(look: Look, direction: 1 | -1 | 0): Look {
  const { least, most, step } = AUDIENCE_SCALES;
  const wanted = direction === 0 ? 1 : look.scale + direction * step;
  return { ...look, scale: Math.round(Math.min(Math.max(wanted, least), most) * 10) / 10 };
}
