//! OPTIONS files of the fixtures: typed values, targets of levels.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests read fixtures from the disk and fail where they are odd"
)]

use levelscope_foreign::options::{
    CompactionStyle, FamilyOptions, LevelTargets, MergeOperator, OptionValue, OptionsFile,
    PrefixExtractor, pending_compaction_bytes,
};
use levelscope_foreign::{Engine, FileInfo, Files, MemoryFiles};
use std::path::PathBuf;

/// Reading hostile text takes less than this, the text included.
#[global_allocator]
static ALLOCATOR: cap::Cap<std::alloc::System> = cap::Cap::new(std::alloc::System, 256 << 20);

fn folder(fixture: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/lsm").join(fixture)
}

/// The files of a fixture whose names begin with `start`.
fn files(fixture: &str, start: &str) -> MemoryFiles {
    let entries = std::fs::read_dir(folder(fixture)).unwrap().map(Result::unwrap);
    let named = entries.map(|entry| (entry.file_name().into_string().unwrap(), entry.path()));
    let wanted = named.filter(|(name, _)| name.starts_with(start));
    MemoryFiles::new(wanted.map(|(name, path)| (name, std::fs::read(path).unwrap())))
}

fn options(fixture: &str) -> OptionsFile {
    OptionsFile::read(&files(fixture, "OPTIONS-")).unwrap().unwrap()
}

fn family(fixture: &str, name: &str) -> FamilyOptions {
    options(fixture).family(name).unwrap()
}

#[test]
fn every_fixture_with_options_is_read_without_a_problem() {
    let mut read = 0;
    for entry in std::fs::read_dir(folder("")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if !folder(&name).is_dir() {
            continue;
        }
        let Some(options) = OptionsFile::read(&files(&name, "OPTIONS-")).unwrap() else { continue };
        assert_eq!(options.problems, [], "{name}");
        assert!(options.version.is_some(), "{name}");
        for family in options.families() {
            let typed = options.family(family).unwrap();
            assert!(typed.comparator.value().is_some(), "{name} {family}");
            assert!(typed.l0_trigger.value().is_some(), "{name} {family}");
            assert!(typed.level_multiplier.value().is_some(), "{name} {family}");
            assert!(!matches!(typed.merge_operator, OptionValue::Text(_)), "{name} {family}");
        }
        read += 1;
    }
    assert!(read > 60, "only {read} OPTIONS files were found");
}

#[test]
fn values_of_a_leveled_family() {
    let leveled = family("m_levels", "default");
    assert_eq!(leveled.compaction_style, OptionValue::Is(CompactionStyle::Level));
    assert_eq!(leveled.l0_trigger, OptionValue::Is(2));
    assert_eq!((leveled.l0_slowdown, leveled.l0_stop), (OptionValue::Is(20), OptionValue::Is(36)));
    assert_eq!(leveled.level_base_bytes, OptionValue::Is(12_288));
    assert_eq!(leveled.level_multiplier, OptionValue::Is(3.0));
    assert_eq!(leveled.level_multiplier_additional, OptionValue::Is(vec![1; 7]));
    assert_eq!(leveled.dynamic_level_bytes, OptionValue::Is(false));
    assert_eq!(leveled.merge_operator, OptionValue::Is(None));
    assert_eq!(leveled.table_bytes, OptionValue::Is(4096));
    assert_eq!(leveled.soft_pending_bytes, OptionValue::Is(64 << 30));
}

#[test]
fn values_of_other_styles_families_and_engines() {
    let fifo = family("m_fifo", "default");
    assert_eq!(fifo.compaction_style, OptionValue::Is(CompactionStyle::Fifo));
    assert_eq!(fifo.fifo_bytes_max(), Some(20_480));
    let universal = family("m_universal", "default");
    assert_eq!(universal.compaction_style, OptionValue::Is(CompactionStyle::Universal));

    let families = options("c_families");
    assert_eq!(families.families(), ["default", "users", "events", "größe"]);
    let reverse = OptionValue::Is("rocksdb.ReverseBytewiseComparator".to_owned());
    assert_eq!(families.family("events").unwrap().comparator, reverse);
    assert_eq!(families.family("dropped"), None);

    let merged = family("e_merge_operands", "default").merge_operator;
    let comma = MergeOperator { name: "StringAppendOperator".into(), delimiter: Some(",".into()) };
    assert_eq!(merged, OptionValue::Is(Some(comma)));
    let prefix = family("i_prefix_hash", "default").prefix_extractor;
    let fixed = matches!(
        prefix,
        OptionValue::Is(Some(PrefixExtractor::Fixed(_) | PrefixExtractor::Capped(_)))
    );
    assert!(fixed, "{prefix:?}");
    assert_eq!(family("b_blob_files", "default").blob_files, OptionValue::Is(true));

    let pebble = options("p_history");
    assert_eq!(pebble.engine, Engine::Pebble);
    let own = pebble.family("default").unwrap();
    assert_eq!((own.l0_trigger, own.l0_stop), (OptionValue::Is(2), OptionValue::Is(12)));
    assert_eq!(own.level_base_bytes, OptionValue::Is(8192));
    assert_eq!(own.table_bytes, OptionValue::Is(4096));
    let operator = own.merge_operator.value().unwrap().clone().unwrap();
    assert_eq!(operator.delimiter.as_deref(), Some(""));
}

