/** A file from outside: what it is called, with its directories, and all its bytes. */
export interface ForeignFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}
