//! The help of the program.

/// Output of `--help`.
pub(crate) const USAGE: &str = "\
levelscope: an LSM storage engine that explains itself

usage: levelscope DIR [options]        a database of files in DIR; in an empty or absent
                                       directory the first command that changes
                                       something makes it
       levelscope --memory [options]   a database in memory, gone at the end
       levelscope check DIR [--json]   reports all damage in DIR, which must not be open;
                                       changes nothing
       levelscope repair DIR NEW [options]
                                       saves the verified data of DIR into the new
                                       directory NEW, and reports the losses
       levelscope import OTHER_DIR NEW [--family NAME] [--lossy] [--skip-damage] [options]
                                       takes a database of LevelDB or Pebble, or a column
                                       family of RocksDB (without a name: the only one, or
                                       \"default\"), into the new directory NEW
       levelscope export DIR LEVELDB_NEW
                                       writes the live entries of DIR as a database of LevelDB
       levelscope export DIR FILE.db   writes the live entries of DIR as a log of format kvdb-log
       levelscope export DIR FILE.sst [--family NAME] [--lossy] [--skip-damage]
                                       writes the live entries of DIR, or of a database of
                                       another program in it, as a table that RocksDB ingests
       levelscope checkpoint DIR NEW   copies DIR as it is now into the new directory NEW,
                                       also while another program has DIR open; tables
                                       are linked where the file system can do it
       levelscope FILE --read-only [--as FORMAT]
                                       looks into a table, a log or a manifest of RocksDB,
                                       Pebble, LevelDB or this program, or a file of an
                                       experiment, as into a whole directory
       levelscope inspect FILE... [-v] [--limit N] [--as FORMAT] [--json]
                                       prints the format and the content of files, of
                                       this program and of others, and the first bad byte;
                                       a directory stands for its files, or for the
                                       database in it
       levelscope lesson check [--watch] FILE...
                                       runs lessons and reports each difference from
                                       the engine, with file and line; --watch does it
                                       again whenever a file has changed
       levelscope lesson outline FILE...
                                       prints goal, minutes, questions and their answers
       levelscope lesson tally SHEET...
                                       counts answer sheets that learners have saved,
                                       the question with most wrong answers first
       levelscope bench [flags]        benchmarks on a database of their own (bench --help)

  --read-only         read the database of DIR, also while another program has it
                      open; nothing in DIR is changed; a database of RocksDB,
                      Pebble or LevelDB is explored by commands of its own
  --create-in-nonempty  also use a directory that holds other files, which are left
                      alone; a database of another program is refused all the same
  -c COMMANDS         run these commands and end; `;` separates them
  --preset NAME       options to begin with: default, article or classroom
  --set NAME=VALUE    one option, for example --set memtable_bytes=64k; may be repeated;
                      `levelscope --memory -c options` lists all
  --identity HEX      32 digits that the files of a new database carry instead of random
                      ones, so that the same commands make the same bytes
  --after-holes       repair: also takes batches after damage in a log
  --skip-damage       import, export: leaves out damaged parts, and lists them
  --lossy             import, export: leaves out merge operands without a known operator
                      and range keys, keeps only the default column of wide columns,
                      and counts them; without it they are refused
  --json              one JSON object a command: {command, result, error, lines}
  --help, --version

Without -c, commands come from the terminal, or line by line from standard input.
The exit code is 1 when a command fails, 2 for a wrong command line. Commands after one
that fails are not run, because they may depend on it, as in sqlite3 and psql; the error
counts them. Only in the terminal is the next line run all the same.
`help` lists the commands.
";
