/** Writes the service worker for the page that was built into `directory`. */
export function buildServiceWorker(directory?: string): Promise<void>;
