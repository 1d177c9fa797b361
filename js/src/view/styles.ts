// The styles of everything that the element draws: the build turns each imported style sheet into an entry.

export const styles: string[] = [];

let sheet: CSSStyleSheet | undefined;

/** Lets the styles apply inside `root`, and only there. */
export function adoptStyles(root: ShadowRoot) {
  if (sheet === undefined) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(styles.join('\n'));
  }
  root.adoptedStyleSheets = [sheet];
}
