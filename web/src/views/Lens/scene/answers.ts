/** The directory's answers, as the pictures read them. */
export type * from '../../../lens/lens.generated';
