//! A script: commands for an empty database, and the options of that database. It is what people share.
//!
//! ```text
//! # levelscope 1 classroom wal_buffer_bytes=65536
//! put apple red
//! flush; run
//! ```
//!
//! The first line records the version of the form, the preset of the database, and the options that differ from
//! it. To everything else that reads commands it is a comment.

use super::lexer::unfinished;
use crate::text;
use levelscope::{OPTION_INFOS, Options, PRESETS};

/// A page's default: the first line of a script that has none.
const USUAL: &str = "classroom wal_buffer_bytes=65536";
/// How the first line begins.
const MARK: &str = "# levelscope ";
/// The version of the form.
const FORMAT: &str = "1";

/// Commands for an empty database.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Script {
    pub(crate) options: Options,
    pub(crate) lines: Vec<ScriptLine>,
}

/// One command, or several on a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ScriptLine {
    /// Where it stands, from 1.
    pub(crate) line: u32,
    pub(crate) text: String,
}

impl Script {
    /// Length of the text \[bytes\].
    pub(crate) const BYTES_MAX: usize = 64 << 10;
    /// Units of work: puts, entries and phases.
    pub(crate) const UNITS_MAX: u64 = 200_000;
    /// Length of all files of its database \[bytes\].
    pub(crate) const FILE_BYTES_MAX: u64 = 64 << 20;

    /// A script of `commands`.
    pub(crate) fn new(options: Options, commands: impl IntoIterator<Item = String>) -> Self {
        let mut next = 2;
        let lines = commands.into_iter().map(|text| {
            let line = next;
            next += u32::try_from(text.lines().count()).unwrap_or(1);
            ScriptLine { line, text }
        });
        Self { lines: lines.collect(), options }
    }

    /// Reads a script. The commands themselves are not looked at.
    ///
    /// # Errors
    /// The line that is wrong, and why.
    pub(crate) fn parse(text: &str) -> Result<Self, (u32, String)> {
        if text.len() > Self::BYTES_MAX {
            let (bytes, most) = (text.len() as u64, Self::BYTES_MAX as u64);
            let (bytes, most) = (text::size(bytes), text::size(most));
            return Err((1, format!("a script has at most {most}, and this one has {bytes}")));
        }
        for (part, line) in text.lines().zip(1..) {
            if let Some(found) = part.chars().find(|c| *c != '\t' && text::is_hidden(*c)) {
                let code = u32::from(found);
                return Err((
                    line,
                    format!(
                        "the character U+{code:04X} cannot be seen: its bytes are written as \\xNN"
                    ),
                ));
            }
        }
        let head = text.lines().next().and_then(|first| first.strip_prefix(MARK));
        let options = match head.map(|head| head.split_once(' ').unwrap_or((head, ""))) {
            None => options(USUAL),
            Some((FORMAT, rest)) => options(rest),
            Some((version, _)) => {
                let version = text::short_word(version.as_bytes(), 16);
                Err(format!(
                    "the script is in version {version}, and only version {FORMAT} is known"
                ))
            }
        };
        let options = options.map_err(|why| (1, why))?;
        let mut lines = Vec::new();
        let mut open: Option<ScriptLine> = None;
        for (part, line) in text.lines().zip(1..) {
            let mut command = match open.take() {
                Some(ScriptLine { line, text }) => {
                    ScriptLine { line, text: format!("{text}\n{part}") }
                }
                None => ScriptLine { line, text: part.trim().to_owned() },
            };
            if unfinished(&command.text).is_some() {
                open = Some(command);
            } else if !is_comment(&command.text) {
                command.text.truncate(command.text.trim_end().len());
                lines.push(command);
            }
        }
        lines.extend(open);
        Ok(Self { options, lines })
    }
}

impl std::fmt::Display for Script {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{MARK}{FORMAT} {}", in_words(&self.options))?;
        self.lines.iter().try_for_each(|line| writeln!(f, "{}", line.text))
    }
}

fn is_comment(line: &str) -> bool {
    line.is_empty() || (line.starts_with('#') && !line.contains('\n'))
}

/// The names of the presets, with commas between them.
pub(crate) fn presets() -> String {
    PRESETS.iter().map(|preset| preset.name).collect::<Vec<_>>().join(", ")
}

