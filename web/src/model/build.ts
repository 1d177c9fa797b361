// Page and workers belong to one build.

declare const LEVELSCOPE_BUILD: string;

/** The hash of the sources of this build. */
export const BUILD = LEVELSCOPE_BUILD;

/** Throws in a worker that a page of another build, by whose hash the worker is called, has started. */
export function requireSameBuild({ name }: { readonly name: string }): void {
  if (name !== BUILD) {
    throw new Error('The page and its engine are of different versions; reload the page.');
  }
}
