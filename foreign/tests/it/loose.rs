//! Each file of a database alone: whose it is, and that a check sees of it what a check of its directory sees.

use crate::common::fixtures;
use levelscope_foreign::directory::{Basis, Directory};
use levelscope_foreign::name::FileName;
use levelscope_foreign::query::Part;
use levelscope_foreign::{
    CountedFiles, Engine, ErrorKind, FileInfo, Files, LooseFiles, MemoryFiles, Problem, Severity,
};

fn is_error(problem: &Problem) -> bool {
    problem.severity == Severity::Error
}

/// What a deep check finds in `bytes` as the only file; `None`: it is not recognized.
fn alone(name: &str, bytes: &[u8]) -> Option<(Engine, Vec<Problem>)> {
    let memory = MemoryFiles::new([(name.to_owned(), bytes.to_vec())]);
    let loose = LooseFiles::of(&memory)?;
    let counted = CountedFiles::new(&loose);
    let directory = Directory::open(&counted).unwrap();
    for target in directory.check_targets() {
        assert_eq!(directory.name_of(&target), name);
    }
    let problems = directory.check_all(true).into_iter().filter(is_error).collect();
    Some((directory.engine(), problems))
}

#[test]
fn every_sound_table_log_and_blob_file_is_of_its_engine_and_sound() {
    let mut kinds = [0; 3];
    for fixture in
        fixtures(&["b_", "c_", "e_", "h_", "i_", "l_", "m_", "p_", "t_", "v", "w_", "x_"])
    {
        let counted = CountedFiles::new(&fixture.files);
        let Ok(directory) = Directory::open(&counted) else { continue };
        if directory.check_all(true).iter().any(is_error) {
            continue;
        }
        let logs = directory.logs().unwrap();
        for file in fixture.files.list() {
            let (place, is_any) = match FileName::parse(&file.name) {
                FileName::Table(_) => (0, false),
                // One without a batch is of no engine, and the simplest ones could be of each.
                FileName::Log { .. } => {
                    let of = logs.files.iter().find(|log| log.name == file.name);
                    if of.is_none_or(|log| log.batches == 0) {
                        continue;
                    }
                    (1, true)
                }
                FileName::Blob(_) => (2, false),
                _ => continue,
            };
            let bytes = fixture.files.read_whole(&file.name, 64 << 20).unwrap();
            for called in [&file.name, "a copy"] {
                let at = format!("{}/{} called {called}", fixture.name, file.name);
                let (engine, problems) = alone(called, &bytes).expect(&at);
                assert!(is_any || engine == directory.engine(), "{at}: {engine:?}");
                assert!(problems.is_empty(), "{at}: {problems:?}");
            }
            kinds[place] += 1;
        }
    }
    assert!(kinds[0] > 100 && kinds[1] > 20 && kinds[2] > 5, "{kinds:?}");
}

#[test]
fn a_byte_of_a_value_that_changed_is_damage_of_a_single_blob_file() {
    for (name, file) in [("b_blob_files", "000030.blob"), ("p_blob_files", "000012.blob")] {
        let fixture = crate::common::fixture(name);
        let sound = fixture.files.read_whole(file, 64 << 20).unwrap();
        for at in [100, sound.len() / 2] {
            let mut bytes = sound.clone();
            bytes[at] ^= 1;
            for called in [file, "copy of values"] {
                let (_, problems) = alone(called, &bytes).unwrap();
                assert!(!problems.is_empty(), "{name}/{file} called {called}, byte {at}");
                assert_eq!(problems[0].file, called);
            }
        }
    }
}

#[test]
fn bytes_that_no_block_has_are_damage_of_a_single_table() {
    for (name, file) in
        [("c_families", "000018.sst"), ("t_fv7_snappy_xxhash64", ""), ("l_history", "")]
    {
        let fixture = crate::common::fixture(name);
        let is_table = |name: &str| matches!(FileName::parse(name), FileName::Table(_));
        let mut names = fixture.files.list().iter().map(|file| &file.name);
        let table = names.find(|name| is_table(name) && name.contains(file)).unwrap();
        let sound = fixture.files.read_whole(table, 64 << 20).unwrap();
        let (_, problems) = alone(table, &[sound.as_slice(), &sound].concat()).unwrap();
        assert!(!problems.is_empty(), "{name}/{table}");
    }
}

