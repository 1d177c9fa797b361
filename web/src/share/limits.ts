/** The page's limits on dropped files and archives; the engine limits requests. */

/** Deepest directory that is listed. */
export const DEPTH_MAX = 4;
/** How much larger the content of a zip archive may be than the archive. */
export const ZIP_RATIO_MAX = 200;
/** Most files listed; only their names are held. */
export const LISTED_MAX = 100_000;
