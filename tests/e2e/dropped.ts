// Files as a drop on the page brings them.

import type { JSHandle, Page } from '@playwright/test';

export interface Dropped {
  name: string;
  bytes: readonly number[];
}

/** The data of a drop of `files`. */
export function transferOf(page: Page, files: readonly Dropped[]): Promise<JSHandle<DataTransfer>> {
  return page.evaluateHandle((files) => {
    const transfer = new DataTransfer();
    for (const { name, bytes } of files) {
      transfer.items.add(new File([Uint8Array.from(bytes)], name));
    }
    return transfer;
  }, files);
}
