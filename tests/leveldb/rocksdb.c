/* Drives the real RocksDB for formats/examples/leveldb.rs.
 *
 *   rocksdb read DIR                    opens for reading only
 *   rocksdb make DIR VERSION CHECKSUM   writes one table of this format version, with this type of checksum
 *
 * Both print the content, one line an entry: `before KEY VALUE`, in hexadecimal. */

#include <rocksdb/c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(const char *what, char *error) {
  if (error == NULL) return;
  fprintf(stderr, "%s: %s\n", what, error);
  exit(1);
}

static void print_hex(const char *bytes, size_t length) {
  putchar(' ');
  for (size_t at = 0; at < length; at++) printf("%02x", (unsigned char)bytes[at]);
}

static void dump(rocksdb_t *db) {
  char *error = NULL;
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
}

static void make(const char *path, int version, int checksum) {
  char *error = NULL;
  rocksdb_block_based_table_options_t *table = rocksdb_block_based_options_create();
  rocksdb_block_based_options_set_format_version(table, version);
  rocksdb_block_based_options_set_checksum(table, (char)checksum);
  rocksdb_block_based_options_set_block_size(table, 512);
  rocksdb_block_based_options_set_index_block_restart_interval(table, 4);
  rocksdb_options_t *options = rocksdb_options_create();
  rocksdb_options_set_create_if_missing(options, 1);
  rocksdb_options_set_compression(options, rocksdb_snappy_compression);
  rocksdb_options_set_block_based_table_factory(options, table);
  rocksdb_t *db = rocksdb_open(options, path, &error);
  check("open", error);
  rocksdb_writeoptions_t *write = rocksdb_writeoptions_create();
  for (int number = 0; number < 2000; number++) {
    char key[32], value[64];
    int key_length = snprintf(key, sizeof key, "user%05d", number * 7 % 2000);
    int value_length = snprintf(value, sizeof value, "value %d of %d", number, version);
    rocksdb_put(db, write, key, (size_t)key_length, value, (size_t)value_length, &error);
    check("put", error);
  }
  rocksdb_flushoptions_t *flush = rocksdb_flushoptions_create();
  rocksdb_flush(db, flush, &error);
  check("flush", error);
  dump(db);
}

int main(int count, char **words) {
  char *error = NULL;
  if (count == 5 && strcmp(words[1], "make") == 0) {
    make(words[2], atoi(words[3]), atoi(words[4]));
    return 0;
  }
  if (count != 3 || strcmp(words[1], "read") != 0) return 2;
  rocksdb_options_t *options = rocksdb_options_create();
  rocksdb_options_set_paranoid_checks(options, 1);
  rocksdb_t *db = rocksdb_open_for_read_only(options, words[2], 0, &error);
  check("open", error);
  dump(db);
  return 0;
}
