/** A file from outside: its name with directories, and all its bytes. */
export interface ForeignFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}