#[test]
fn a_single_log_is_in_the_order_that_databases_have_by_default() {
    let fixture = crate::common::fixture("w_unclean");
    let is_log = |name: &str| matches!(FileName::parse(name), FileName::Log { .. });
    let log = fixture.files.list().iter().find(|file| is_log(&file.name)).unwrap();
    let bytes = fixture.files.read_whole(&log.name, 64 << 20).unwrap();
    let memory = MemoryFiles::new([(log.name.clone(), bytes)]);
    let loose = LooseFiles::of(&memory).unwrap();
    let counted = CountedFiles::new(&loose);
    let directory = Directory::open(&counted).unwrap();
    let range = Part { from: None, to: None, limit: usize::MAX, sequence: None };
    assert!(!directory.rows(0, &range).unwrap().rows.is_empty());
}

#[test]
fn a_single_table_has_no_family_but_its_own() {
    let fixture = crate::common::fixture("c_families");
    let bytes = fixture.files.read_whole("000018.sst", 64 << 20).unwrap();
    let memory = MemoryFiles::new([("000018.sst".to_owned(), bytes)]);
    let loose = LooseFiles::of(&memory).unwrap();
    let counted = CountedFiles::new(&loose);
    let directory = Directory::open(&counted).unwrap();
    let families: Vec<&str> =
        directory.state().families.values().map(|family| family.name.as_str()).collect();
    assert_eq!(families, ["events"]);
}

/// What those files of a fixture are opened by whose names `keep` takes, all under the names that `name` gives.
fn basis(
    is_directory: bool,
    keep: impl Fn(&str) -> bool,
    name: impl Fn(&str) -> String,
) -> Result<&'static str, ErrorKind> {
    let fixtures = fixtures(&["m_levels"]);
    let files = &fixtures[0].files;
    let kept = files.list().iter().filter(|file| keep(&file.name));
    let bytes = |file: &FileInfo| files.read_whole(&file.name, u64::MAX).unwrap();
    let memory = MemoryFiles::new(kept.map(|file| (name(&file.name), bytes(file))));
    let basis = Basis::of(&memory, is_directory).map_err(|error| error.kind())?;
    let counted = CountedFiles::new(basis.files(&memory));
    basis.open(&counted).map_err(|error| error.kind())?;
    Ok(match basis {
        Basis::Manifest(_) => "manifest",
        Basis::Remains(_) => "remains",
        Basis::Single(_) => "single files",
    })
}

#[test]
fn the_rest_of_a_directory_decides_how_it_is_opened() {
    let same = str::to_owned;
    let is_table = |name: &str| matches!(FileName::parse(name), FileName::Table(_));
    let is_log = |name: &str| matches!(FileName::parse(name), FileName::Log { .. });
    for is_directory in [true, false] {
        assert_eq!(basis(is_directory, |_| true, same), Ok("manifest"));
        let renamed = basis(is_directory, is_table, |name| format!("{name}.bak"));
        assert_eq!(renamed, Ok("single files"), "{is_directory}");
        let pointer = basis(is_directory, |name| name == "CURRENT" || is_table(name), same);
        assert_eq!(pointer, Ok("remains"), "{is_directory}");
        assert_eq!(basis(is_directory, |_| false, same), Err(ErrorKind::Invalid));
    }
    // A person may choose tables alone; a directory of tables has lost its manifest.
    assert_eq!(basis(false, is_table, same), Ok("single files"));
    assert_eq!(basis(true, is_table, same), Ok("remains"));
    assert_eq!(basis(false, is_log, same), Ok("single files"));
    assert_eq!(basis(true, is_log, same), Err(ErrorKind::Missing));
    assert_eq!(basis(true, |name| name == "CURRENT", same), Err(ErrorKind::Invalid));
}
