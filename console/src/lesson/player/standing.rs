//! Where a lesson has left its database, and whether commands of the learner's own have changed it since.

use super::Player;
use crate::console::Console;
use crate::history::Step;
use crate::language::Condition;
use crate::lesson::What;
use levelscope::view::View;

/// Where a database stands.
pub(super) struct Standing {
    branch: usize,
    step: Step,
    view: View,
}

impl Standing {
    pub(super) fn of(console: &Console) -> Self {
        Self { branch: console.branch(), step: console.steps(), view: seen(console) }
    }

    /// Whether the database is on the same branch.
    pub(super) fn is_on(&self, branch: usize) -> bool {
        self.branch == branch
    }

    /// Whether `console` has moved on; reads count only if `reads` is set.
    fn is_left(&self, console: &Console, reads: bool) -> bool {
        if self.branch != console.branch() {
            return true;
        }
        self.step != console.steps() && (reads || self.view != seen(console))
    }
}

/// The state without its time, which goes on with each read.
fn seen(console: &Console) -> View {
    let view = console.db().map(levelscope::Db::view).unwrap_or_default();
    View { time: 0, ..view }
}

impl Player {
    /// Whether the database is no longer as the lesson has left it.
    pub(super) fn has_left(&self, console: &Console) -> bool {
        let Some(stands) = &self.stands else { return false };
        stands.is_left(console, false) || (stands.is_left(console, true) && self.counts_reads())
    }

    /// Whether something that follows in this database depends on what was read before: on the block cache, and on
    /// counters. Only two commands print these.
    fn counts_reads(&self) -> bool {
        self.ahead().any(|act| {
            let commands = self.what(act.item()).map(commands_of).unwrap_or_default();
            commands.iter().any(|command| {
                let verb = command.split_whitespace().next();
                matches!(verb, Some("explain" | "stats"))
            })
        })
    }
}

/// The commands that an item runs or asks for.
fn commands_of(what: &What) -> Vec<&str> {
    let mut commands = Vec::new();
    let asked: Vec<&Condition> = match what {
        What::Run(lines) => {
            commands.extend(lines.iter().flat_map(|line| line.command.split(';').map(str::trim)));
            let claims = lines.iter().flat_map(|line| &line.claims);
            claims.filter_map(|claim| claim.what.condition()).collect()
        }
        What::Ask(ask) => ask.answer.claims().iter().map(|claim| &claim.condition).collect(),
        What::Check(claims) => claims.iter().map(|claim| &claim.condition).collect(),
        What::Try(task) => task.conditions().map(|(_, condition)| condition).collect(),
        _ => Vec::new(),
    };
    commands.extend(asked.iter().map(|condition| condition.command.as_str()));
    commands
}
