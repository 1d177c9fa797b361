// IndexedDB in the same kind of worker: one object store whose keys and values are bytes.

import { batches, check } from '../data.mjs';

const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const committed = (transaction) =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });

export class IndexedDbStore {
  #db;

  async open(name) {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore('kv');
    this.#db = await done(request);
  }

  close() {
    this.#db.close();
  }

  #begin(mode, durability) {
    return this.#db.transaction('kv', mode, { durability });
  }

  async fill({ keys, values }, size) {
    for (const [start, end] of batches(keys.length, size)) {
      const transaction = this.#begin('readwrite', 'relaxed');
      const kv = transaction.objectStore('kv');
      for (let at = start; at < end; at++) kv.put(values[at], keys[at]);
      await committed(transaction);
    }
  }

  #put(key, value, durability) {
    const transaction = this.#begin('readwrite', durability);
    transaction.objectStore('kv').put(value, key);
    transaction.commit();
    return committed(transaction);
  }

  put(key, value) {
    return this.#put(key, value, 'relaxed');
  }

  putDurable(key, value) {
    return this.#put(key, value, 'strict');
  }

  get(key) {
    return done(this.#begin('readonly', 'default').objectStore('kv').get(key));
  }

  async present(data) {
    for (const key of data.present) check(await this.get(key), data);
  }

  async presentMany(data, size) {
    for (const [start, end] of batches(data.present.length, size)) {
      const kv = this.#begin('readonly', 'default').objectStore('kv');
      const keys = data.present.slice(start, end);
      for (const value of await Promise.all(keys.map((key) => done(kv.get(key))))) {
        check(value, data);
      }
    }
  }

  async absent(data) {
    for (const key of data.absent) {
      if ((await this.get(key)) !== undefined) throw new Error('it is absent');
    }
  }

  async scan() {
    const kv = this.#begin('readonly', 'default').objectStore('kv');
    const [keys, values] = await Promise.all([done(kv.getAllKeys()), done(kv.getAll())]);
    return Math.min(keys.length, values.length);
  }
}
