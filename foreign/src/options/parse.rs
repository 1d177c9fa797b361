//! The text of an OPTIONS file as sections of settings, each with its offset.

use super::value::{comment_start, unescape};
use crate::{Engine, ErrorKind, Files, Problem, Result, Severity};

/// Larger files are not read; real ones have some tens of kilobytes, and one section per column family.
const BYTES_MAX: u64 = 16 << 20;
/// Problems that one file may have before the rest goes unnamed.
const PROBLEMS_MAX: usize = 50;
/// Settings that are kept: those of two thousand families.
const SETTINGS_MAX: usize = 400_000;
/// Sections that are kept.
const SECTIONS_MAX: usize = 20_000;

/// One `name=value`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// The name.
    pub name: String,
    /// The value without escapes and comment.
    pub value: String,
    /// Offset of the first byte of its name in the file.
    pub offset: u64,
}

/// The settings under one title, such as `[CFOptions "default"]`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Section {
    /// The title without its argument: `CFOptions`.
    pub title: String,
    /// The argument in quotes: the name of the family, or the number of a level of Pebble.
    pub argument: Option<String>,
    /// Offset of the opening bracket.
    pub offset: u64,
    /// The settings in their order.
    pub settings: Vec<Setting>,
}

impl Section {
    /// The value of `name`; of several settings with one name the last counts.
    pub fn get(&self, name: &str) -> Option<&str> {
        let setting = self.settings.iter().rev().find(|setting| setting.name == name)?;
        Some(&setting.value)
    }
}

/// An OPTIONS file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionsFile {
    /// Its name.
    pub file: String,
    /// The engine that wrote it: Pebble when it contains `pebble_version`, else RocksDB.
    pub engine: Engine,
    /// The version in it: of RocksDB the library's, of Pebble the one of the file's format.
    pub version: Option<String>,
    /// The sections in their order.
    pub sections: Vec<Section>,
    /// Lines that could not be read.
    pub problems: Vec<Problem>,
}

impl OptionsFile {
    /// The OPTIONS file with the highest number; `None` when the directory has none, which is no error.
    ///
    /// # Errors
    /// `Io` when the file cannot be read, `NotRead` when it is larger than 16 MiB.
    pub fn read(files: &dyn Files) -> Result<Option<Self>> {
        let numbered = files.list().iter().filter_map(|file| {
            let digits = file.name.strip_prefix("OPTIONS-")?;
            Some((digits.parse::<u64>().ok()?, file.name.as_str()))
        });
        let Some((_, name)) = numbered.max() else { return Ok(None) };
        match files.read_whole(name, BYTES_MAX) {
            Ok(bytes) => Ok(Some(Self::parse(name, &bytes))),
            Err(error) if error.kind() == ErrorKind::Missing => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Reads the text of `file`. Lines that make no sense become problems, all others are kept.
    pub fn parse(file: &str, bytes: &[u8]) -> Self {
        let mut parser = Parser { file, sections: Vec::new(), settings: 0, problems: Vec::new() };
        let mut offset = 0u64;
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            parser.line(line, offset);
            offset += line.len() as u64;
        }
        let Parser { sections, problems, .. } = parser;
        let version = sections.iter().find(|section| section.title == "Version");
        let version_of = |name| version.and_then(|section| section.get(name)).map(str::to_owned);
        let (engine, version) = match version_of("pebble_version") {
            Some(version) => (Engine::Pebble, Some(version)),
            None => (Engine::RocksDb, version_of("rocksdb_version")),
        };
        Self { file: file.to_owned(), engine, version, sections, problems }
    }

    /// The section with this title and argument; of several the last counts.
    pub fn section(&self, title: &str, argument: Option<&str>) -> Option<&Section> {
        let same =
            |section: &&Section| section.title == title && section.argument.as_deref() == argument;
        self.sections.iter().rev().find(same)
    }

    /// The options of the whole database: `[DBOptions]` of RocksDB, `[Options]` of Pebble.
    pub fn database(&self) -> Option<&Section> {
        let title = if self.engine == Engine::Pebble { "Options" } else { "DBOptions" };
        self.section(title, None)
    }

    /// The names of the column families that have options, in their order. Pebble has one, `default`.
    pub fn families(&self) -> Vec<&str> {
        if self.engine == Engine::Pebble {
            return vec!["default"];
        }
        let families = self.sections.iter().filter(|section| section.title == "CFOptions");
        families.filter_map(|section| section.argument.as_deref()).collect()
    }
}

struct Parser<'a> {
    file: &'a str,
    sections: Vec<Section>,
    settings: usize,
    problems: Vec<Problem>,
}

impl Parser<'_> {
    fn line(&mut self, line: &[u8], offset: u64) {
        let text = String::from_utf8_lossy(line);
        let kept = text.get(..comment_start(&text)).unwrap_or_default();
        let trimmed = kept.trim();
        if trimmed.is_empty() {
            return;
        }
        let spaces = line.iter().take_while(|byte| byte.is_ascii_whitespace()).count() as u64;
        let offset = offset + spaces;
        if let Some(rest) = trimmed.strip_prefix('[') {
            let Some(title) = rest.strip_suffix(']') else {
                self.problem(offset, "a title of a section has no closing bracket");
                return;
            };
            self.title(title, offset);
        } else if let Some((name, value)) = trimmed.split_once('=') {
            let (name, value) = (name.trim().to_owned(), unescape_outer(value.trim()));
            let Some(section) = self.sections.last_mut() else {
                self.problem(offset, "a setting stands before the first section");
                return;
            };
            self.settings += 1;
            if self.settings <= SETTINGS_MAX {
                section.settings.push(Setting { name, value, offset });
            } else if self.settings == SETTINGS_MAX + 1 {
                self.problem(offset, "more settings are in the file than are read");
            }
        } else {
            self.problem(offset, "a line is neither a title nor a setting");
        }
    }

    fn title(&mut self, title: &str, offset: u64) {
        let (title, argument) = match title.split_once('"') {
            Some((title, rest)) => {
                let argument = rest.trim_end().strip_suffix('"').unwrap_or(rest);
                (title.trim(), Some(unescape(argument)))
            }
            None => (title.trim(), None),
        };
        if self.sections.len() == SECTIONS_MAX {
            self.problem(offset, "more sections are in the file than are read");
            return;
        }
        let title = title.to_owned();
        self.sections.push(Section { title, argument, offset, settings: Vec::new() });
    }

    fn problem(&mut self, offset: u64, message: &str) {
        if self.problems.len() < PROBLEMS_MAX {
            self.problems.push(Problem::new(Severity::Note, self.file, message).at(offset));
        }
    }
}

/// Nested values keep their escapes until they are taken apart, all others lose them here.
fn unescape_outer(value: &str) -> String {
    if value.starts_with('{') { value.to_owned() } else { unescape(value) }
}
