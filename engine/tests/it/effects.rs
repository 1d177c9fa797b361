//! Where effects are: files, threads and clocks are reached in the files that are named for them.

use std::fs;
use std::path::Path;

#[test]
fn effects_stay_in_the_files_named_for_them() {
    fn visit(directory: &Path, problems: &mut Vec<String>) {
        for entry in fs::read_dir(directory).expect("the sources are there") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                visit(&path, problems);
                continue;
            }
            let text = fs::read_to_string(&path).expect("readable");
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            let name = path.to_string_lossy().replace('\\', "/");
            let may = |file: &str| name.ends_with(file);
            let files = ["native.rs", "native_directory.rs", "native_lock.rs", "native_process.rs"]
                .into_iter()
                .any(|file| may(&format!("storage/{file}")));
            for (effect, file) in [
                ("std::fs", "the files of the native storage"),
                ("std::thread", "job/threads.rs"),
                ("std::time", "nowhere"),
                ("println!", "nowhere"),
                ("web_sys", "nowhere"),
                ("unsafe ", "nowhere"),
            ] {
                let used = code
                    .lines()
                    .any(|line| !line.trim_start().starts_with("//") && line.contains(effect));
                // It watches how another program renews its lease.
                let in_lock =
                    may("storage/native_lock.rs") && ["std::thread", "std::time"].contains(&effect);
                let in_files = files && effect == "std::fs" || in_lock;
                let in_testing = (name.contains("/testing/")
                    && ["std::fs", "std::thread"].contains(&effect))
                    || (name.contains("/tests/") && effect == "println!")
                    || (may("/tests.rs") && ["std::thread", "std::fs"].contains(&effect));
                if used && !may(file) && !in_testing && !in_files {
                    problems.push(format!("{name} uses {effect}"));
                }
            }
        }
    }
    let mut problems = Vec::new();
    visit(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut problems);
    assert!(problems.is_empty(), "{problems:#?}");
}
