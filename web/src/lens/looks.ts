// Whether files may be a directory of another engine, by their names alone: part of the page from the start, so that
// everything else of the lens is fetched for such files only.

/** Files that say which tables count. */
const TELLING = /^(CURRENT|MANIFEST-\d+|marker\.manifest\..+)$/;
/** Every file of a database of other engines. */
const OF_DATABASE =
  /^(CURRENT|IDENTITY|LOCK|LOG(\.old.*)?|MANIFEST-\d+|OPTIONS-\d+|marker\..+|\d+(-\d+)?\.(sst|ldb|log|blob)|.+\.dbtmp)$/;
/** Logs of Levelscope's own databases. */
const OWN = /\.wal$/;

function split(path: string): { folder: string; name: string } {
  const at = path.lastIndexOf('/') + 1;
  return { folder: path.slice(0, at), name: path.slice(at) };
}

/**
 * Whether files with these paths look like a directory of another engine. A guess by names, so that the module is
 * fetched for such directories only; the module decides. `isWhole`: the files are all of an archive, also those without
 * a folder, and not some that were dropped together.
 */
export function looksForeign(paths: readonly string[], isWhole = false): boolean {
  const files = paths.map(split);
  const telling = new Set(
    files.filter(({ name }) => TELLING.test(name)).map(({ folder }) => folder),
  );
  for (const { folder, name } of files) if (OWN.test(name)) telling.delete(folder);
  // Single files that were dropped together are one directory only if all of them are.
  const isMixed = files.length < 2 || files.some(({ name }) => !OF_DATABASE.test(name));
  if (telling.has('') && !isWhole && isMixed) telling.delete('');
  return telling.size > 0;
}
