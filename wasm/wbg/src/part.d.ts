/** Adds the part that is fetched later to the initialized module; `bytes`: its content, where the caller has it. */
export function loadPart(bytes?: Uint8Array<ArrayBuffer>): Promise<void>;
