// Page and workers belong to one build.

declare const LEVELSCOPE_BUILD: string | undefined;

/** The hash of the sources of this build; empty where a tool builds a part without one. */
export const BUILD = typeof LEVELSCOPE_BUILD === 'undefined' ? '' : LEVELSCOPE_BUILD;

/** Throws in a worker that was started by a page of another build: a page names its workers by its own hash. */
export function requireSameBuild({ name }: { readonly name: string }): void {
  if (name !== '' && BUILD !== '' && name !== BUILD) {
    throw new Error('The page and its engine are of different versions; reload the page.');
  }
}
