// SQLite in the same kind of worker, on its pool of OPFS handles, with its log in WAL mode.

import sqlite3InitModule from '@sqlite.org/sqlite-wasm';
import { batches, check } from '../data.mjs';

const SETTINGS = 'PRAGMA locking_mode=exclusive; PRAGMA journal_mode=wal;';
const TABLE = 'CREATE TABLE IF NOT EXISTS kv (k BLOB PRIMARY KEY, v BLOB NOT NULL) WITHOUT ROWID';

let loaded;

export class SqliteStore {
  #pool;
  #db;
  #statements;

  async open(name) {
    if (this.#pool === undefined) {
      loaded ??= sqlite3InitModule();
      const sqlite = await loaded;
      this.#pool = await sqlite.installOpfsSAHPoolVfs({ name, directory: name });
    } else await this.#pool.unpauseVfs();
    this.#db = new this.#pool.OpfsSAHPoolDb('/bench.db');
    this.#db.exec(SETTINGS);
    this.#synchronous('NORMAL');
    this.#db.exec(TABLE);
    const prepared = (text) => this.#db.prepare(text);
    this.#statements = {
      put: prepared('INSERT OR REPLACE INTO kv VALUES (?, ?)'),
      get: prepared('SELECT v FROM kv WHERE k = ?'),
      scan: prepared('SELECT k, v FROM kv ORDER BY k'),
    };
  }

  #synchronous(mode) {
    this.#db.exec(`PRAGMA synchronous=${mode}`);
  }

  /** Gives back the handles, too: opening takes them again. */
  close() {
    for (const statement of Object.values(this.#statements)) statement.finalize();
    this.#db.close();
    this.#pool.pauseVfs();
  }

  async fill({ keys, values }, size) {
    const { put } = this.#statements;
    for (const [start, end] of batches(keys.length, size)) {
      this.#db.exec('BEGIN');
      for (let at = start; at < end; at++) {
        put.bind(1, keys[at]).bind(2, values[at]).stepReset();
      }
      this.#db.exec('COMMIT');
    }
  }

  put(key, value) {
    this.#statements.put.bind(1, key).bind(2, value).stepReset();
  }

  beginDurable() {
    this.#synchronous('FULL');
  }

  putDurable(key, value) {
    this.put(key, value);
  }

  #value(key) {
    const { get } = this.#statements;
    get.bind(1, key);
    const value = get.step() ? get.get(0) : undefined;
    get.reset();
    return value;
  }

  present(data) {
    for (const key of data.present) check(this.#value(key), data);
  }

  /** Nothing is faster than one statement for each key. */
  presentMany(data) {
    this.present(data);
  }

  absent(data) {
    for (const key of data.absent) {
      if (this.#value(key) !== undefined) throw new Error('it is absent');
    }
  }

  scan() {
    const { scan } = this.#statements;
    let seen = 0;
    while (scan.step()) {
      if (scan.get(0).byteLength > 0 && scan.get(1).byteLength > 0) seen += 1;
    }
    scan.reset();
    return seen;
  }

  get(key) {
    return this.#value(key);
  }
}
