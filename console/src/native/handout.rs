//! Lessons on paper, as a page of HTML: for learners with room to write, for teachers with answers and notes.

use levelscope_console::lesson::{Answer, Ask, Item, Lesson, Report, Start, Try, What};
use levelscope_console::prose::Inline;
use levelscope_console::text::counted;
use std::fmt::Write as _;

/// For whom a handout is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reader {
    Learner,
    Teacher,
}

/// Black on white, so that a copying machine does not lose anything.
const STYLE: &str = "
@page { margin: 18mm; }
body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; font: 11pt/1.45 Georgia, serif; color: #000; background: #fff; }
article + article { break-before: page; }
h1 { margin: 0 0 0.3rem; font-size: 20pt; }
h2 { margin: 1.4rem 0 0.4rem; font-size: 14pt; break-after: avoid; }
code, pre { font: 10pt/1.5 'DejaVu Sans Mono', Menlo, Consolas, monospace; }
pre { margin: 0.6rem 0; border-left: 2pt solid #000; padding: 0.1rem 0 0.1rem 0.8rem; white-space: pre-wrap; }
.box { margin: 0.8rem 0; border: 1pt solid #000; border-radius: 4pt; padding: 0.4rem 0.8rem 0.6rem; break-inside: avoid; }
.box > b:first-child { display: block; font-size: 9pt; letter-spacing: 0.04em; text-transform: uppercase; }
.box p { margin: 0.3rem 0; }
.write { height: 1.9rem; border-bottom: 0.5pt solid #000; }
.note { margin: 0.8rem 0; border: 1pt dashed #000; padding: 0.2rem 0.8rem; }
.box .choice { margin: 0.25rem 0 0.25rem 1.6rem; text-indent: -1.6rem; }
";

/// A page with a handout for each of `lessons`.
pub(super) fn page(lessons: &[(Lesson, Report)], reader: Reader) -> String {
    let title = match lessons {
        [(lesson, _)] => escaped(&lesson.head.title),
        _ => counted(lessons.len() as u64, "lesson"),
    };
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{title}</title>\n<style>{STYLE}</style>\n"
    );
    for (lesson, report) in lessons {
        Handout { report, reader, out: &mut out }.lesson(lesson);
    }
    out
}

/// One handout, as far as it is written.
struct Handout<'a> {
    report: &'a Report,
    reader: Reader,
    out: &'a mut String,
}

impl Handout<'_> {
    fn put(&mut self, html: &str) {
        self.out.push_str(html);
        self.out.push('\n');
    }

    fn teaches(&self) -> bool {
        self.reader == Reader::Teacher
    }

    fn lesson(&mut self, lesson: &Lesson) {
        let head = &lesson.head;
        self.put("<article>");
        self.put(&format!("<h1>{}</h1>", escaped(&head.title)));
        let minutes = counted(head.minutes, "minute");
        self.put(&format!("<p>{minutes}. After this lesson: {}</p>", escaped(&head.goal)));
        if let (true, Some(source)) = (self.teaches(), &head.source) {
            self.put(&format!("<p>Sources: {}</p>", escaped(source)));
        }
        self.put(&format!(
            "<p>In the page: <b>Lessons</b> in the header, or <code>lesson start {}</code>.</p>",
            escaped(&head.id)
        ));
        let preset = escaped(&head.preset);
        self.put(&format!("<p>Its database begins with the preset <code>{preset}</code>.</p>"));
        if !self.teaches() {
            self.put("<div class=\"write\">Name</div><div class=\"write\">Date</div>");
        }
        lesson.opening.iter().for_each(|item| self.item(item));
        for scene in &lesson.scenes {
            self.put(&format!("<h2>{}</h2>", prose(&scene.title)));
            scene.items.iter().for_each(|item| self.item(item));
        }
        self.put("</article>");
    }

    fn item(&mut self, item: &Item) {
        match &item.what {
            What::Say(text) => self.put(&format!("<p>{}</p>", prose(text))),
            What::List { ordered, items } => {
                let tag = if *ordered { "ol" } else { "ul" };
                self.put(&format!("<{tag}>"));
                for item in items {
                    self.put(&format!("<li>{}</li>", prose(item)));
                }
                self.put(&format!("</{tag}>"));
            }
            What::Note(paragraphs) if self.teaches() => {
                self.put("<div class=\"note\">");
                for text in paragraphs {
                    self.put(&format!("<p>{}</p>", prose(text)));
                }
                self.put("</div>");
            }
            What::Run(lines) => {
                let lines: Vec<String> = lines.iter().map(|line| escaped(&line.command)).collect();
                self.put(&format!("<pre>{}</pre>", lines.join("\n")));
            }
            What::Ask(ask) => self.ask(ask),
            What::Try(task) => self.task(task),
            What::Start(start) => self.start(start),
            What::Show(show) => {
                let object = show.object.replace('/', ", ").replace(':', " ");
                self.put(&format!("<p><i>Look at {}.</i></p>", escaped(&object)));
            }
            What::Note(_) | What::Check(_) => {}
        }
    }

    fn start(&mut self, start: &Start) {
        let preset = start.preset.iter().map(|preset| format!("preset {preset}"));
        let settings = start.settings.iter().map(|(name, value)| format!("{name} {value}"));
        let options: Vec<String> = preset.chain(settings).map(|option| escaped(&option)).collect();
        let options = options.join("</code>, <code>");
        self.put(&format!("<p><i>An empty database begins here:</i> <code>{options}</code></p>"));
    }

    fn ask(&mut self, ask: &Ask) {
        self.put(&format!("<div class=\"box\"><b>Predict</b><p>{}</p>", prose(&ask.text)));
        for choice in ask.answer.choices() {
            let mark = if self.teaches() && choice.marked { "☑" } else { "☐" };
            self.put(&format!("<p class=\"choice\">{mark}&ensp;{}</p>", prose(&choice.text)));
        }
        if self.teaches() {
            let answer = self.report.answers.iter().find(|(name, _)| *name == ask.name);
            if let (Answer::Value { .. }, Some((_, answer))) = (&ask.answer, answer) {
                self.put(&format!("<p>The engine: <b>{}</b></p>", escaped(answer)));
            }
            if let Some(because) = &ask.because {
                self.put(&format!("<p>{}</p>", prose(because)));
            }
        } else {
            let mine = match ask.answer {
                Answer::Choices(_) => "I think so because",
                Answer::Value { .. } => "I think it is",
            };
            self.put(&format!("<div class=\"write\">{mine}</div>"));
            self.put("<div class=\"write\">The engine says</div><div class=\"write\"></div>");
        }
        self.put("</div>");
    }

    fn task(&mut self, task: &Try) {
        self.put(&format!("<div class=\"box\"><b>Task</b><p>{}</p>", prose(&task.text)));
        if self.teaches() {
            for hint in &task.hints {
                self.put(&format!("<p>Hint: {}</p>", prose(hint)));
            }
            let lines: Vec<String> = task.solution.iter().map(|(_, line)| escaped(line)).collect();
            self.put(&format!("<p>A solution:</p><pre>{}</pre>", lines.join("\n")));
        } else {
            self.put("<div class=\"write\">My commands</div><div class=\"write\"></div>");
        }
        self.put("</div>");
    }
}

/// Prose with its marks; a link is its text, and its address where paper can use it.
fn prose(text: &[Inline]) -> String {
    text.iter().fold(String::new(), |mut out, inline| {
        let text = escaped(inline.text());
        let _ = match inline {
            Inline::Link { target, .. } if target.starts_with("https://") => {
                write!(out, "{text} ({})", escaped(target))
            }
            Inline::Text { .. } | Inline::Link { .. } => write!(out, "{text}"),
            Inline::Code { .. } => write!(out, "<code>{text}</code>"),
            Inline::Strong { .. } => write!(out, "<b>{text}</b>"),
            Inline::Emphasis { .. } => write!(out, "<em>{text}</em>"),
        };
        out
    })
}

/// Text that is only text in HTML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}