#[test]
fn the_highest_number_counts_and_a_missing_file_is_no_error() {
    let two = files("h_reopened", "OPTIONS-");
    assert_eq!(two.list().len(), 2);
    assert_eq!(OptionsFile::read(&two).unwrap().unwrap().file, "OPTIONS-000030");
    assert_eq!(OptionsFile::read(&files("d_options_missing", "OPTIONS-")), Ok(None));
    assert_eq!(OptionsFile::read(&files("l_history", "OPTIONS-")), Ok(None));
}

#[test]
fn settings_have_the_offset_of_their_name() {
    let name = "OPTIONS-000007";
    let bytes = files("h_history", "OPTIONS-").read_whole(name, 1 << 20).unwrap();
    let options = OptionsFile::parse(name, &bytes);
    let settings: Vec<_> = options.sections.iter().flat_map(|section| &section.settings).collect();
    assert!(settings.len() > 200);
    for setting in settings {
        let at = usize::try_from(setting.offset).unwrap();
        let expected = format!("{}=", setting.name);
        assert_eq!(&bytes[at..at + expected.len()], expected.as_bytes());
    }
}

#[test]
fn odd_lines_and_values_stay_visible() {
    let text = "lost=1\n[DBOptions\n[CFOptions \"a\\#b\"]\n  num_levels=many\n nonsense\n\
        merge_operator={id=StringAppendOperator;delimiter=\\;;}\n  prefix_extractor=rocksdb.CappedPrefix.9 # old\n\
        compaction_style=kCompactionStyleOther\n";
    let options = OptionsFile::parse("OPTIONS-000001", text.as_bytes());
    let offsets: Vec<_> = options.problems.iter().map(|problem| problem.offset.unwrap()).collect();
    let nonsense = text.find("nonsense").unwrap() as u64;
    assert_eq!(offsets, [0, 7, nonsense]);
    let family = options.family("a#b").unwrap();
    assert_eq!(family.level_count, OptionValue::Text("many".into()));
    assert_eq!(family.compaction_style, OptionValue::Text("kCompactionStyleOther".into()));
    assert_eq!(family.prefix_extractor, OptionValue::Is(Some(PrefixExtractor::Capped(9))));
    assert_eq!(
        family.merge_operator.value().unwrap().as_ref().unwrap().delimiter.as_deref(),
        Some(";")
    );
    assert_eq!(family.l0_trigger, OptionValue::Absent);
}

#[test]
fn static_targets_grow_by_the_multiplier() {
    let options = family("m_levels", "default");
    let targets = options.targets(Engine::RocksDb, &[0; 7]).unwrap();
    assert_eq!(targets.base_level, 1);
    let expected = [
        None,
        Some(12_288),
        Some(36_864),
        Some(110_592),
        Some(331_776),
        Some(995_328),
        Some(2_985_984),
    ];
    assert_eq!(targets.bytes, expected);
    assert_eq!(family("m_universal", "default").targets(Engine::RocksDb, &[0; 7]), None);
}

/// The examples in the words of RocksDB's own documentation of dynamic level sizes.
#[test]
fn dynamic_targets_follow_the_largest_level() {
    const GB: u64 = 1 << 30;
    let mut options = family("c_families", "default");
    options.level_base_bytes = OptionValue::Is(GB);
    let empty = options.targets(Engine::RocksDb, &[0; 7]).unwrap();
    assert_eq!(empty, LevelTargets { base_level: 6, bytes: vec![None; 7] });
    // 276 GB in the last level: 27.6 GB, 2.76 GB and 0.276 GB above it; level 3 is the base.
    let sizes = [0, 0, 0, 0, GB / 2, GB, 276 * GB];
    let targets = options.targets(Engine::RocksDb, &sizes).unwrap();
    assert_eq!(targets.base_level, 3);
    assert_eq!(targets.of(2), None);
    assert_eq!(targets.of(3), Some(GB));
    let near = |level, bytes: u64| targets.of(level).unwrap().abs_diff(bytes) < 2000;
    assert!(near(4, 276 * GB / 100) && near(5, 276 * GB / 10) && near(6, 276 * GB), "{targets:?}");
}

