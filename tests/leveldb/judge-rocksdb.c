/* What the real RocksDB does with a directory, for foreign/examples/verdicts.rs.
 *
 *   judge-rocksdb make DIR SEED   writes a database of two families with tables and logs, and ends without closing it
 *   judge-rocksdb open DIR        opens all families, and prints `refused REASON`, or `opened` and a line for each family:
 *                                 `NAME COUNT HASH STATUS`, where STATUS is what the walk ended with
 *
 * HASH is FNV-1a over each entry: key, a zero byte, value, a zero byte. */

#include <rocksdb/c.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FAMILIES_MAX 8

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
  rocksdb_options_t *options = rocksdb_options_create();
  rocksdb_options_set_create_if_missing(options, 1);
  rocksdb_options_set_create_missing_column_families(options, 1);
  rocksdb_options_set_compression(options, rocksdb_no_compression);
  rocksdb_options_set_disable_auto_compactions(options, (int)(next() % 2));
  rocksdb_writeoptions_t *write = rocksdb_writeoptions_create();
  rocksdb_flushoptions_t *flush = rocksdb_flushoptions_create();
  const char *names[] = {"default", "cold"};
  const rocksdb_options_t *all[] = {options, options};
  int openings = 1 + (int)(next() % 2);
  char *error = NULL;
  for (int opening = 0; opening < openings; opening++) {
    rocksdb_column_family_handle_t *families[2];
    rocksdb_t *db = rocksdb_open_column_families(options, path, 2, names, all, families, &error);
    check("open", error);
    int writes = 100 + (int)(next() % 600), every = 60 + (int)(next() % 300);
    for (int number = 0; number < writes; number++) {
      char key[40], value[200];
      int key_length = snprintf(key, sizeof key, "key/%05u", (unsigned)(next() % 1000));
      size_t value_length = next() % sizeof value;
      for (size_t at = 0; at < value_length; at++) value[at] = (char)next();
      rocksdb_column_family_handle_t *family = families[next() % 4 == 0];
      if (next() % 6 == 0)
        rocksdb_delete_cf(db, write, family, key, (size_t)key_length, &error);
      else
        rocksdb_put_cf(db, write, family, key, (size_t)key_length, value, value_length, &error);
      check("write", error);
      if (number % every == every - 1) rocksdb_flush_cf(db, flush, families[next() % 4 == 0], &error);
      check("flush", error);
    }
    if (opening + 1 == openings) {
      usleep(20000);
      _exit(0);
    }
    for (int family = 0; family < 2; family++) rocksdb_column_family_handle_destroy(families[family]);
    rocksdb_close(db);
  }
}

static void hash(uint64_t *sum, const char *bytes, size_t length) {
  for (size_t at = 0; at < length; at++) *sum = (*sum ^ (unsigned char)bytes[at]) * 1099511628211u;
  *sum *= 1099511628211u;
}

static void open_all(const char *path) {
  char *error = NULL;
  rocksdb_options_t *options = rocksdb_options_create();
  size_t count = 0;
  char **names = rocksdb_list_column_families(options, path, &count, &error);
  rocksdb_column_family_handle_t *families[FAMILIES_MAX];
  const rocksdb_options_t *all[FAMILIES_MAX];
  for (size_t at = 0; at < FAMILIES_MAX; at++) all[at] = options;
  rocksdb_t *db = NULL;
  if (error == NULL && count <= FAMILIES_MAX)
    db = rocksdb_open_column_families(options, path, (int)count, (const char *const *)names, all, families, &error);
  if (db == NULL) {
    printf("refused %s\n", error);
    return;
  }
  puts("opened");
  rocksdb_readoptions_t *read = rocksdb_readoptions_create();
  rocksdb_readoptions_set_verify_checksums(read, 1);
  for (size_t family = 0; family < count; family++) {
    rocksdb_iterator_t *it = rocksdb_create_iterator_cf(db, read, families[family]);
    uint64_t sum = 14695981039346656037u;
    unsigned long entries = 0;
    for (rocksdb_iter_seek_to_first(it); rocksdb_iter_valid(it); rocksdb_iter_next(it)) {
      size_t length;
      const char *bytes = rocksdb_iter_key(it, &length);
      hash(&sum, bytes, length);
      bytes = rocksdb_iter_value(it, &length);
      hash(&sum, bytes, length);
      entries++;
    }
    error = NULL;
    rocksdb_iter_get_error(it, &error);
    printf("%s %lu %llx %s\n", names[family], entries, (unsigned long long)sum, error == NULL ? "ok" : error);
    rocksdb_iter_destroy(it);
  }
  fflush(stdout);
  _exit(0);
}

int main(int count, char **words) {
  if (count == 4 && strcmp(words[1], "make") == 0) make(words[2], words[3]);
  else if (count == 3 && strcmp(words[1], "open") == 0) open_all(words[2]);
  else return 2;
  return 0;
}
