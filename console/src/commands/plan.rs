//! `compact --plan`: the next compaction, and its reason.

use crate::output::{Answer, OutputLine};
use crate::session::{Session, Task, once};
use crate::text;
use levelscope::storage::FileName;
use levelscope::view::{CompactionOutlook, LevelScore, PlanView, ScoreUnit};

/// Tables of a plan that are named.
const TABLES_MAX: usize = 12;

pub(super) fn task() -> Box<dyn Task> {
    once(|session| {
        let outlook = session.db()?.plan();
        print(session, &outlook);
        Ok(Answer::other(outlook))
    })
}

fn print(session: &mut Session, outlook: &CompactionOutlook) {
    session.print(OutputLine::new().plain("strategy ").strong(outlook.strategy.clone()));
    let last = outlook.scores.iter().rposition(|score| score.runs > 0).unwrap_or(0);
    session.lines.extend(outlook.scores.iter().take(last + 1).map(level_line));
    if last + 1 < outlook.scores.len() {
        let deeper = outlook.scores.len() - last - 1;
        let deeper = text::counted(deeper as u64, "deeper level");
        session.print(OutputLine::note(format!("nothing in {deeper}")));
    }
    match &outlook.next {
        Some(plan) => print_plan(session, plan),
        None if outlook.scores.iter().any(|score| score.due) => {
            session.print(OutputLine::text("Next: nothing until the running compaction is done."));
        }
        None => session.print(OutputLine::text("Next: nothing, because no level is due.")),
    }
}

fn level_line(score: &LevelScore) -> OutputLine {
    let line = OutputLine::new()
        .level(score.level)
        .pad_to(6)
        .number(text::counted(score.runs as u64, "run"))
        .pad_to(16);
    let line = line.number(text::size(score.bytes)).pad_to(28);
    if score.limit == 0 {
        return line.dim("never due");
    }
    let limit = match score.unit {
        ScoreUnit::Runs => text::counted(score.limit, "run"),
        ScoreUnit::Bytes => text::size(score.limit),
    };
    let line = line.plain(format!("score {:.2}", score.score)).pad_to(42);
    let line = line.dim(format!("compaction at {limit}"));
    if score.due { line.strong("  due") } else { line }
}

fn print_plan(session: &mut Session, plan: &PlanView) {
    session.print(
        OutputLine::new().plain("Next: ").plain(format!("{}.", text::printable(&plan.reason))),
    );
    let mut line = OutputLine::new().plain("inputs").pad_to(10);
    for input in plan.inputs.iter().take(TABLES_MAX) {
        line = line.file(FileName::Table(input.table)).dim(format!(" L{}  ", input.level));
    }
    if let Some(more) = plan.inputs.len().checked_sub(TABLES_MAX + 1) {
        line = line.dim(format!("and {} more", more + 1));
    }
    session.print(line);
    let to = format!("L{}, run {}", plan.output_level, plan.output_run);
    let line = OutputLine::new().plain("output").pad_to(10);
    session.print(line.link(format!("level:{}", plan.output_level), to));
    let line = OutputLine::new().plain("reads").pad_to(10).number(text::size(plan.input_bytes));
    session.print(match (plan.trivial_move, plan.overlap_bytes) {
        (true, _) => OutputLine::new().plain("reads").pad_to(10).plain("nothing: tables only move"),
        (false, 0) => line,
        (false, overlap) => line
            .plain(", of it ")
            .number(text::size(overlap))
            .plain(" of the level below, which overlaps and is rewritten"),
    });
}
