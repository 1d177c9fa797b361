// This package in a dedicated worker: files of the origin, calls in the same thread.

import { Levelscope } from '../../dist/browser.js';
import { batches, check } from './data.mjs';

const BYTES = { keyEncoding: 'view', valueEncoding: 'view' };
const PAGE_ENTRIES = 1000;

export class LevelscopeStore {
  #name;
  #db;

  constructor(name) {
    this.#name = name;
  }

  async open() {
    this.#db = new Levelscope(this.#name, BYTES);
    await this.#db.open();
  }

  close() {
    return this.#db.close();
  }

  async fill({ keys, values }, size) {
    for (const [start, end] of batches(keys.length, size)) {
      const batch = [];
      for (let at = start; at < end; at++) {
        batch.push({ type: 'put', key: keys[at], value: values[at] });
      }
      await this.#db.batch(batch);
    }
  }

  put(key, value) {
    return this.#db.put(key, value);
  }

  putDurable(key, value) {
    return this.#db.put(key, value, { sync: true });
  }

  async present(data) {
    for (const key of data.present) check(await this.#db.get(key), data);
  }

  async absent(data) {
    for (const key of data.absent) if (await this.#db.has(key)) throw new Error('it is absent');
  }

  async scan() {
    const iterator = this.#db.iterator();
    let seen = 0;
    for (;;) {
      const page = await iterator.nextv(PAGE_ENTRIES);
      if (page.length === 0) break;
      seen += page.length;
    }
    await iterator.close();
    return seen;
  }

  get(key) {
    return this.#db.get(key);
  }
}
