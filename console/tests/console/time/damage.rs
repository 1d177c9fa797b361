//! Flipped bytes: each branch lists its own, as long as the disk has them.

use super::Lab;
use levelscope::storage::MemoryStorage;
use levelscope_console::Damage;

fn damaged(lab: &Lab) -> Vec<(String, u64, u8)> {
    let (branches, current) = lab.console.branches();
    let fields = |damage: &Damage| (damage.file.clone(), damage.offset, damage.mask);
    branches[current].damaged.iter().map(fields).collect()
}

fn run(lab: &mut Lab, line: &str) {
    let response = lab.run(line);
    assert!(response.error.is_none(), "{line}: {:?}", response.error);
}

fn lab() -> Lab {
    let mut lab = Lab::new(MemoryStorage::new(), &[], false);
    run(&mut lab, "put a 1; put b 2; flush; run");
    lab
}

#[test]
fn a_branch_lists_its_flipped_bytes() {
    let mut lab = lab();
    assert_eq!(damaged(&lab), []);
    let _ = lab.console.take_branch_changes();
    let table = lab.console.branches().0[0].steps;
    run(&mut lab, "corrupt 1 20 4");
    let (branches, _) = lab.console.branches();
    assert_eq!(branches[0].damaged.len(), 1, "{branches:?}");
    assert_eq!(branches[0].damaged[0].step, table);
    assert!(lab.console.take_branch_changes().0, "the host is notified");
    run(&mut lab, "corrupt 1 20 2");
    assert_eq!(damaged(&lab)[0].1, 20);
    assert_eq!(damaged(&lab)[0].2, 6);
}

#[test]
fn bits_flipped_twice_are_as_they_were() {
    let mut lab = lab();
    run(&mut lab, "corrupt 1 20; corrupt 1 20");
    assert_eq!(damaged(&lab), []);
}

#[test]
fn a_branch_begins_with_the_damage_that_its_disk_has() {
    let mut lab = lab();
    let sound = lab.console.steps();
    run(&mut lab, "put c 3; corrupt 1 20");
    let expected = damaged(&lab);
    run(&mut lab, "fork");
    assert_eq!(damaged(&lab), expected, "a fork of now has it");
    run(&mut lab, "branch main");
    run(&mut lab, &format!("fork {sound}"));
    assert_eq!(damaged(&lab), [], "a fork of an earlier step has not");
    run(&mut lab, "branch main");
    assert_eq!(damaged(&lab), expected);
}

#[test]
fn damage_of_a_deleted_file_is_reported_for_the_past() {
    let mut lab = lab();
    run(&mut lab, "put c 3");
    let files = lab.run("files").result();
    let mut names =
        files.as_array().expect("files").iter().filter_map(|file| file["name"].as_str());
    let log = names.rfind(|name| name.contains(".wal")).expect("a log").to_owned();
    run(&mut lab, &format!("corrupt {log} 40"));
    run(&mut lab, "flush; run");
    assert!(!lab.run("files").result().to_string().contains(&log), "the log is gone");
    assert_eq!(damaged(&lab), [(log, 40, 1)]);
}

#[test]
fn the_files_of_a_branch_that_did_not_open_can_be_looked_at() {
    for open_disk in [true, false] {
        let mut lab = Lab::new(MemoryStorage::new(), &[], !open_disk);
        lab.run("put a 1; flush; corrupt CURRENT 4096 1");
        let failure = lab.run("crash --keep all").error.expect("CURRENT is damaged");
        assert_eq!(failure.kind, "corruption", "{failure:?}");
        let files = lab.run("files");
        assert!(files.error.is_none(), "{:?}", files.error);
        let result = files.result();
        let names: Vec<&str> =
            result.as_array().expect("files").iter().filter_map(|f| f["name"].as_str()).collect();
        assert!(names.contains(&"CURRENT") && names.len() > 3, "{names:?}");
        for name in &names {
            for line in [format!("layout {name} -v"), format!("hex {name} -v")] {
                let response = lab.run(&line);
                assert!(response.error.is_none(), "{line}: {:?}", response.error);
            }
        }
        let damage = lab.run("check");
        assert!(super::super::text(&damage).contains("CURRENT"), "{damage:?}");
        assert_eq!(damage.error.expect("damage").kind, "corruption");
        let failure = lab.run("get a").error.expect("nothing is open");
        assert_eq!(failure.kind, "closed");
        assert!(failure.hint.expect("a way out").contains("`check`, `files`, `layout` and `hex`"));
        let parent = if open_disk { "main" } else { "damage 1" };
        let hint = lab.run("get a").error.and_then(|failure| failure.hint).expect("a way out");
        // Opening the same bytes again would fail again.
        assert!(!hint.contains("options") && hint.contains("`fork STEP`"), "{hint}");
        assert!(hint.contains(&format!("`branch {parent}`")), "{hint}");
        run(&mut lab, "fork 2; files");
        run(&mut lab, &format!("branch {parent}"));
        assert_eq!(lab.run("get a").result()["value"], "1", "it goes on as it was");
    }
}

#[test]
fn damage_belongs_to_the_step_before_it_however_one_asks() {
    let mut lab = lab();
    let step = lab.console.steps();
    run(&mut lab, "corrupt 1 20");
    let expected = damaged(&lab);
    let asked = |lab: &mut Lab, line: &str| {
        // A crash whose manifest is damaged does not open; its branch is there.
        lab.run(line);
        let found = damaged(lab);
        run(lab, "branch main");
        found
    };
    let forks = [format!("fork {step}"), format!("crash at {step} --keep all")];
    for line in forks.iter().map(String::as_str).chain(["fork", "crash --keep all"]) {
        assert_eq!(asked(&mut lab, line), expected, "{line}");
    }
    run(&mut lab, "put c 3");
    for line in &forks {
        assert_eq!(asked(&mut lab, line), expected, "{line}, when another step has followed");
    }
    let check = lab.console.run(&format!("goto {step}; check"));
    assert!(check.error.is_some(), "the past has it: {check:?}");
}

#[test]
fn the_slots_of_current_are_numbered_by_place() {
    let mut lab = Lab::classroom();
    let offset = |lab: &mut Lab, slot: u32| {
        let response = lab.run(&format!("layout CURRENT --node slot:{slot}"));
        assert!(response.error.is_none(), "{:?}", response.error);
        let trail = response.result()["part"]["trail"][1]["node"].clone();
        assert_eq!(trail["name"], format!("slot {slot}"));
        trail["offset"].as_u64()
    };
    assert_eq!((offset(&mut lab, 1), offset(&mut lab, 2)), (Some(0), Some(4096)), "young");
    run(&mut lab, "put a 1; crash");
    assert_eq!((offset(&mut lab, 1), offset(&mut lab, 2)), (Some(0), Some(4096)), "opened again");
    run(&mut lab, "corrupt CURRENT --node slot:1");
    let (branches, current) = lab.console.branches();
    assert!(branches[current].damaged[0].offset < 4096, "{branches:?}");
}

#[test]
fn a_synced_record_is_not_called_the_rest_of_a_crash() {
    let mut lab = Lab::classroom();
    run(&mut lab, "put a 1; corrupt wal:2 45 1");
    let layout = super::super::text(&lab.run("layout wal:2"));
    assert!(
        layout.contains("this is damage, because the first 77 bytes of the file were synced"),
        "{layout}"
    );
    assert!(!layout.contains("crash"), "{layout}");
}
