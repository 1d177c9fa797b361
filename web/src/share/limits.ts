/** Limits of what comes from outside that only the page knows; those of requests are the engine's. */

/** How deep directories are walked into. */
export const DEPTH_MAX = 4;
/** How much larger the content of a zip archive may be than the archive. */
export const ZIP_RATIO_MAX = 200;
/** Files that are listed at once, of which only names are held. */
export const LISTED_MAX = 100_000;
