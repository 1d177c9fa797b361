/** Adds the part that is fetched later to the initialized module; `bytes`: its content, where the caller has it. */
export function loadPart(bytes?: Uint8Array<ArrayBuffer>): Promise<void>;
/** How the part is read at once when a function of it is called before it is there. */
export function readPartBy(source: () => Uint8Array<ArrayBuffer>): void;
/** The module was stopped amid a call, because the rest of it did not come: it cannot be used any more. */
export class PartMissing extends Error {}
