//! A script as something to go on with: a lesson to be finished, a test in Rust.

use crate::language::Script;
use crate::session::{Rehearsal, Session};
use levelscope::{Db, OPTION_INFOS, Options};
use std::fmt::Write as _;

/// A lesson with these commands, and claims that hold after them.
pub(super) fn lesson(script: &Script, session: &Session) -> String {
    let mut out = String::from(
        "---\nlesson: 1\nid: shared\ntitle: A title\nminutes: 5\nlevel: 1\npreset: classroom\ngoal: What a learner \
         can do after it\n---\n\n## A first scene\n\nA paragraph.\n\n```levelscope\nstart:\n",
    );
    for info in OPTION_INFOS {
        let _ = writeln!(out, "{} {}", info.name, (info.get)(&script.options));
    }
    out.push_str("```\n\n```levelscope\nrun:\n");
    for line in &script.lines {
        let _ = writeln!(out, "{}", in_one_line(&line.text));
    }
    out.push_str("```\n\n```levelscope\ncheck:\n");
    let view = session.database().map(Db::view).unwrap_or_default();
    let _ = writeln!(out, "levels -> lastSequence == {}", view.last_sequence);
    for (at, level) in view.levels.iter().enumerate() {
        let _ = writeln!(out, "levels -> count(levels[{at}].tables) == {}", level.tables.len());
    }
    out.push_str("```\n");
    out
}

/// A command of several lines as one: the parts of a batch are separated by semicolons as well.
fn in_one_line(command: &str) -> String {
    let lines: Vec<&str> = command.lines().map(str::trim).collect();
    let mut out = String::new();
    for line in lines {
        match out.strip_suffix('\\').map(str::to_owned) {
            Some(before) => out = before,
            None if out.is_empty() || out.ends_with('{') || line.starts_with('}') => {
                out.push_str(if out.is_empty() { "" } else { " " });
            }
            None => out.push_str("; "),
        }
        out.push_str(line);
    }
    out
}

/// A test that runs these commands and compares its state with the final state of `tried`.
pub(super) fn test(script: &Script, tried: &Rehearsal) -> levelscope::Result<String> {
    let mut out = String::from(
        "//! Commands that were shared, and the state that they lead to. It runs as\n\
         //! `cargo test -p levelscope-console --test shared` from console/tests/shared.rs.\n\
         #![allow(clippy::expect_used, reason = \"tests fail by panicking\")]\n\n\
         use levelscope::Options;\n\
         use levelscope::storage::{MemoryStorage, Storage};\n\
         use levelscope_console::{Console, Host};\n\
         use std::sync::Arc;\n\n\
         struct Memory(MemoryStorage);\n\n\
         impl Host for Memory {\n    \
             fn storage(&self) -> Arc<dyn Storage> {\n        Arc::new(self.0.clone())\n    }\n\n    \
             fn place(&self) -> String {\n        \"memory\".into()\n    }\n\n    \
             fn disk(&self) -> Option<MemoryStorage> {\n        Some(self.0.clone())\n    }\n\
         }\n\n\
         #[test]\nfn the_commands_lead_to_the_same_state() {\n    let mut options = Options::default();\n",
    );
    let plain = Options::default();
    for info in OPTION_INFOS {
        let value = (info.get)(&script.options);
        if value != (info.get)(&plain) {
            let value = value.to_string();
            let _ =
                writeln!(out, "    options.set({:?}, {value:?}).expect(\"an option\");", info.name);
        }
    }
    out.push_str(
        "    let mut console = Console::new(Box::new(Memory(MemoryStorage::default())));\n    \
         console.open(options).expect(\"an empty database\");\n    \
         let commands = [\n",
    );
    for (line, failure) in script.lines.iter().zip(tried.failures()) {
        let _ = writeln!(out, "        ({:?}, {failure:?}),", line.text);
    }
    let hash = tried.session().state_hash()?;
    let _ = writeln!(
        out,
        "    ];\n    for (command, failure) in commands {{\n        \
         let response = console.run(command);\n        \
         let kind = response.error.map(|error| error.kind);\n        \
         assert_eq!(kind.as_deref(), failure, \"{{command}}\");\n    }}\n    \
         assert_eq!(console.state_hash().expect(\"a state\"), 0x{hash:016x});\n}}"
    );
    Ok(out)
}
