//! A lesson from its text: head, scenes, prose; blocks are read by their own modules.

use super::{
    Answer, BLOCKS_MAX, BYTES_MAX, COMPLAINTS_MAX, Complaint, Item, Lesson, Line, Prose, Scene,
    TASKS_MAX, What, ask, block, head, inline,
};
use levelscope::internals::Few;
use levelscope::internals::sorting;

/// Reads a lesson.
///
/// # Errors
/// Everything that is wrong with it, in the order of lines; at least one complaint.
pub fn parse(text: &str) -> Result<Lesson, Vec<Complaint>> {
    if text.len() > BYTES_MAX {
        let message =
            format!("a lesson has at most {BYTES_MAX} bytes, and this one {}", text.len());
        return Err(vec![Complaint { line: 1, message }]);
    }
    let mut parser = Parser::new(text);
    parser.characters();
    let mut lesson = Lesson::default();
    head::parse(&mut parser, &mut lesson);
    while let Some((line, text)) = parser.next() {
        if let Some(title) = text.trim_start().strip_prefix("## ") {
            let title = parser.prose(line, title.trim());
            lesson.scenes.push(Scene { line, title, items: Vec::new() });
        } else if let Some(what) = parser.item(line, text) {
            let scene = lesson.scenes.last_mut();
            let items = scene.map_or(&mut lesson.opening, |scene| &mut scene.items);
            items.push(Item { line, what });
        }
    }
    parser.whole(&lesson);
    let mut complaints = parser.complaints;
    if complaints.is_empty() {
        return Ok(lesson);
    }
    sorting::sort_by_key(&mut complaints, |complaint| complaint.line);
    complaints.dedup();
    complaints.truncate(COMPLAINTS_MAX);
    Err(complaints)
}

/// The lines of a lesson, and what is wrong with them.
pub(super) struct Parser<'a> {
    lines: Vec<&'a str>,
    /// Lines that were read.
    at: usize,
    pub(super) complaints: Vec<Complaint>,
}

