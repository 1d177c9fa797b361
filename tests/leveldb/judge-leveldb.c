/* What the real LevelDB does with a directory, for foreign/examples/verdicts.rs.
 *
 *   judge-leveldb make DIR SEED   writes a database with tables and a log, and ends without closing it
 *   judge-leveldb open DIR        opens as programs do, without paranoid checks, and prints `refused REASON`, or
 *                                 `opened` and `default COUNT HASH STATUS`, where STATUS is what the walk ended with
 *
 * HASH is FNV-1a over each entry: key, a zero byte, value, a zero byte. */

#include <leveldb/c.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void check(const char *what, char *error) {
  if (error == NULL) return;
  fprintf(stderr, "%s: %s\n", what, error);
  exit(1);
}

static uint64_t state;

static uint64_t next(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state >> 33;
}

static void make(const char *path, const char *seed) {
  state = strtoull(seed, NULL, 10);
  leveldb_options_t *options = leveldb_options_create();
  leveldb_options_set_create_if_missing(options, 1);
  leveldb_options_set_write_buffer_size(options, 64 << 10);
  leveldb_writeoptions_t *write = leveldb_writeoptions_create();
  char *error = NULL;
  int openings = 1 + (int)(next() % 3);
  for (int opening = 0; opening < openings; opening++) {
    leveldb_t *db = leveldb_open(options, path, &error);
    check("open", error);
    int writes = 200 + (int)(next() % 1200);
    for (int number = 0; number < writes; number++) {
      char key[40], value[400];
      int key_length = snprintf(key, sizeof key, "key/%05u", (unsigned)(next() % 3000));
      size_t value_length = next() % sizeof value;
      for (size_t at = 0; at < value_length; at++) value[at] = (char)next();
      if (next() % 6 == 0)
        leveldb_delete(db, write, key, (size_t)key_length, &error);
      else
        leveldb_put(db, write, key, (size_t)key_length, value, value_length, &error);
      check("write", error);
    }
    if (opening + 1 == openings) {
      /* Its flushes are over when nothing waits for them. */
      usleep(20000);
      _exit(0);
    }
    leveldb_close(db);
  }
}

static void hash(uint64_t *sum, const char *bytes, size_t length) {
  for (size_t at = 0; at < length; at++) *sum = (*sum ^ (unsigned char)bytes[at]) * 1099511628211u;
  *sum *= 1099511628211u;
}

static void open_as_programs_do(const char *path) {
  char *error = NULL;
  leveldb_options_t *options = leveldb_options_create();
  leveldb_t *db = leveldb_open(options, path, &error);
  if (error != NULL) {
    printf("refused %s\n", error);
    return;
  }
  puts("opened");
  leveldb_readoptions_t *read = leveldb_readoptions_create();
  leveldb_readoptions_set_verify_checksums(read, 1);
  leveldb_iterator_t *it = leveldb_create_iterator(db, read);
  uint64_t sum = 14695981039346656037u;
  unsigned long count = 0;
  for (leveldb_iter_seek_to_first(it); leveldb_iter_valid(it); leveldb_iter_next(it)) {
    size_t length;
    const char *bytes = leveldb_iter_key(it, &length);
    hash(&sum, bytes, length);
    bytes = leveldb_iter_value(it, &length);
    hash(&sum, bytes, length);
    count++;
  }
  leveldb_iter_get_error(it, &error);
  printf("default %lu %llx %s\n", count, (unsigned long long)sum, error == NULL ? "ok" : error);
  leveldb_iter_destroy(it);
  leveldb_close(db);
}

int main(int count, char **words) {
  if (count == 4 && strcmp(words[1], "make") == 0) make(words[2], words[3]);
  else if (count == 3 && strcmp(words[1], "open") == 0) open_as_programs_do(words[2]);
  else return 2;
  return 0;
}
