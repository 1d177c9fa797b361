//! A lesson as its text: parsing that text gives an equal lesson.

use super::inline::markdown;
use super::{Answer, Ask, Claim, Item, Lesson, RunClaimKind, RunLine, Try, What, head};
use std::fmt::{self, Display, Formatter};

impl Display for Lesson {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&head::print(self))?;
        for item in &self.opening {
            write!(f, "\n{item}")?;
        }
        for scene in &self.scenes {
            write!(f, "\n## {}\n", markdown(&scene.title))?;
            for item in &scene.items {
                write!(f, "\n{item}")?;
            }
        }
        Ok(())
    }
}

impl Display for Item {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let block = match &self.what {
            What::Paragraph(prose) => return writeln!(f, "{}", markdown(prose)),
            What::List { ordered, items } => {
                for (at, item) in items.iter().enumerate() {
                    let mark = if *ordered { format!("{}.", at + 1) } else { "-".to_owned() };
                    writeln!(f, "{mark} {}", markdown(item))?;
                }
                return Ok(());
            }
            What::Note(paragraphs) => {
                let paragraphs: Vec<String> =
                    paragraphs.iter().map(|prose| format!("> {}\n", markdown(prose))).collect();
                return f.write_str(&paragraphs.join(">\n"));
            }
            What::Run(lines) => {
                let lines = lines.iter().map(ToString::to_string).collect::<String>();
                format!("run:\n{lines}")
            }
            What::Check(claims) => format!("check:\n{}", conditions(claims, "")),
            What::Ask(ask) => ask.to_string(),
            What::Try(task) => task.to_string(),
            What::Show(show) => {
                let views = show.views.iter().map(|(_, view)| format!("{view}\n"));
                format!("show: {}\n{}", show.object, views.collect::<String>())
            }
            What::Start(start) => {
                let preset = start.preset.iter().map(|preset| format!("preset {preset}\n"));
                let settings =
                    start.settings.iter().map(|(name, value)| format!("{name} {value}\n"));
                format!("start:\n{}", preset.chain(settings).collect::<String>())
            }
        };
        write!(f, "```levelscope\n{block}```\n")
    }
}

fn conditions(claims: &[Claim], indent: &str) -> String {
    claims
        .iter()
        .flat_map(|claim| [indent.to_owned(), claim.condition.to_string(), "\n".into()])
        .collect()
}

impl Display for RunLine {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.command)?;
        self.claims.iter().try_for_each(|claim| write!(f, "{}", claim.what))
    }
}

impl Display for RunClaimKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Result(test) => writeln!(f, "    -> {test}"),
            Self::Database(condition) => writeln!(f, "    {condition}"),
            Self::Fails(kind) => writeln!(f, "    fails {kind}"),
        }
    }
}

impl Display for Ask {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "ask {}", self.name)?;
        match &self.answer {
            Answer::Choices(choices) => {
                writeln!(f, ":\n{}", markdown(&self.text))?;
                for choice in choices {
                    let mark = if choice.marked { "(x)" } else { "( )" };
                    writeln!(f, "{mark} {}", markdown(&choice.text))?;
                    f.write_str(&conditions(&choice.conditions, "    "))?;
                }
            }
            Answer::Value { kind, expected, of, within } => {
                writeln!(f, ", a {}:\n{}", kind.word(), markdown(&self.text))?;
                if let Some((_, expected)) = expected {
                    writeln!(f, "= {expected}")?;
                }
                write!(f, "    {}", of.condition)?;
                match within {
                    Some(within) => writeln!(f, " within {within}")?,
                    None => writeln!(f)?,
                }
            }
        }
        match &self.because {
            Some(because) => writeln!(f, "because {}", markdown(because)),
            None => Ok(()),
        }
    }
}

impl Display for Try {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "try {}:\n{}", self.name, markdown(&self.text))?;
        writeln!(f, "done")?;
        for goal in &self.done {
            writeln!(f, "{}    else {}", goal.claim.what, markdown(&goal.missing))?;
        }
        for hint in &self.hints {
            writeln!(f, "hint {}", markdown(hint))?;
        }
        writeln!(f, "solution")?;
        self.solution.iter().try_for_each(|(_, line)| writeln!(f, "    {line}"))
    }
}
