const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Whether `link` leads to a server on this computer, which no other device can reach. */
export function isOnThisComputer(link: string): boolean {
  return URL.canParse(link) && LOOPBACK.test(new URL(link).hostname);
}
