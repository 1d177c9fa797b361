import { useCallback, useMemo, useState } from 'react';
import { TERMINAL_LINE } from './Layout';
import { hallScale, type Preferences, SCALES, scaleOf } from './preferences';
import { type Room, useRoom } from './useRoom';

/** The page's scale and folded parts, and whether it is presented or dark. */
export interface Show {
  scale: number;
  room: Room;
  hasPanel: boolean;
  isFolded: boolean;
  isDark: boolean;
  /** Whether this window is the one that a hall sees. */
  isPresented: boolean;
  /** Whether a presentation is under way, in this window or in one of the audience's. */
  isBegun: boolean;
  /** Height of the terminal [px]. */
  terminalHeight: number;
  actions: ShowActions;
}

export interface ShowActions {
  /** Time moves: a terminal opened for one command folds. */
  watch(): void;
  /** Darkens the page, or shows it again. */
  curtain(): void;
  /** Begins the presentation, or ends it. */
  present(): void;
  /** Makes everything larger or smaller; 0: as it was designed. */
  scale(direction: 1 | -1 | 0): void;
  /** Folds the terminal to one line, or opens it. */
  fold(): void;
  unfold(): void;
  /** Hides the side panel, or shows it. */
  panel(): void;
  /** Ends the darkness; true if there was one. */
  leave(): boolean;
  /** Ends the presentation; true if there was one. */
  endPresentation(): boolean;
  terminalHeight(height: number): void;
}

/** Share of the height that the terminal has in a presentation, while it is open. */
const ANSWER_SHARE = 0.28;
/** Lines of the open terminal: six in a window of a projector, ten in that of a laptop; the height of one [px]. */
const LINES = { of: 720, few: 6, perLine: 45, least: 4, most: 13 };
const LINE = 19;

/** Height of the open terminal beside the stage [px]. */
function openHeight({ height }: Room, isPresented: boolean): number {
  // Until time moves again, the room reads what was typed and answered.
  if (isPresented) return Math.round(height * ANSWER_SHARE);
  const lines = LINES.few + (height - LINES.of) / LINES.perLine;
  return (
    TERMINAL_LINE + LINE * (Math.floor(Math.min(Math.max(lines, LINES.least), LINES.most)) - 1)
  );
}

/** The state of the presentation mode, from preferences and pressed keys. */
export function useShow(
  preferences: Preferences,
  change: (part: Partial<Preferences>) => void,
  presentation: { isResumed: boolean; hasAudience: boolean },
  hasLesson: boolean,
): Show {
  const [isBegun, setPresented] = useState(presentation.isResumed);
  const [isDark, setDark] = useState(false);
  // The window of the audience is made for the hall; this one is then the presenter's.
  const isPresented = isBegun && !presentation.hasAudience;
  const scale = isPresented ? hallScale(preferences.scale, window, hasLesson) : preferences.scale;
  const room = useRoom(scale);
  const { panel, folded, terminalHeight } = preferences;
  const hasPanel = !isPresented && (panel ?? room.hasPanel);
  // In a low room the open terminal would leave too little of the stage.
  const [opened, setOpened] = useState(false);
  const isFolded = isPresented || room.isLow ? !opened : folded;
  const setFolded = useCallback(
    (fold: boolean) => {
      setOpened(!fold);
      if (!isPresented && !room.isLow) change({ folded: fold });
    },
    [change, isPresented, room.isLow],
  );
  const actions = useMemo(
    () => ({
      watch: () => setOpened(false),
      curtain: () => setDark((dark) => !dark),
      present: () => {
        setPresented((presented) => !presented);
        setOpened(false);
      },
      scale: (direction: 1 | -1 | 0) =>
        change({
          scale: direction === 0 ? 1 : scaleOf(preferences.scale + direction * SCALES.step),
        }),
      fold: () => setFolded(!isFolded),
      unfold: () => setFolded(false),
      panel: () => change({ panel: !hasPanel }),
      leave: () => {
        setDark(false);
        return isDark;
      },
      endPresentation: () => {
        setPresented(false);
        return isBegun;
      },
      terminalHeight: (height: number) => change({ terminalHeight: height }),
    }),
    [change, preferences.scale, hasPanel, isFolded, isDark, isBegun, setFolded],
  );
  const most = room.height * (isPresented ? ANSWER_SHARE : 0.5);
  const open = Math.min(terminalHeight ?? openHeight(room, isPresented), most);
  return {
    scale,
    room,
    hasPanel,
    isFolded,
    isDark,
    isPresented,
    isBegun,
    terminalHeight: isFolded ? TERMINAL_LINE : open,
    actions,
  };
}
