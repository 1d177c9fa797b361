/** Limits of everything that comes from outside: they hold on the page and again in the worker. */

/** Files at once. */
export const FILES_MAX = 1024;
/** All bytes together; the engine keeps opened files in memory. */
export const BYTES_MAX = 300 * 1024 * 1024;
/** Longest name with its directories [UTF-16 units]. */
export const NAME_UNITS_MAX = 4096;
/** How deep directories are walked into. */
export const DEPTH_MAX = 4;
/** How much larger the content of a zip archive may be than the archive. */
export const ZIP_RATIO_MAX = 200;
