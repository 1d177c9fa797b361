//! `crash` and `corrupt`: the effects of a power failure and of damage.

use super::forks::{adopt, arrived, room};
use super::{GROUP, points};
use crate::commands::Command;
use crate::commands::bytes::{InspectedFile, no_node};
use crate::history::{AcknowledgedWrites, BreakpointHit, Capture, Image, Input, Journal, Step};
use crate::language::{Args, At, Statement, Verb, What, flag, offer};
use crate::output::{Answer, Failure, OutputLine};
use crate::result::CorruptResult;
use crate::session::{Goal, Session, Stop, Task, Turn, once};
use crate::text;
use crate::time::ReplicaRun;
use levelscope::Options;
use levelscope::inspect::part_by;
use levelscope::storage::{Crash, MemoryStorage};

pub(in crate::commands) const VERBS: &[Command] = &[
    Verb {
        name: "crash",
        group: GROUP,
        usage: "crash [at STEP] [--keep none|all|torn] [--seed N] | crash before|after EVENT [--keep none|all|torn] [--seed N]",
        purpose: "Pulls the plug now, at a step or at an event, and opens the files that are left on a new branch.",
        example: "put a 1; crash --keep none",
        flags: &[
            flag(
                "--keep",
                "none|all|torn",
                "of what was never synced: nothing, everything, or torn parts (none)",
            ),
            flag("--seed", "n", "another seed tears other parts (0)"),
        ],
        ..Verb::SESSION
    }
    .starts(crash)
    .offers(&[
        offer(At::Words(&[]), What::Words(&["before", "after", "at"])),
        offer(At::Words(&["before"]), What::Events),
        offer(At::Words(&["after"]), What::Events),
    ]),
    Verb {
        name: "corrupt",
        group: GROUP,
        usage: "corrupt FILE OFFSET [MASK] | corrupt FILE --node PATH [MASK]",
        purpose: "Flips bits of one byte of a file, or in the middle of one of its parts. Stored files are not changed: their flip is on a branch.",
        example: "corrupt CURRENT 4096 1",
        flags: &[flag("--node", "path", "the part whose middle byte is flipped, such as block:2")],
        ..Verb::RECORDED
    }
    .starts(corrupt)
    .synonyms(&["damage"])
    .offers(&[offer(At::Words(&[]), What::Files)]),
];

fn crash(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    let seed = args.number("--seed")?.unwrap_or(0);
    let keep = args.value("--keep").map_or("none", |word| word.as_bare().unwrap_or(""));
    let rule = match keep {
        "none" => Crash::KeepSynced,
        "all" => Crash::KeepAll,
        "torn" => Crash::Random(seed),
        _ => return Err(args.verb.misused("--keep takes none, all or torn")),
    };
    match args.text(0) {
        None if args.words.is_empty() => Ok(Box::new(PowerFailure::new(None, rule))),
        Some("at") => {
            args.expect(2, 2, "at and a step")?;
            let step = args.number_at(1, "the step")?.unwrap_or_default();
            Ok(Box::new(PowerFailure::new(Some((step, step)), rule)))
        }
        Some(side @ ("before" | "after")) => {
            args.expect(2, 2, "before or after, and the name of an event")?;
            let word = args.text(1).unwrap_or("");
            let before = side == "before";
            let trigger = points::event(word, before)?;
            if trigger.wants_detail() {
                let message = "a detail changes nothing on the disk, so there is no crash at it";
                return Err(Failure::usage(message));
            }
            let text = format!("crash {side} {word} --keep {keep}");
            let kind = (before, Some(rule));
            Ok(once(move |session| points::set(session, text.clone(), trigger.clone(), kind)))
        }
        _ => Err(args.verb.misused("crash takes at, before, after or nothing")),
    }
}

/// The crash that `hit` asks for.
pub(crate) fn at(hit: &BreakpointHit, rule: Crash) -> Box<dyn Task> {
    let step = if hit.before { hit.step.saturating_sub(1) } else { hit.step };
    Box::new(PowerFailure::new(Some((step, hit.step)), rule))
}

/// The content of the disk, and the options of the opening.
struct Moment {
    step: Step,
    disk: MemoryStorage,
    options: Options,
    /// The writes that were acknowledged.
    writes: AcknowledgedWrites,
}

