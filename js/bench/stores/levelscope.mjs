// This package in a dedicated worker: files of the origin, calls in the same thread.

import { Levelscope } from '../../dist/browser.js';
import { batches, check } from '../data.mjs';

const BYTES = { keyEncoding: 'view', valueEncoding: 'view' };

export class LevelscopeStore {
  #db;

  async open(name) {
    this.#db = new Levelscope(name, BYTES);
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

  /** A promise only where a table has to be opened first. */
  #value(key) {
    try {
      return this.#db.getSync(key);
    } catch (error) {
      if (error.code !== 'LEVELSCOPE_BLOCKED') throw error;
      return this.#db.get(key);
    }
  }

  async present(data) {
    for (const key of data.present) {
      const value = this.#value(key);
      check(value instanceof Promise ? await value : value, data);
    }
  }

  async presentMany(data, size) {
    for (const [start, end] of batches(data.present.length, size)) {
      const values = await this.#db.packed.getMany(data.present.slice(start, end));
      while (values.next()) {
        if (values.end - values.start !== data.valueBytes) throw new Error('a value is missing');
      }
    }
  }

  async absent(data) {
    for (const key of data.absent) {
      const value = this.#value(key);
      const found = value instanceof Promise ? await value : value;
      if (found !== undefined) throw new Error('it is absent');
    }
  }

  async scan({ valueBytes }) {
    const scan = this.#db.packed.scan();
    let seen = 0;
    for (;;) {
      const page = await scan.next();
      if (page === undefined) return seen;
      while (page.next()) if (page.valueEnd - page.keyEnd === valueBytes) seen += 1;
    }
  }

  get(key) {
    return this.#db.get(key);
  }
}
