//! Hostile file names: files in a foreign archive may have any name.

use crate::common::Random;
use crate::common::Technique;
use levelscope::storage::FileName;

/// Names that lead out of the directory, or that a system takes for one of ours.
#[test]
fn a_name_that_is_not_exactly_ours_is_nobodys() {
    let ours = ["000001.sst", "000001.wal", "MANIFEST-000001", "CURRENT", "LOCK", "1234567.sst"];
    for good in ours {
        assert!(FileName::parse(good).is_some(), "{good}");
        let changed = [
            format!("../{good}"),
            format!("./{good}"),
            format!("/{good}"),
            format!("..\\{good}"),
            format!("\\{good}"),
            format!("C:{good}"),
            format!("C:\\{good}"),
            format!("\\\\?\\{good}"),
            format!("file:{good}"),
            format!("a/{good}"),
            format!("{good}/"),
            format!("{good}\\"),
            format!("{good}/.."),
            format!("{good}\0"),
            format!("\0{good}"),
            format!("{good}\0.txt"),
            format!("{good} "),
            format!(" {good}"),
            format!("{good}."),
            format!("{good}\n"),
            format!("{good}::$DATA"),
            format!("{good}%00"),
            format!("%2e%2e%2f{good}"),
            format!("\u{feff}{good}"),
            format!("{good}\u{200b}"),
            format!("{good}\u{301}"),
            format!("\u{202e}{good}"),
            good.to_lowercase().replace("current", "Current").replace("lock", "Lock"),
            good.to_uppercase().replace("CURRENT", "CURREN\u{0422}").replace("LOCK", "L\u{041e}CK"),
            good.replace('0', "\u{ff10}"),
            good.replace('0', "\u{0660}"),
            good.replace('.', "\u{2024}"),
            good.replace('-', "\u{2010}"),
        ];
        for name in changed.iter().filter(|name| *name != good && !ours.contains(&name.as_str())) {
            assert_eq!(FileName::parse(name), None, "{name:?}");
        }
    }
    for name in ["con", "NUL", "aux.sst", "..", ".", "", "~", "$HOME", "000000.sst", "0x0001.sst"] {
        assert_eq!(FileName::parse(name), None, "{name:?}");
    }
}

/// One file, one name: whatever parses is written the same way again, so no two names are one file.
#[test]
fn whatever_parses_is_written_the_same_way() {
    let mut technique = Technique::new("names", 2000);
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed ^ 0x7a3e);
        for _ in 0..20 {
            let number = random.next() >> random.below(64);
            let good = [
                format!("{number:06}.sst"),
                format!("{number}.wal"),
                format!("MANIFEST-{number:06}"),
                "CURRENT".to_owned(),
            ];
            let mut name = good[random.below(4) as usize].clone().into_bytes();
            for _ in 0..random.below(3) {
                let at = random.below(name.len() as u64) as usize;
                match random.below(3) {
                    0 => name[at] = b"0123456789./\\-aS\0 "[random.below(18) as usize],
                    1 => drop(name.remove(at)),
                    _ => name.insert(at, b"0123456789./\\-aS\0 "[random.below(18) as usize]),
                }
            }
            let name = String::from_utf8(name).unwrap();
            if let Some(parsed) = FileName::parse(&name) {
                assert_eq!(parsed.to_string(), name, "seed {seed}");
                assert!(!name.contains(['/', '\\', '\0', ' ']), "seed {seed}: {name:?}");
            }
            technique.count(1);
        }
    }
}
