/* Drives the real LevelDB for formats/examples/leveldb.rs.
 *
 *   leveldb exercise DIR    opens with paranoid checks, reads everything forward, backward and key by key,
 *                           writes 50 entries, compacts everything, opens again; prints both contents
 *   leveldb make DIR SEED   writes a database with several levels and a log; prints its content
 *   leveldb hold DIR        opens, prints "held", and closes at the end of standard input
 *
 * Content is one line an entry: `before KEY VALUE` or `after KEY VALUE`, in hexadecimal. */

#include <leveldb/c.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(const char *what, char *error) {
  if (error == NULL) return;
  fprintf(stderr, "%s: %s\n", what, error);
  exit(1);
}

static void fail(const char *what) {
  fprintf(stderr, "%s\n", what);
  exit(1);
}

static leveldb_t *open_database(const char *path, leveldb_options_t *options) {
  char *error = NULL;
  leveldb_t *db = leveldb_open(options, path, &error);
  check("open", error);
  return db;
}

static void print_hex(const char *bytes, size_t length) {
  static const char digits[] = "0123456789abcdef";
  putchar(' ');
  for (size_t at = 0; at < length; at++) {
    unsigned char byte = (unsigned char)bytes[at];
    putchar(digits[byte >> 4]);
    putchar(digits[byte & 15]);
  }
}

/* Reads every entry in each way there is, checksums verified. */
static void dump(leveldb_t *db, const char *word) {
  leveldb_readoptions_t *read = leveldb_readoptions_create();
  leveldb_readoptions_set_verify_checksums(read, 1);
  leveldb_iterator_t *it = leveldb_create_iterator(db, read);
  size_t forward = 0, backward = 0;
  char *error = NULL;
  for (leveldb_iter_seek_to_first(it); leveldb_iter_valid(it); leveldb_iter_next(it)) {
    size_t key_length, value_length, got_length;
    const char *key = leveldb_iter_key(it, &key_length);
    const char *value = leveldb_iter_value(it, &value_length);
    fputs(word, stdout);
    print_hex(key, key_length);
    print_hex(value, value_length);
    putchar('\n');
    char *got = leveldb_get(db, read, key, key_length, &got_length, &error);
    check("get", error);
    if (got == NULL || got_length != value_length || memcmp(got, value, got_length) != 0)
      fail("get gives another value than the iterator");
    leveldb_free(got);
    forward++;
  }
  leveldb_iter_get_error(it, &error);
  check("forward", error);
  for (leveldb_iter_seek_to_last(it); leveldb_iter_valid(it); leveldb_iter_prev(it)) backward++;
  leveldb_iter_get_error(it, &error);
  check("backward", error);
  if (forward != backward) fail("forward and backward differ");
  leveldb_iter_destroy(it);
  leveldb_readoptions_destroy(read);
}

static leveldb_options_t *options_with(int create, size_t buffer) {
  leveldb_options_t *options = leveldb_options_create();
  leveldb_options_set_paranoid_checks(options, 1);
  leveldb_options_set_create_if_missing(options, (unsigned char)create);
  leveldb_options_set_write_buffer_size(options, buffer);
  leveldb_options_set_filter_policy(options, leveldb_filterpolicy_create_bloom(10));
  return options;
}

static void exercise(const char *path) {
  leveldb_options_t *options = options_with(0, 4 << 20);
  leveldb_t *db = open_database(path, options);
  dump(db, "before");
  leveldb_writeoptions_t *write = leveldb_writeoptions_create();
  leveldb_writeoptions_set_sync(write, 1);
  char *error = NULL;
  for (int number = 0; number < 50; number++) {
    char key[32], value[32];
    int key_length = snprintf(key, sizeof key, "later-%02d", number);
    int value_length = snprintf(value, sizeof value, "value %d", number);
    leveldb_put(db, write, key, (size_t)key_length, value, (size_t)value_length, &error);
    check("put", error);
  }
  leveldb_compact_range(db, NULL, 0, NULL, 0);
  leveldb_close(db);
  db = open_database(path, options);
  dump(db, "after");
  leveldb_close(db);
}

static uint64_t state;

static uint64_t next(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state >> 33;
}

static void make(const char *path, const char *seed) {
  state = strtoull(seed, NULL, 10);
  leveldb_options_t *options = options_with(1, 64 << 10);
  leveldb_options_set_max_file_size(options, 1 << 20);
  leveldb_t *db = open_database(path, options);
  leveldb_writeoptions_t *write = leveldb_writeoptions_create();
  char *error = NULL;
  for (int number = 0; number < 6000; number++) {
    char key[40], value[300];
    int key_length = snprintf(key, sizeof key, "key/%05u", (unsigned)(next() % 2500));
    size_t value_length = next() % sizeof value;
    for (size_t at = 0; at < value_length; at++) value[at] = (char)(next() % (number % 2 ? 256 : 4));
    if (next() % 5 == 0)
      leveldb_delete(db, write, key, (size_t)key_length, &error);
    else
      leveldb_put(db, write, key, (size_t)key_length, value, value_length, &error);
    check("write", error);
    if (number == 3000) leveldb_compact_range(db, NULL, 0, NULL, 0);
  }
  dump(db, "after");
  leveldb_close(db);
}

static void hold(const char *path) {
  leveldb_t *db = open_database(path, options_with(0, 4 << 20));
  puts("held");
  fflush(stdout);
  while (getchar() != EOF) continue;
  leveldb_close(db);
}

int main(int count, char **words) {
  if (count == 3 && strcmp(words[1], "exercise") == 0) exercise(words[2]);
  else if (count == 4 && strcmp(words[1], "make") == 0) make(words[2], words[3]);
  else if (count == 3 && strcmp(words[1], "hold") == 0) hold(words[2]);
  else fail("usage: leveldb exercise DIR | leveldb make DIR SEED | leveldb hold DIR");
  return 0;
}
