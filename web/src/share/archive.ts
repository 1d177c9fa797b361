/** Detects a zip archive. */

const SIGNATURES: readonly (readonly number[])[] = [
  [0x50, 0x4b, 0x03, 0x04],
  // An archive without files.
  [0x50, 0x4b, 0x05, 0x06],
];

/** Whether these bytes begin as a zip archive does. */
export function isArchive({ bytes }: { readonly bytes: Uint8Array }): boolean {
  return SIGNATURES.some((signature) => signature.every((byte, at) => bytes[at] === byte));
}