/// Opens what a power failure leaves, as a new branch.
struct PowerFailure {
    /// Right after the first step, according to the journal that has the second; `None`: at the current step.
    at: Option<(Step, Step)>,
    rule: Crash,
    run: Option<ReplicaRun>,
    moment: Option<Moment>,
}

impl PowerFailure {
    fn new(at: Option<(Step, Step)>, rule: Crash) -> Self {
        Self { at, rule, run: None, moment: None }
    }

    /// Uses the disk itself for a crash now, if it is in memory; begins a replay otherwise.
    fn begin(&mut self, session: &Session) -> Result<Option<Moment>, Failure> {
        room(session)?;
        self.at = self.at.or(session.time.moment().map(|step| (step, step)));
        let now = session.tape.step();
        let (step, journaled) = self.at.unwrap_or((now, now));
        if let Some(disk) = session.memory().filter(|_| self.at.is_none()) {
            let options = session.options.clone();
            let writes = session.tape.writes();
            return Ok(Some(Moment { step, disk, options, writes }));
        }
        // All that was done up to now may have made changes without a step of their own.
        let goal = if self.at.is_none() { Goal::End } else { Goal::Step(journaled) };
        let run = ReplicaRun::fresh(session, session.journal_of(journaled)?, goal);
        if self.at.is_some() {
            let disk = run.replica.disk.clone();
            run.replica.console.session().tape.capture(Capture::Disk {
                at: step,
                disk,
                image: None,
            });
        }
        self.run = Some(run);
        Ok(None)
    }

    /// Replays until the content of the disk is known; `None`: there is more to do.
    fn find(&mut self, session: &mut Session) -> Result<Option<Moment>, Failure> {
        let Some(mut run) = self.run.take() else { return self.begin(session) };
        if !run.advance()? {
            self.run = Some(run);
            return Ok(None);
        }
        let step = self.at.map_or(run.replica.reached(), |(step, _)| step);
        let options = run.replica.console.session().options.clone();
        let tape = &run.replica.console.session().tape;
        let (disk, writes) = match tape.take_capture() {
            Some(Capture::Disk { image: Some((image, writes)), .. }) => {
                for (file, offset, mask) in run.journal.damage_after(step) {
                    image.corrupt(file, offset, mask).map_err(Failure::from)?;
                }
                (image, writes)
            }
            // The step is before the first one of this journal.
            Some(_) => (run.journal.base.disk(&run.replica.disk), AcknowledgedWrites::default()),
            // A copy: the replica ends its log when it is dropped.
            None => (run.replica.disk.fork(), tape.writes()),
        };
        Ok(Some(Moment { step, disk, options, writes }))
    }

    /// Opens the files that the crash leaves, as a new branch.
    fn open(&self, session: &mut Session, moment: Moment) -> Result<Turn, Stop> {
        let Moment { step, disk, options, writes } = moment;
        let disk = disk.crash_image(self.rule);
        let before = session.journal.clone();
        let journal = Journal::after_crash(Image::of(&disk), step, before, self.rule);
        let opened = session.open_branch("crash", disk, journal, options);
        let what = match self.rule {
            Crash::KeepAll => "the disk keeps every byte that was written",
            Crash::KeepSynced => "only the synced bytes are left",
            Crash::Random(_) => "all synced bytes and torn parts of the unsynced ones are left",
        };
        let mut sentence = format!("The power failed after step {}: {what}.", text::count(step));
        if let Some(db) = session.database() {
            let lost = writes.lost(db.view().last_sequence);
            sentence = format!("{sentence} {lost}");
        }
        session.print(OutputLine::text(text::printable(&sentence)));
        session.mark_crash(sentence);
        let turn = arrived(session);
        opened?;
        Ok(turn)
    }
}

impl Task for PowerFailure {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        if let Some(moment) = self.moment.take() {
            return self.open(session, moment);
        }
        self.moment = self.find(session)?;
        // The host sends the events of this branch before it switches to another one.
        Ok(if self.moment.is_some() { Turn::Breath } else { Turn::More })
    }

    fn position(&self) -> (u64, Option<u64>) {
        self.run.as_ref().map_or((0, None), ReplicaRun::position)
    }
}