/// The mark at the start of a line of prose.
enum Mark<'a> {
    Blank,
    Title,
    Fence,
    Note(&'a str),
    Point(bool, &'a str),
    Text(&'a str),
}

fn mark(line: &str) -> Mark<'_> {
    let line = line.trim();
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let number = line.get(digits..).filter(|_| digits > 0);
    if line.is_empty() {
        Mark::Blank
    } else if line.starts_with("## ") {
        Mark::Title
    } else if line.starts_with("```") {
        Mark::Fence
    } else if let Some(note) = line.strip_prefix('>') {
        Mark::Note(note.trim())
    } else if let Some(point) = line.strip_prefix("- ") {
        Mark::Point(false, point.trim())
    } else if let Some(point) = number.and_then(|rest| rest.strip_prefix(". ")) {
        Mark::Point(true, point.trim())
    } else {
        Mark::Text(line)
    }
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { lines: text.lines().collect(), at: 0, complaints: Vec::new() }
    }

    /// The next line and its number.
    pub(super) fn next(&mut self) -> Option<(Line, &'a str)> {
        let line = self.lines.get(self.at)?;
        self.at += 1;
        Some((self.here(), line))
    }

    /// The line that was read last.
    fn here(&self) -> Line {
        Line(u32::try_from(self.at).unwrap_or(u32::MAX))
    }

    /// Reads the line that was read last once more.
    pub(super) fn back(&mut self) {
        self.at = self.at.saturating_sub(1);
    }

    fn peek(&self) -> Option<Mark<'a>> {
        self.lines.get(self.at).map(|line| mark(line))
    }

    pub(super) fn wrong(&mut self, line: Line, message: impl Into<String>) {
        self.complaints.push(Complaint::new(line, message));
    }

    /// Prose that begins at `line`.
    pub(super) fn prose(&mut self, line: Line, text: &str) -> Prose {
        let (prose, wrong) = inline::parse(text);
        for message in wrong {
            self.wrong(line, message);
        }
        prose
    }

    /// Refuses characters that cannot be seen.
    fn characters(&mut self) {
        let hidden = |c: char| c != '\t' && crate::text::is_hidden(c);
        for (at, line) in self.lines.clone().iter().enumerate() {
            if let Some(found) = line.chars().find(|c| hidden(*c)) {
                let line = Line(u32::try_from(at + 1).unwrap_or(u32::MAX));
                let code = u32::from(found);
                self.wrong(
                    line,
                    format!("the character U+{code:04X} cannot be seen: it is left out"),
                );
            }
        }
    }

    /// The item that begins with `text`.
    fn item(&mut self, line: Line, text: &'a str) -> Option<What> {
        match mark(text) {
            Mark::Blank | Mark::Title => None,
            Mark::Fence => self.fence(line, text.trim()),
            Mark::Note(first) => Some(What::Note(self.note(line, first))),
            Mark::Point(ordered, first) => Some(self.list(line, ordered, first)),
            Mark::Text(text) => {
                if text.starts_with("# ") || text.starts_with("###") {
                    self.wrong(
                        line,
                        "a title of a scene begins with ## and a space; there are no others",
                    );
                }
                let text = self.wrapped(text);
                Some(What::Paragraph(self.prose(line, &text)))
            }
        }
    }

    /// `first`, and the lines that go on with it.
    fn wrapped(&mut self, first: &str) -> String {
        let mut text = first.to_owned();
        while let Some(Mark::Text(more)) = self.peek() {
            self.at += 1;
            text.push(' ');
            text.push_str(more);
        }
        text
    }

    fn note(&mut self, line: Line, first: &str) -> Vec<Prose> {
        let mut paragraphs = vec![first.to_owned()];
        while let Some(Mark::Note(more)) = self.peek() {
            self.at += 1;
            match paragraphs.last_mut() {
                _ if more.is_empty() => paragraphs.push(String::new()),
                Some(last) => {
                    if !last.is_empty() {
                        last.push(' ');
                    }
                    last.push_str(more);
                }
                None => {}
            }
        }
        paragraphs.retain(|paragraph| !paragraph.is_empty());
        if paragraphs.is_empty() {
            self.wrong(line, "this note is empty");
        }
        paragraphs.iter().map(|paragraph| self.prose(line, paragraph)).collect()
    }

    fn list(&mut self, line: Line, ordered: bool, first: &str) -> What {
        let first = self.wrapped(first);
        let mut items = vec![self.prose(line, &first)];
        while let Some(Mark::Point(kind, point)) = self.peek() {
            if kind != ordered {
                break;
            }
            self.at += 1;
            let line = self.here();
            let point = self.wrapped(point);
            items.push(self.prose(line, &point));
        }
        What::List { ordered, items }
    }

    /// The block after the fence `text`.
    fn fence(&mut self, line: Line, text: &str) -> Option<What> {
        let mut body = Vec::new();
        loop {
            match self.next() {
                Some((_, text)) if text.trim() == "```" => break,
                // Fewer spaces than an indent mean nothing.
                Some((at, text)) if text.starts_with(block::INDENT) => {
                    body.push((at, text.trim_end()));
                }
                Some((at, text)) => body.push((at, text.trim())),
                None => {
                    self.wrong(line, "this block is never closed: ``` is missing");
                    break;
                }
            }
        }
        if text != "```levelscope" {
            self.wrong(line, "only blocks that begin with ```levelscope may stand in a lesson");
            return None;
        }
        block::parse(self, line, &body)
    }

    /// Checks the rules about the whole lesson.
    fn whole(&mut self, lesson: &Lesson) {
        let (mut blocks, mut tasks) = (0, 0);
        let mut names: Few<&str, Line> = Few::new();
        let mut unanswered: Vec<(&str, Line)> = Vec::new();
        for item in lesson.items() {
            let name = match &item.what {
                What::Paragraph(_) | What::List { .. } | What::Note(_) => continue,
                What::Ask(ask) => {
                    unanswered.push((&ask.name, item.line));
                    Some(&ask.name)
                }
                What::Try(task) => Some(&task.name),
                What::Run(_) => {
                    unanswered.clear();
                    None
                }
                What::Start(_) => {
                    self.never_answered(&std::mem::take(&mut unanswered));
                    None
                }
                What::Check(_) | What::Show(_) => None,
            };
            blocks += 1;
            if blocks == BLOCKS_MAX + 1 {
                self.wrong(item.line, format!("a lesson has at most {BLOCKS_MAX} blocks"));
            }
            let Some(name) = name else { continue };
            tasks += 1;
            if tasks == TASKS_MAX + 1 {
                let message = format!("a lesson has at most {TASKS_MAX} questions and tasks");
                self.wrong(item.line, message);
            }
            if let Some(first) = names.insert(name, item.line) {
                let message = format!("the name {name} is taken already, by line {}", first.0);
                self.wrong(item.line, message);
            }
        }
        self.never_answered(&unanswered);
        if lesson.scenes.is_empty() {
            self.wrong(Line(1), "a lesson has at least one scene: a line with ## and its title");
        }
    }

    fn never_answered(&mut self, questions: &[(&str, Line)]) {
        for (name, line) in questions {
            self.wrong(*line, format!("question {name} is never answered: no run: follows it"));
        }
    }
}

impl Answer {
    /// The choices; empty when the answer is a value.
    pub fn choices(&self) -> &[super::Choice] {
        match self {
            Self::Choices(choices) => choices,
            Self::Value { .. } => &[],
        }
    }
}

/// Reads a question or a task.
pub(super) use ask::{question, task};