/// RocksDB printed these in the LOG of `m_levels` after its jobs.
#[test]
fn the_debt_is_that_which_rocksdb_logged() {
    let options = family("m_levels", "default");
    // "files[1 0 0 0 0 0 0] max score 0.51, estimated pending compaction bytes 0"
    // "files[2 0 0 0 0 0 0] max score 1.05, estimated pending compaction bytes 12934"
    // "files[2 2 …] … Increasing compaction threads because of estimated pending compaction bytes 24799"
    let logged = [
        (1, [6292, 0, 0], 0),
        (2, [12_934, 0, 0], 12_934),
        (0, [0, 12_178, 0], 0),
        (2, [6244 + 6377, 12_178, 0], 24_799),
    ];
    for (files, head, pending) in logged {
        let mut sizes = [0; 7];
        sizes[..3].copy_from_slice(&head);
        let targets = options.targets(Engine::RocksDb, &sizes).unwrap();
        assert_eq!(
            pending_compaction_bytes(&options, &targets, files, &sizes),
            pending,
            "{head:?}"
        );
    }
}

#[test]
fn names_of_files_that_are_no_options_are_left_alone() {
    let files = MemoryFiles::new([("OPTIONS-000003.dbtmp".to_owned(), b"[Version]".to_vec())]);
    assert_eq!(files.list(), [FileInfo { name: "OPTIONS-000003.dbtmp".into(), bytes: 9 }]);
    assert_eq!(OptionsFile::read(&files), Ok(None));
}

/// A small generator with a fixed seed.
fn noise(seed: u64, bytes: usize) -> Vec<u8> {
    let mut state = seed;
    let next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        u8::try_from(state & 255).unwrap()
    };
    std::iter::repeat_with(next).take(bytes).collect()
}

const SEED: u64 = 0x5eed_0b71;

#[test]
fn hostile_text_takes_bounded_memory() {
    println!("seed {SEED:#x}");
    let family = "[CFOptions \"default\"]\n";
    let texts: Vec<Vec<u8>> = vec![
        noise(SEED, 1 << 20),
        format!("{family}{}", "a=\n".repeat(3 << 20)).into_bytes(),
        "[]\n".repeat(3 << 20).into_bytes(),
        "nonsense\n".repeat(1 << 20).into_bytes(),
        format!("{family}compaction_options_fifo={{{}}}", ";".repeat(8 << 20)).into_bytes(),
        format!("{family}merge_operator={}", "{a=".repeat(2 << 20)).into_bytes(),
        format!("{family}max_bytes_for_level_multiplier_additional={}", "1:".repeat(4 << 20))
            .into_bytes(),
        vec![0; 8 << 20],
        vec![b'#'; 8 << 20],
        vec![b'\\'; 8 << 20],
    ];
    for text in texts {
        let files = MemoryFiles::new([("OPTIONS-000001".to_owned(), text)]);
        let options = OptionsFile::read(&files).unwrap().unwrap();
        assert!(options.problems.len() <= 50);
        for name in options.families().into_iter().take(3) {
            let typed = options.family(name).unwrap();
            typed.targets(Engine::RocksDb, &[u64::MAX; 9]);
        }
    }
}

#[test]
fn numbers_without_sense_give_no_target_or_a_large_one() {
    let mut options = family("m_levels", "default");
    for multiplier in [0.0, -1.0, 1e300] {
        options.level_multiplier = OptionValue::Is(multiplier);
        for dynamic in [false, true] {
            options.dynamic_level_bytes = OptionValue::Is(dynamic);
            for engine in [Engine::RocksDb, Engine::Pebble] {
                let sizes = [u64::MAX, 1, 0, u64::MAX];
                let Some(targets) = options.targets(engine, &sizes) else { continue };
                pending_compaction_bytes(&options, &targets, u64::MAX, &sizes);
            }
        }
    }
    options.level_count = OptionValue::Is(u32::MAX);
    options.level_multiplier = OptionValue::Is(10.0);
    assert!(options.targets(Engine::RocksDb, &[]).unwrap().bytes.len() <= 64);
}

/// Semicolons, spaces and an empty delimiter are written without escapes.
#[test]
fn delimiters_of_merge_operators_are_read_as_the_library_writes_them() {
    for (written, delimiter) in [
        ("{id=StringAppendOperator;delimiter=,;}", ","),
        ("{id=StringAppendOperator;delimiter=;;;}", ";;"),
        ("{id=StringAppendOperator;delimiter=\\#\\#;}", "##"),
        ("{id=StringAppendTESTOperator;delimiter= ;}", " "),
        ("StringAppendOperator", ""),
    ] {
        let text = format!(
            "[Version]\n  rocksdb_version=7.8.3\n[CFOptions \"default\"]\n  merge_operator={written}\n"
        );
        let options = OptionsFile::parse("OPTIONS-000007", text.as_bytes());
        let family = options.family("default").unwrap();
        let operator = family.merge_operator.value().unwrap().clone().unwrap();
        assert_eq!(operator.delimiter.as_deref(), Some(delimiter), "{written}");
    }
}
