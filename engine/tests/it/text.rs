//! Text of bytes and numbers: the same cases are a test of the page.

use levelscope::text::{counted, escape, size};
use serde_json::Value;

fn cases(kind: &str) -> Vec<Value> {
    let all: Value =
        serde_json::from_str(include_str!("../../../tests/fixtures/text.json")).unwrap();
    all[kind].as_array().unwrap().clone()
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits = hex.as_bytes().chunks(2);
    digits.map(|two| u8::from_str_radix(str::from_utf8(two).unwrap(), 16).unwrap()).collect()
}

#[test]
fn bytes_read_as_they_do_on_the_page() {
    for case in cases("escape") {
        assert_eq!(escape(&bytes(case[1].as_str().unwrap())), case[0].as_str().unwrap());
    }
}

#[test]
fn numbers_read_as_they_do_on_the_page() {
    for case in cases("counted") {
        let text = counted(case[1].as_u64().unwrap(), case[2].as_str().unwrap());
        assert_eq!(text, case[0].as_str().unwrap());
    }
    for case in cases("size") {
        assert_eq!(size(case[1].as_u64().unwrap()), case[0].as_str().unwrap());
    }
}
