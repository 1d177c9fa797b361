//! The check of a directory, its parts spread over the processors.

use super::files::NativeFiles;
use levelscope_foreign::Problem;
use levelscope_foreign::directory::{Checker, Directory, Target};
use levelscope_foreign::problem::distinct;
use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Directories up to this size are checked on one thread \[bytes\].
const ALONE_BYTES_MAX: u64 = 16 << 20;
/// More threads would wait for the disk.
const THREADS_MAX: usize = 16;

/// All findings of `directory`, which consists of `files`. With `deep` every entry is decoded, too.
pub(super) fn check(directory: &Directory<'_>, files: &NativeFiles, deep: bool) -> Vec<Problem> {
    let targets = directory.check_targets();
    let bytes: u64 = targets.iter().map(|target| target.bytes).sum();
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    let count = processors.min(targets.len()).min(THREADS_MAX);
    if count < 2 || bytes <= ALONE_BYTES_MAX {
        return directory.check_all(deep);
    }
    spread(directory, files, &targets, deep, count)
}

/// Checks `targets` on `count` threads.
fn spread(
    directory: &Directory<'_>,
    files: &NativeFiles,
    targets: &[Target],
    deep: bool,
    count: usize,
) -> Vec<Problem> {
    let next = AtomicUsize::new(0);
    // The list of files is copied here: what a thread opens stays with it.
    let copies: Vec<NativeFiles> = (0..count).map(|_| files.again()).collect();
    let state = directory.manifest().last();
    let work = |files: NativeFiles| {
        let checker = Checker::new(&files, Arc::clone(state));
        let (mut found, mut reached) = (Vec::new(), Vec::new());
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(target) = targets.get(place) else { return (found, reached) };
            let examined = checker.check(target, deep, &mut |problem| found.push((place, problem)));
            reached.push((place, examined));
        }
    };
    let (mut found, mut reached) = (Vec::new(), BTreeMap::new());
    thread::scope(|scope| {
        let threads: Vec<_> = copies.into_iter().map(|files| scope.spawn(|| work(files))).collect();
        for joined in threads.into_iter().map(thread::ScopedJoinHandle::join) {
            let (problems, examined) =
                joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            found.extend(problems);
            reached.extend(examined);
        }
    });
    // In the order of the parts, whichever thread was first.
    found.sort_by_key(|(place, _)| *place);
    let mut problems = directory.problems();
    for (place, target) in targets.iter().enumerate() {
        let of_target: Vec<Problem> = found
            .extract_if(.., |(other, _)| *other == place)
            .map(|(_, problem)| problem)
            .collect();
        let examined = reached.get(&place).copied().unwrap_or_default();
        directory.keep(target, deep, examined, &of_target);
        problems.extend(of_target);
    }
    distinct(problems, files)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use levelscope_foreign::CountedFiles;
    use std::path::Path;

    #[test]
    fn threads_find_what_one_finds() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/lsm");
        let (mut directories, mut damaged) = (0, 0);
        for entry in std::fs::read_dir(root).unwrap() {
            let path = entry.unwrap().path();
            let Ok(files) = NativeFiles::open(&path) else { continue };
            let counted = CountedFiles::new(&files);
            let Ok(directory) = Directory::open(&counted) else { continue };
            let targets = directory.check_targets();
            for deep in [false, true] {
                let alone = directory.check_all(deep);
                assert_eq!(spread(&directory, &files, &targets, deep, 3), alone, "{path:?}");
                damaged += usize::from(!alone.is_empty());
            }
            directories += 1;
        }
        assert!(directories > 80 && damaged > 20, "{directories}, {damaged}");
    }
}
