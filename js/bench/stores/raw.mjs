// A bare file of the origin: what a store above it cannot exceed. Lookups are reads of 4 KiB at random places.

import { batches } from '../data.mjs';

/** Bytes of a log beside keys and values, about [bytes per entry]. */
const RECORD_OVERHEAD_BYTES = 30;
const KEY_BYTES = 16;
const BLOCK_BYTES = 4096;
const CHUNK_BYTES = 1 << 20;

export class RawStore {
  #handle;
  #bytes = 0;
  #record;

  async open(name) {
    const directory = await navigator.storage.getDirectory();
    const file = await directory.getFileHandle(name, { create: true });
    this.#handle = await file.createSyncAccessHandle();
    this.#bytes = this.#handle.getSize();
  }

  close() {
    this.#handle.close();
  }

  #append(bytes) {
    this.#handle.write(bytes, { at: this.#bytes });
    this.#bytes += bytes.byteLength;
  }

  fill({ entries, valueBytes }, size) {
    this.#record = new Uint8Array(KEY_BYTES + valueBytes + RECORD_OVERHEAD_BYTES).fill(108);
    for (const [start, end] of batches(entries, size)) {
      this.#append(new Uint8Array((end - start) * this.#record.byteLength));
    }
  }

  put() {
    this.#append(this.#record);
  }

  putDurable() {
    this.#append(this.#record);
    this.#handle.flush();
  }

  present({ present }) {
    const block = new Uint8Array(BLOCK_BYTES);
    const blocks = Math.floor(this.#bytes / BLOCK_BYTES);
    for (let index = 0; index < present.length; index++) {
      this.#handle.read(block, { at: ((index * 7919) % blocks) * BLOCK_BYTES });
    }
  }

  scan({ entries }) {
    const chunk = new Uint8Array(CHUNK_BYTES);
    const end = entries * this.#record.byteLength;
    for (let at = 0; at < end; at += CHUNK_BYTES) this.#handle.read(chunk, { at });
    return entries;
  }

  get() {
    return this.#handle.read(new Uint8Array(BLOCK_BYTES), { at: 0 });
  }
}
