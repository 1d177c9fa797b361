/* Drives the real RocksDB for engine/examples/leveldb.rs: `rocksdb DIR` opens a directory for reading only and
 * prints its content, one line an entry: `before KEY VALUE`, in hexadecimal. */

#include <rocksdb/c.h>
#include <stdio.h>
#include <stdlib.h>

static void check(const char *what, char *error) {
  if (error == NULL) return;
  fprintf(stderr, "%s: %s\n", what, error);
  exit(1);
}

static void print_hex(const char *bytes, size_t length) {
  putchar(' ');
  for (size_t at = 0; at < length; at++) printf("%02x", (unsigned char)bytes[at]);
}

int main(int count, char **words) {
  if (count != 2) return 2;
  char *error = NULL;
  rocksdb_options_t *options = rocksdb_options_create();
  rocksdb_options_set_paranoid_checks(options, 1);
  rocksdb_t *db = rocksdb_open_for_read_only(options, words[1], 0, &error);
  check("open", error);
  rocksdb_readoptions_t *read = rocksdb_readoptions_create();
  rocksdb_readoptions_set_verify_checksums(read, 1);
  rocksdb_iterator_t *it = rocksdb_create_iterator(db, read);
  for (rocksdb_iter_seek_to_first(it); rocksdb_iter_valid(it); rocksdb_iter_next(it)) {
    size_t key_length, value_length;
    const char *key = rocksdb_iter_key(it, &key_length);
    const char *value = rocksdb_iter_value(it, &value_length);
    fputs("before", stdout);
    print_hex(key, key_length);
    print_hex(value, value_length);
    putchar('\n');
  }
  rocksdb_iter_get_error(it, &error);
  check("iterate", error);
  rocksdb_iter_destroy(it);
  rocksdb_close(db);
  return 0;
}
