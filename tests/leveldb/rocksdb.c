/* Drives the real RocksDB for formats/examples/leveldb.rs, foreign/examples/ingest.rs and tests/leveldb/exchange.mjs.
 *
 *   rocksdb read DIR                    opens for reading only
 *   rocksdb make DIR VERSION CHECKSUM   writes one table of this format version, with this type of checksum
 *   rocksdb large DIR TABLES MIB KIND   makes a database of TABLES tables of MIB MiB each, compressed by KIND:
 *                                       1 Snappy, 4 LZ4, 7 Zstandard; for docs/PERFORMANCE.md, and prints nothing
 *   rocksdb ingest DIR TABLE ORDER      ingests a table in a new database, "bytewise" or "reverse": once, then over
 *                                       itself, then compacts, and opens the database again
 *
 * All print the content, one line an entry: `before KEY VALUE`, in hexadecimal; ingest also `after KEY VALUE`. */

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

static void dump(rocksdb_t *db, const char *moment) {
  char *error = NULL;
  rocksdb_readoptions_t *read = rocksdb_readoptions_create();
  rocksdb_readoptions_set_verify_checksums(read, 1);
  rocksdb_iterator_t *it = rocksdb_create_iterator(db, read);
  for (rocksdb_iter_seek_to_first(it); rocksdb_iter_valid(it); rocksdb_iter_next(it)) {
    size_t key_length, value_length;
    const char *key = rocksdb_iter_key(it, &key_length);
    const char *value = rocksdb_iter_value(it, &value_length);
    fputs(moment, stdout);
    print_hex(key, key_length);
    print_hex(value, value_length);
    putchar('\n');
    size_t got_length;
    char *got = rocksdb_get(db, read, key, key_length, &got_length, &error);
    check("get", error);
    if (got == NULL || got_length != value_length || memcmp(got, value, value_length) != 0) {
      fputs("a lookup and an iterator differ\n", stderr);
      exit(1);
    }
    free(got);
  }
  rocksdb_iter_get_error(it, &error);
  check("iterate", error);
  rocksdb_iter_destroy(it);
  rocksdb_readoptions_destroy(read);
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
  dump(db, "before");
  rocksdb_close(db);
}

static const char *reverse_name(void *state) {
  (void)state;
  return "rocksdb.ReverseBytewiseComparator";
}

static int reverse_compare(void *state, const char *a, size_t a_length, const char *b, size_t b_length) {
  (void)state;
  int order = memcmp(b, a, a_length < b_length ? a_length : b_length);
  if (order != 0) return order;
  return a_length < b_length ? 1 : a_length > b_length ? -1 : 0;
}

static void forget(void *state) { (void)state; }

static void ingest_once(rocksdb_t *db, const char *table) {
  char *error = NULL;
  rocksdb_ingestexternalfileoptions_t *how = rocksdb_ingestexternalfileoptions_create();
  rocksdb_ingestexternalfileoptions_set_move_files(how, 0);
  rocksdb_ingest_external_file(db, &table, 1, how, &error);
  check("ingest", error);
  rocksdb_ingestexternalfileoptions_destroy(how);
}

static void ingest(const char *path, const char *table, const char *order) {
  char *error = NULL;
  rocksdb_options_t *options = rocksdb_options_create();
  rocksdb_options_set_create_if_missing(options, 1);
  rocksdb_options_set_paranoid_checks(options, 1);
  if (strcmp(order, "reverse") == 0) {
    rocksdb_comparator_t *reverse = rocksdb_comparator_create(NULL, forget, reverse_compare, reverse_name);
    rocksdb_options_set_comparator(options, reverse);
  }
  rocksdb_t *db = rocksdb_open(options, path, &error);
  check("open", error);
  ingest_once(db, table);
  dump(db, "before");
  ingest_once(db, table);
  rocksdb_compact_range(db, NULL, 0, NULL, 0);
  rocksdb_close(db);
  db = rocksdb_open(options, path, &error);
  check("open again", error);
  dump(db, "after");
  rocksdb_close(db);
}

static unsigned long long state = 88172645463325252ULL;

static unsigned long long draw(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

/* Values of 400 bytes, half of which repeat. */
static void large(const char *path, int tables, unsigned long long mib, int kind) {
  char *error = NULL;
  rocksdb_options_t *options = rocksdb_options_create();
  rocksdb_options_set_create_if_missing(options, 1);
  rocksdb_options_set_compression(options, kind);
  rocksdb_t *db = rocksdb_open(options, path, &error);
  check("open", error);
  rocksdb_envoptions_t *env = rocksdb_envoptions_create();
  rocksdb_ingestexternalfileoptions_t *how = rocksdb_ingestexternalfileoptions_create();
  rocksdb_ingestexternalfileoptions_set_move_files(how, 1);
  char table[4096];
  snprintf(table, sizeof table, "%s.sst", path);
  unsigned long long number = 0;
  for (int made = 0; made < tables; made++) {
    rocksdb_sstfilewriter_t *writer = rocksdb_sstfilewriter_create(env, options);
    rocksdb_sstfilewriter_open(writer, table, &error);
    check("open a table", error);
    uint64_t bytes = 0;
    while (bytes < mib << 20) {
      for (int entry = 0; entry < 1000; entry++) {
        char key[32];
        unsigned long long value[50];
        int key_length = snprintf(key, sizeof key, "user%016llu", number++);
        for (int at = 0; at < 25; at++) value[at] = value[at + 25] = draw();
        rocksdb_sstfilewriter_put(writer, key, (size_t)key_length, (char *)value, sizeof value, &error);
        check("put", error);
      }
      rocksdb_sstfilewriter_file_size(writer, &bytes);
    }
    rocksdb_sstfilewriter_finish(writer, &error);
    check("finish", error);
    rocksdb_sstfilewriter_destroy(writer);
    const char *names[1] = {table};
    rocksdb_ingest_external_file(db, names, 1, how, &error);
    check("ingest", error);
  }
  rocksdb_close(db);
}

int main(int count, char **words) {
  char *error = NULL;
  if (count == 5 && strcmp(words[1], "make") == 0) {
    make(words[2], atoi(words[3]), atoi(words[4]));
    return 0;
  }
  if (count == 6 && strcmp(words[1], "large") == 0) {
    large(words[2], atoi(words[3]), strtoull(words[4], NULL, 10), atoi(words[5]));
    return 0;
  }
  if (count == 5 && strcmp(words[1], "ingest") == 0) {
    ingest(words[2], words[3], words[4]);
    return 0;
  }
  if (count != 3 || strcmp(words[1], "read") != 0) return 2;
  rocksdb_options_t *options = rocksdb_options_create();
  rocksdb_options_set_paranoid_checks(options, 1);
  rocksdb_t *db = rocksdb_open_for_read_only(options, words[2], 0, &error);
  check("open", error);
  dump(db, "before");
  rocksdb_close(db);
  return 0;
}
