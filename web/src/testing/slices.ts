/** A file of a test: it is sliced as a `Blob`, and read at once. */
export class SliceBlob {
  constructor(readonly bytes: Uint8Array<ArrayBuffer>) {}

  get size(): number {
    return this.bytes.length;
  }

  slice(start: number, end: number = this.size): SliceBlob {
    return new SliceBlob(this.bytes.slice(start, end));
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(this.bytes);
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return this.bytes.slice().buffer;
  }
}

/** The file of these bytes. */
export function blobOf(bytes: Uint8Array): Blob {
  return new SliceBlob(new Uint8Array(bytes)) as unknown as Blob;
}

/** Reads a slice at once, as `FileReaderSync` does in a worker. */
export function readSlice(slice: Blob): ArrayBuffer {
  return (slice as unknown as SliceBlob).bytes.slice().buffer;
}
