import { useCallback, useMemo, useState } from 'react';
import { TERMINAL_LINE } from './Layout';
import { hallScale, type Preferences, SCALES, scaleOf } from './preferences';
import { type Room, useRoom } from './useRoom';

/** The page's scale and folded parts, and whether it is presented or dark. */
export type Show = ReturnType<typeof useShow>;

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

type Change = (part: Partial<Preferences>) => void;

/** Whether the terminal is folded, and its height. */
function useTerminal(preferences: Preferences, change: Change, room: Room, isPresented: boolean) {
  const { folded, terminalHeight } = preferences;
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
  const most = room.height * (isPresented ? ANSWER_SHARE : 0.5);
  const open = Math.min(terminalHeight ?? openHeight(room, isPresented), most);
  /** Height of the terminal [px]. */
  const height = isFolded ? TERMINAL_LINE : open;
  return { isFolded, terminalHeight: height, setFolded, setOpened };
}

/** The state of the presentation mode, from preferences and pressed keys. */
export function useShow(
  preferences: Preferences,
  change: Change,
  presentation: { isResumed: boolean; hasAudience: boolean },
  hasLesson: boolean,
) {
  const [isBegun, setPresented] = useState(presentation.isResumed);
  const [isDark, setDark] = useState(false);
  // The window of the audience is made for the hall; this one is then the presenter's.
  const isPresented = isBegun && !presentation.hasAudience;
  const scale = isPresented ? hallScale(preferences.scale, window, hasLesson) : preferences.scale;
  const room = useRoom(scale);
  const { panel } = preferences;
  const hasPanel = !isPresented && (panel ?? room.hasPanel);
  const { setOpened, setFolded, ...terminal } = useTerminal(preferences, change, room, isPresented);
  const { isFolded } = terminal;
  const actions = useMemo(
    () => ({
      /** Time moves: a terminal opened for one command folds. */
      watch: () => setOpened(false),
      /** Darkens the page, or shows it again. */
      curtain: () => setDark((dark) => !dark),
      /** Begins the presentation, or ends it. */
      present: () => {
        setPresented((presented) => !presented);
        setOpened(false);
      },
      /** Makes everything larger or smaller; 0: as it was designed. */
      scale: (direction: 1 | -1 | 0) =>
        change({
          scale: direction === 0 ? 1 : scaleOf(preferences.scale + direction * SCALES.step),
        }),
      /** Folds the terminal to one line, or opens it. */
      fold: () => setFolded(!isFolded),
      unfold: () => setFolded(false),
      /** Hides the side panel, or shows it. */
      panel: () => change({ panel: !hasPanel }),
      /** Ends the darkness; true if there was one. */
      leave: () => {
        setDark(false);
        return isDark;
      },
      /** Ends the presentation; true if there was one. */
      endPresentation: () => {
        setPresented(false);
        return isBegun;
      },
      terminalHeight: (height: number) => change({ terminalHeight: height }),
    }),
    [change, preferences.scale, hasPanel, isFolded, isDark, isBegun, setFolded, setOpened],
  );
  return {
    scale,
    room,
    hasPanel,
    ...terminal,
    isDark,
    /** Whether this window is the one that a hall sees. */
    isPresented,
    /** Whether a presentation is under way, in this window or in one of the audience's. */
    isBegun,
    actions,
  };
}