/// The byte to damage.
enum DamagedByte {
    /// The byte at this offset.
    Offset(u64),
    /// The byte in the middle of the part with this path.
    Part(String),
}

impl DamagedByte {
    /// Its offset in `file`.
    fn offset(&self, session: &Session, target: InspectedFile) -> Result<u64, Stop> {
        let path = match self {
            Self::Offset(offset) => return Ok(*offset),
            Self::Part(path) => path,
        };
        let part =
            target.look(session, |file| part_by(&|scope| file.annotate(scope), path, (0, 0)))?;
        // Parts of decoded content have no bytes of their own in the file: only the encoding part has.
        let mut trail = part.iter().flat_map(|part| &part.trail).rev();
        let step = trail.find(|step| !step.decoded).ok_or_else(|| no_node(target, path))?;
        Ok(step.node.offset + step.node.bytes / 2)
    }
}

/// Flips bits.
struct Corrupt {
    file: Option<InspectedFile>,
    typed: Vec<u8>,
    place: DamagedByte,
    mask: u8,
    run: Option<ReplicaRun>,
    ready: bool,
}

fn corrupt(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    let path = args.string("--node");
    let (place, at) = if let Some(path) = path {
        args.expect(1, 2, "a file and a mask with --node")?;
        (DamagedByte::Part(path), 1)
    } else {
        args.expect(2, 3, "a file, an offset and a mask")?;
        (DamagedByte::Offset(args.number_at(1, "the offset")?.unwrap_or_default()), 2)
    };
    let mask = match args.words.get(at).map(|word| word.bytes.as_slice()) {
        None => 1,
        // Written as 0xff.
        Some(&[byte]) if !byte.is_ascii_digit() => byte,
        Some(_) => {
            let mask = args.number_at(at, "the mask")?.unwrap_or_default();
            u8::try_from(mask).unwrap_or(0)
        }
    };
    if mask == 0 {
        return Err(args.verb.misused("the mask has the bits to flip: 1 to 255"));
    }
    let (typed, file) = (args.bytes(0), None);
    Ok(Box::new(Corrupt { file, typed, place, mask, run: None, ready: false }))
}

impl Corrupt {
    /// Makes a branch in memory; whether it is there.
    fn fork(&mut self, session: &mut Session) -> Result<bool, Failure> {
        let Some(mut run) = self.run.take() else {
            if session.host.read_only() {
                let message = "corrupt flips bytes on a branch in memory, and a database that was opened for \
                               reading only has no branches";
                return Err(Failure::new("readOnly", message)
                    .hint("open it without --read-only, or open a copy of it"));
            }
            room(session)?;
            let journal = session.journal_of(session.tape.step())?;
            self.run = Some(ReplicaRun::fresh(session, journal, Goal::End));
            return Ok(false);
        };
        if self.ready {
            adopt(session, run, "damage")?;
            arrived(session);
            return Ok(true);
        }
        self.ready = run.advance()?;
        self.run = Some(run);
        Ok(false)
    }
}

impl Task for Corrupt {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        let file = match self.file {
            Some(file) => file,
            None => InspectedFile::find(session, &self.typed)?,
        };
        self.file = Some(file);
        let Some(disk) = session.memory() else {
            let there = self.fork(session)?;
            return Ok(if self.ready && !there { Turn::Breath } else { Turn::More });
        };
        let offset = self.place.offset(session, file)?;
        let file = file.0;
        disk.corrupt(file, offset, self.mask)?;
        session.note(Input::Damage { file, offset, mask: self.mask });
        session.mark_damage(&disk, (file, offset, self.mask));
        let line = OutputLine::text("Byte ").number(text::count(offset)).plain(" of ");
        let line =
            line.file(file).plain(format!(" was changed: its bits {:08b} are flipped.", self.mask));
        session.print(line);
        let note =
            "Blocks in the cache are not read again; `check` reads every table from its file.";
        session.print(OutputLine::note(note));
        let (file, mask) = (file.to_string(), self.mask);
        let branch = session.time.current_name().to_owned();
        Ok(Turn::Done(Answer::other(CorruptResult { branch, file, mask, offset })))
    }

    fn position(&self) -> (u64, Option<u64>) {
        self.run.as_ref().map_or((0, None), ReplicaRun::position)
    }
}
