//! A script that was shared, as a lesson of one scene: it is played where lessons are, beside the visitor's database.

use super::parse::Parser;
use super::{COMPLAINTS_MAX, Complaint, Item, Lesson, Line, RunLine, Scene, Start, What};
use crate::language::Script;
use crate::prose::Inline;
use crate::result::LessonHead;
use levelscope::{Maintenance, OPTION_INFOS};

/// The lesson that plays the script in `text`.
///
/// # Errors
/// Everything that is wrong with the script, in the order of lines.
pub(super) fn lesson(text: &str) -> Result<Lesson, Vec<Complaint>> {
    let script =
        Script::parse(text).map_err(|(line, message)| vec![Complaint::new(Line(line), message)])?;
    let mut parser = Parser::new("");
    if matches!(script.options.maintenance, Maintenance::Threads(_)) {
        parser.wrong(
            Line(1),
            "a script has no background threads: it would lead elsewhere each time",
        );
    }
    if script.lines.is_empty() {
        parser.wrong(Line(1), "the script has no command");
    }
    for line in &script.lines {
        parser.shared_command(Line(line.line), &line.text);
    }
    if !parser.complaints.is_empty() {
        parser.complaints.truncate(COMPLAINTS_MAX);
        return Err(parser.complaints);
    }
    let settings = OPTION_INFOS.iter().map(|info| (info.name, (info.get)(&script.options)));
    let settings = settings.map(|(name, value)| (name.to_owned(), value.to_string())).collect();
    let lines = script.lines.into_iter().map(|line| RunLine {
        line: Line(line.line),
        command: line.text,
        claims: Vec::new(),
    });
    let items = [What::Start(Start { preset: None, settings }), What::Run(lines.collect())];
    let items = items.map(|what| Item { line: Line(1), what }).into();
    let title = vec![Inline::Text { text: "Commands from a link".into() }];
    let head = LessonHead {
        id: "shared".into(),
        title: "Shared".into(),
        minutes: 1,
        level: 1,
        goal: "you have seen what these commands do".into(),
        ..LessonHead::default()
    };
    let scene = Scene { line: Line(1), title, items };
    Ok(Lesson { head, preset: "classroom".into(), opening: Vec::new(), scenes: vec![scene] })
}
