import { OfflineCopy } from '../offline/copy';

/** The copy of the page in a browser without service workers. */
export const noCopy = (): OfflineCopy => new OfflineCopy(new EventTarget() as Window);
