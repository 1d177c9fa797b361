//! Flipped bytes and cut files: an error, a finding, or the right answer, and never a panic.

use super::made::{Random, contents, small};
use levelscope::Identity;
use levelscope::internals::wal::Log;
use levelscope_foreign::directory::Directory;
use levelscope_foreign::read::{RowValue, Snapshot};
use levelscope_foreign::{CountedFiles, MemoryFiles, Problem, Severity};

type Files = Vec<(String, Vec<u8>)>;
type Content = Vec<(Vec<u8>, Vec<u8>)>;

/// What a directory says: its entries, and what it finds wrong; `None` when it does not open.
fn read(files: &Files) -> Option<(Content, Vec<Problem>)> {
    let files = MemoryFiles::new(files.iter().cloned());
    let counted = CountedFiles::new(&files);
    let directory = Directory::open(&counted).ok()?;
    let mut problems = directory.problems();
    let mut rows = Vec::new();
    if let Ok(mut scan) = directory.scan(0, None, None, Snapshot::default()) {
        scan.first().expect("the host does not stop");
        while let Some(row) = scan.next_row().expect("the host does not stop") {
            if let RowValue::Bytes(value) = row.value {
                rows.push((row.key, value));
            }
        }
        problems.extend(scan.problems());
    }
    problems.extend(directory.check_all(true));
    Some((rows, problems))
}

#[test]
fn a_flipped_byte_is_found_or_harmless() {
    let files = contents(&small());
    let (right, none) = read(&files).expect("it opens");
    assert!(none.iter().all(|one| one.severity == Severity::Note), "{none:?}");
    let mut random = Random(11);
    for (place, (name, content)) in files.iter().enumerate() {
        for _ in 0..content.len().min(150) {
            let at = usize::try_from(random.below(content.len() as u64)).unwrap();
            let mut damaged = files.clone();
            damaged[place].1[at] ^= 1 << random.below(8);
            let Some((rows, problems)) = read(&damaged) else { continue };
            let is_named = problems.iter().any(|one| one.file == *name);
            assert!(is_named || rows == right, "byte {at} of {name}: {problems:?}");
            if name.contains(".sst") {
                let errors = problems.iter().filter(|one| one.severity == Severity::Error);
                let placed = errors.filter(|one| one.file == *name && one.offset.is_some()).count();
                assert!(placed > 0, "byte {at} of {name}: {problems:?}");
            }
        }
    }
}

#[test]
fn a_cut_or_missing_file_is_found_or_harmless() {
    let files = contents(&small());
    let (right, _) = read(&files).expect("it opens");
    let mut random = Random(13);
    for (place, (name, content)) in files.iter().enumerate() {
        for _ in 0..40 {
            let mut damaged = files.clone();
            let length = random.below(content.len() as u64 + 1);
            damaged[place].1.truncate(usize::try_from(length).unwrap());
            let Some((rows, problems)) = read(&damaged) else { continue };
            let is_named = problems.iter().any(|one| one.file == *name);
            assert!(is_named || rows == right, "{name} cut to {length}: {problems:?}");
        }
        let mut fewer = files.clone();
        fewer.remove(place);
        let Some((rows, problems)) = read(&fewer) else { continue };
        assert!(!problems.is_empty() || rows == right, "without {name}");
    }
}

#[test]
fn a_log_of_another_database_is_named() {
    let mut files = contents(&small());
    let log = files.iter_mut().find(|(name, _)| name.contains(".wal")).expect("there is one");
    let number = log.0.trim_end_matches(".wal").parse().expect("a number");
    let mut header = Vec::new();
    Log::wal(number, Some(Identity::from_bytes([1; 16]))).encode_header(&mut header);
    log.1[..header.len()].copy_from_slice(&header);
    let name = log.0.clone();
    let (_, problems) = read(&files).expect("it opens");
    let is_named = |one: &Problem| one.file == name && one.message.contains("another database");
    assert!(problems.iter().any(is_named), "{problems:?}");
}
