use super::*;

fn words(text: &str) -> Vec<Vec<Vec<u8>>> {
    let statements = lex(text).expect("this text is right");
    statements.iter().map(|s| s.words().map(|w| w.bytes.clone()).collect()).collect()
}

#[test]
fn statements_and_words() {
    assert_eq!(
        words("put a 1; get a\n# note\nget b # note\n;;"),
        [
            vec![b"put".to_vec(), b"a".to_vec(), b"1".to_vec()],
            vec![b"get".to_vec(), b"a".to_vec()],
            vec![b"get".to_vec(), b"b".to_vec()],
        ]
    );
    assert_eq!(
        words("put \"a b\"'c' #1"),
        [vec![b"put".to_vec(), b"a bc".to_vec(), b"#1".to_vec()]]
    );
    assert_eq!(words("a \\\n b"), [vec![b"a".to_vec(), b"b".to_vec()]]);
    assert_eq!(words(""), Vec::<Vec<Vec<u8>>>::new());
}

#[test]
fn bytes() {
    assert_eq!(words("put \\x00\\xff 0x00FF"), [vec![b"put".to_vec(), vec![0, 255], vec![0, 255]]]);
    assert_eq!(words("\"0x1\" \"\\\"\\\\\""), [vec![b"0x1".to_vec(), b"\"\\".to_vec()]]);
    for wrong in ["0x1", "0xzz", "0x", "\\x1", "\\xz1", "\\q", "\"\\xg\""] {
        assert!(matches!(lex(wrong), Err(LexError::Wrong(_))), "{wrong}");
    }
}

#[test]
fn unfinished_text() {
    // The terminal of the page knows these lines, too.
    let lines = include_str!("../../../../tests/fixtures/lines.json");
    let lines: serde_json::Value = serde_json::from_str(lines).expect("the fixture is JSON");
    for (kind, expected) in [("unfinished", true), ("finished", false)] {
        for text in lines[kind].as_array().expect("a list") {
            let text = text.as_str().expect("a text");
            assert_eq!(unfinished(text).is_some(), expected, "{text:?}");
        }
    }
    for quote in ["put 'a", "put \"a"] {
        assert!(unfinished(quote).is_some(), "{quote:?}");
    }
}

#[test]
fn batches_have_separators() {
    let statement = &lex("batch { put a 1,2\n del b; put c {}, del d\n}").expect("right")[0];
    let separators = statement.tokens.iter().filter(|t| **t == Token::Separator).count();
    assert_eq!(separators, 4);
    assert_eq!(statement.words().count(), 13);
    assert_eq!(lex("batch put a 1, put b 2").expect("right")[0].tokens.len(), 8);
}

#[test]
fn a_block_of_commands_is_text() {
    let statements = lex("compare a b { fill 3 --words; batch { put a 1; del b }\nrun } ; run");
    let statements = statements.expect("right");
    assert_eq!(statements.len(), 2);
    assert_eq!(statements[0].words().count(), 3);
    let block = " fill 3 --words; batch { put a 1; del b }\nrun ";
    assert_eq!(statements[0].block.as_deref(), Some(block));
    assert_eq!(statements[1].block, None);
    let (_, open) = lex_partial("compare a b { fill 3; ge");
    assert_eq!(open.words().count(), 1, "the word being typed is of a command in the block");
    assert_eq!(open.start, 22);
}
