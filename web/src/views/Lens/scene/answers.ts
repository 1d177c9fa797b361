/** What the directory answers, as the pictures read it. */
export type * from '../../../lens/lens.generated';
