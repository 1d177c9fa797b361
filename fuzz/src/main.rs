//! One program for all targets: `LEVELSCOPE_DECODER` names the one to run, libFuzzer's arguments follow.
#![no_main]

use levelscope::Options;
use levelscope::testing::decode::DECODERS;
use levelscope_console::lesson::{BYTES_MAX, parse};
use levelscope_console::lexer::lex;
use levelscope_foreign::testing::DECODERS as FOREIGN;
use levelscope_formats::testing::DECODER as FORMATS;
use libfuzzer_sys::fuzz_target;
use std::sync::OnceLock;

/// Commands as text: taken apart, and each word tried as an option.
fn console(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let _ = lex(text);
    if let Some((name, value)) = text.split_once('=') {
        let _ = Options::default().set(name, value);
    }
}

/// A lesson as text; one that is right is printed, and the same is read again.
fn lesson(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(lesson) = parse(text) else { return };
    let printed = lesson.to_string();
    // Each character may take a backslash, so that a long lesson gets too long.
    if printed.len() <= BYTES_MAX {
        assert!(parse(&printed).is_ok_and(|again| again == lesson), "{printed}");
    }
}

fn chosen() -> fn(&[u8]) {
    static CHOSEN: OnceLock<fn(&[u8])> = OnceLock::new();
    *CHOSEN.get_or_init(|| {
        let name = std::env::var("LEVELSCOPE_DECODER").expect("LEVELSCOPE_DECODER names a decoder");
        if name == "console" {
            return console;
        }
        if name == "lesson" {
            return lesson;
        }
        let ours = DECODERS.iter().chain([&FORMATS]).map(|decoder| (decoder.name, decoder.run));
        let foreign = FOREIGN.iter().map(|decoder| (decoder.name, decoder.run));
        let decoder = ours.chain(foreign).find(|(known, _)| *known == name);
        decoder.unwrap_or_else(|| panic!("there is no decoder {name}")).1
    })
}

fuzz_target!(|bytes: &[u8]| chosen()(bytes));
