//! `batch`: several writes at once, or none of them.

use super::data::{Write, range, write};
use crate::commands::Command;
use crate::language::lexer::{Statement, Token, Word};
use crate::language::{Args, At, Verb, What, offer};
use crate::output::Failure;
use crate::session::Task;

/// Commands of a batch.
const PARTS: &[&str] = &["put", "del", "delete-range"];

pub(super) const VERBS: &[Command] = &[Verb {
    name: "batch",
    group: "read and write",
    usage: "batch put KEY VALUE, del KEY, delete-range FROM [TO], ... | batch { put KEY VALUE; del KEY; ... }",
    purpose: "Writes several operations at once: all of them or, after a crash, none.",
    example: "batch put a 1, put b 2, del c",
    ..Verb::CHANGE
}
.starts(batch)
.offers(&[
    offer(At::Words(&[]), What::Words(PARTS)),
    offer(At::Last("{"), What::Words(PARTS)),
    offer(At::Separator, What::Words(PARTS)),
    offer(At::Last("put"), What::Keys),
    offer(At::Last("delete-range"), What::Keys),
    offer(At::Last("del"), What::Keys),
])];

fn batch(args: &Args, statement: &Statement) -> Result<Box<dyn Task>, Failure> {
    let tokens = statement.tokens.get(1..).unwrap_or_default();
    let tokens = match tokens {
        [Token::Word(open), inner @ .., Token::Word(close)]
            if open.as_bare() == Some("{") && close.as_bare() == Some("}") =>
        {
            inner
        }
        [Token::Word(open), ..] if open.as_bare() == Some("{") => {
            return Err(args.verb.misused("nothing may follow the closing brace of a batch"));
        }
        tokens => tokens,
    };
    let mut writes = Vec::new();
    for part in tokens.split(|token| *token == Token::Separator) {
        let words: Vec<&Word> = part
            .iter()
            .filter_map(|token| match token {
                Token::Word(word) => Some(word),
                Token::Separator => None,
            })
            .collect();
        let verb = words.first().and_then(|word| word.as_bare());
        let verb = verb.map(|name| super::find(name).map_or(name, |command| command.verb.name));
        match (verb, words.as_slice()) {
            (None, []) => {}
            (Some("put"), [_, key, value]) => {
                writes.push(Write::Put(key.bytes.clone(), value.bytes.clone()));
            }
            (Some("del"), [_, key]) => writes.push(Write::Delete(key.bytes.clone())),
            (Some("delete-range"), [_, from, to]) => {
                writes.push(range(args.verb, from.bytes.clone(), Some(to.bytes.clone()))?);
            }
            (Some("delete-range"), [_, from]) => {
                writes.push(range(args.verb, from.bytes.clone(), None)?);
            }
            (_, words) => return Err(wrong_part(args, words)),
        }
    }
    if writes.is_empty() {
        return Err(args.verb.misused("a batch needs at least one put, del or delete-range"));
    }
    let what = format!("{} as one  ", crate::text::counted(writes.len() as u64, "operation"));
    write(args, writes, what)
}

fn wrong_part(args: &Args, words: &[&Word]) -> Failure {
    let shown: Vec<String> =
        words.iter().take(5).map(|word| crate::text::short_word(&word.bytes, 16)).collect();
    let shown = shown.join(" ");
    args.verb.misused(match words.first().and_then(|word| word.as_bare()) {
        Some("put") => format!("in a batch, put takes a key and a value, not: {shown}"),
        Some("del") => format!("in a batch, del takes a key, not: {shown}"),
        Some("delete-range") => {
            format!("in a batch, delete-range takes one key or two, not: {shown}")
        }
        _ => format!("a batch takes put, del and delete-range, not: {shown}"),
    })
}
