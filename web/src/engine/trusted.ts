import lensAddress from '../lens/lensWorker.ts?worker&url';
import workerAddress from './worker.ts?worker&url';

/** The engine's worker. */
export const WORKER = workerAddress;
/** The worker that reads directories of other engines. */
export const LENS_WORKER = lensAddress;
/** The service worker, beside the page: it answers for the directory that it is in. */
export const SERVICE_WORKER = './sw.js';

/** The part of the browser's trusted types that is used here. */
interface Policy {
  createScriptURL(text: string): string;
}
interface TrustedTypes {
  createPolicy(name: string, rules: Policy): Policy;
}

let policy: Policy | null = null;

/** The scripts that the page starts by their addresses; the Content-Security-Policy lets no other be named. */
export function trusted(address: string): string {
  if (!('trustedTypes' in window)) return address;
  const { trustedTypes } = window as unknown as { trustedTypes: TrustedTypes };
  policy ??= trustedTypes.createPolicy('levelscope', { createScriptURL: same });
  return policy.createScriptURL(address);
}

function same(address: string): string {
  if (![WORKER, LENS_WORKER, SERVICE_WORKER].includes(address)) {
    throw new TypeError(`${address} is not a script of this page`);
  }
  return address;
}