/// The message about an unknown preset.
pub(crate) fn no_preset(name: &str) -> String {
    let shown = text::short_word(name.as_bytes(), 32);
    format!("there is no preset {shown}; there are: {}", presets())
}

/// The options in `words`: a preset, and what differs from it.
fn options(words: &str) -> Result<Options, String> {
    let mut words = words.split_whitespace();
    let name = words.next().unwrap_or("classroom");
    let Some(mut options) = Options::preset(name) else {
        return Err(no_preset(name));
    };
    for word in words {
        let Some((name, value)) = word.split_once('=') else {
            let word = text::short_word(word.as_bytes(), 32);
            return Err(format!("{word} is no option: an option is written as NAME=VALUE"));
        };
        options.set(name, value).map_err(|error| text::printable(&error.to_string()))?;
    }
    options.validate().map_err(|error| text::printable(&error.to_string()))?;
    Ok(options)
}

/// A preset and what differs from it, with as few differences as there can be.
fn in_words(options: &Options) -> String {
    let all = PRESETS.iter().filter_map(|preset| {
        let plain = Options::preset(preset.name)?;
        let differ = |info: &&levelscope::OptionInfo| (info.get)(options) != (info.get)(&plain);
        let words = OPTION_INFOS.iter().filter(differ);
        let words = words.map(|info| format!(" {}={}", info.name, (info.get)(options)));
        Some((preset.name, words.collect::<Vec<_>>()))
    });
    let nearest = all.min_by_key(|(_, words)| words.len());
    nearest.map_or_else(String::new, |(name, words)| format!("{name}{}", words.concat()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<(u32, String)> {
        let script = Script::parse(text).map_err(|(line, why)| format!("{line}: {why}"));
        let script = script.unwrap_or_else(|why| panic!("{why}"));
        script.lines.into_iter().map(|line| (line.line, line.text)).collect()
    }

    #[test]
    fn lines_are_commands_and_comments_are_none() {
        let text = "# levelscope 1 article\n\nput a 1\n# a thought\n  get a  \nbatch {\n  put b 2\n}\nrun\n";
        let found = lines(text);
        let expected = [(3, "put a 1"), (5, "get a"), (6, "batch {\n  put b 2\n}"), (9, "run")];
        assert_eq!(found, expected.map(|(line, text)| (line, text.to_owned())));
        // An unfinished line is a command that fails when it is checked.
        assert_eq!(lines("put \"a"), [(1, "put \"a".to_owned())]);
    }

    #[test]
    fn what_is_printed_is_read_again() {
        for preset in PRESETS {
            let mut options = Options::preset(preset.name).unwrap_or_default();
            options.wal_buffer_bytes = 4096;
            let script = Script::new(options, ["put a 1".to_owned(), "flush; run".to_owned()]);
            assert_eq!(Script::parse(&script.to_string()), Ok(script.clone()), "{script}");
        }
    }

    #[test]
    fn without_a_first_line_the_options_are_those_of_a_page() {
        let script = Script::parse("put a 1");
        let options = script.map(|script| script.options);
        let usual = Options::preset("classroom").unwrap_or_default().wal_buffer_bytes(65_536);
        assert_eq!(options, Ok(usual));
    }

    #[test]
    fn a_wrong_first_line_is_explained() {
        for (text, why) in [
            ("# levelscope 2 classroom", "the script is in version 2, and only version 1 is known"),
            ("# levelscope 1 tiniest", "there is no preset tiniest; there are: "),
            (
                "# levelscope 1 article bloom_bits",
                "bloom_bits is no option: an option is written as NAME=VALUE",
            ),
            (
                "# levelscope 1 article bloom_bits=900",
                "bloom_bits is 900, but must be 0 to 64 bits a key",
            ),
            ("# levelscope 1 article maintenance=threads:9999", "maintenance takes "),
        ] {
            let found = Script::parse(text).map_or_else(|(_, why)| why, |_| String::new());
            assert!(found.starts_with(why), "{text}: {found}");
        }
        let hidden = Script::parse("put a 1\nput b \u{202e}1").map(|_| ());
        let why = "the character U+202E cannot be seen: its bytes are written as \\xNN";
        assert_eq!(hidden, Err((2, why.to_owned())));
        let long = "#".repeat(Script::BYTES_MAX + 1);
        assert!(Script::parse(&long).is_err_and(|(_, why)| why.contains("at most 64.0 KiB")));
    }
}
