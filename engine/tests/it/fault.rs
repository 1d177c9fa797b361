//! Failing storage: each operation of a script fails in each way, once or permanently.
//!
//! After the failure is over and the database is reopened, it must equal the state after some number of writes: at
//! least those that were acknowledged, at most those that were begun. Unsynced writes may be lost only where the log
//! waits in memory, or where a failed sync drops bytes.

use crate::common::*;
use levelscope::storage::blocking::BlockingStorage;
use levelscope::storage::fault::{Fault, FaultStorage};
use levelscope::storage::{MemoryStorage, Storage};
use levelscope::testing::order::OrderWatcher;
use levelscope::{Budget, Db, ErrorKind, Maintenance, Options, Result, StepOutcome, WalSync};
use std::sync::Arc;

pub struct Outcome {
    models: Vec<Model>,
    /// Writes that no failure of this storage may lose.
    durable: usize,
    errors: Vec<levelscope::Error>,
}

impl Outcome {
    /// A write that failed may be there or not; the content after reopening decides.
    fn settle(&mut self, db: &Db) -> Result<()> {
        let found = contents(db)?;
        let last = self.models.iter().rposition(|model| *model == found);
        let last = last.expect("the content is one that was written");
        assert!(last >= self.durable, "writes {last} to {} are lost", self.durable);
        self.models.truncate(last + 1);
        Ok(())
    }
}

/// Runs the script to its end whatever fails; a database that cannot be opened stays closed.
pub fn run_failing(
    storage: &Arc<dyn Storage>,
    options: &Options,
    script: &[Op],
    keeps_unsynced: bool,
) -> Outcome {
    let acknowledged_stays = options.wal_sync.before_acknowledging()
        || (keeps_unsynced && options.wal_buffer_bytes == 0);
    let mut outcome = Outcome { models: vec![Model::new()], durable: 0, errors: Vec::new() };
    let open =
        |outcome: &mut Outcome| match open_watched(Arc::clone(storage), options.clone(), None) {
            Ok(db) => Some(db),
            Err(error) => {
                outcome.errors.push(error);
                None
            }
        };
    let mut db = open(&mut outcome);
    for op in script {
        if let Op::Reopen = op {
            drop(db);
            db = open(&mut outcome);
            if let Some(reopened) = &db
                && let Err(error) = outcome.settle(reopened)
            {
                outcome.errors.push(error);
                db = None;
            }
            continue;
        }
        let Some(db) = &db else { continue };
        if let Some(batch) = batch_of(op) {
            let mut next = outcome.models.last().unwrap().clone();
            apply_to_model(&mut next, op);
            match write(db, &batch, None) {
                Ok(()) => {
                    outcome.models.push(next);
                    if acknowledged_stays {
                        outcome.durable = outcome.models.len() - 1;
                    }
                }
                // It may or may not be there after reopening; no later write succeeds.
                Err(error) => {
                    if error.kind() != ErrorKind::ReadOnly {
                        outcome.models.push(next);
                    }
                    outcome.errors.push(error);
                }
            }
        } else if let Err(error) = run(db, op) {
            outcome.errors.push(error);
        } else if let Op::Sync = op {
            outcome.durable = outcome.models.len() - 1;
        }
        if let Err(error) = contents(db) {
            outcome.errors.push(error);
        }
    }
    outcome
}

pub fn fail_every_operation(seed: u64, options: &Options, script: &[Op]) -> u64 {
    let mut cases = 0;
    for fault in Fault::ALL {
        for forever in [false, true] {
            for at in 1.. {
                let memory = crate::crash::disk(seed);
                let failing = Arc::new(FaultStorage::over_memory(&memory));
                let storage: Arc<dyn Storage> = failing.clone();
                failing.inject(fault, at, forever);
                let keeps_unsynced = fault != Fault::SyncError;
                let outcome = run_failing(&storage, options, script, keeps_unsynced);
                let injected = failing.injected();
                if injected == 0 {
                    break;
                }
                let context = format!("seed {seed}, {fault:?} at {at}, for ever: {forever}");
                if matches!(fault, Fault::ShortRead) {
                    assert!(!outcome.errors.is_empty(), "{context}: the error was swallowed");
                }
                failing.heal();
                verify(&storage, options, &outcome, &context);
                cases += 1;
            }
        }
    }
    cases
}

pub fn verify(storage: &Arc<dyn Storage>, options: &Options, outcome: &Outcome, context: &str) {
    let db = open_watched(Arc::clone(storage), options.clone(), None)
        .unwrap_or_else(|error| panic!("{context}: {error}"));
    let found = contents(&db).unwrap_or_else(|error| panic!("{context}: {error}"));
    let promised = outcome.models.iter().skip(outcome.durable);
    assert!(
        promised.clone().any(|model| *model == found),
        "{context}: the content is not that after {} to {} writes; errors: {:?}",
        outcome.durable,
        outcome.models.len() - 1,
        outcome.errors
    );
    let report = db.check().expect("check");
    assert!(report.problems().is_empty(), "{context}: {:?}", report.problems());
}

#[test]
fn every_operation_may_fail() {
    let mut technique = Technique::new("faults", 2);
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed ^ 0xfa17);
        let options = small_options(&mut random)
            .maintenance(if seed % 2 == 0 { Maintenance::Inline } else { Maintenance::Manual })
            .wal_sync(if seed % 3 != 0 { WalSync::Group } else { WalSync::None });
        let script = random_script(&mut random, 40);
        technique.count(fail_every_operation(seed, &options, &script));
    }
}

#[test]
fn a_full_disk_keeps_everything_that_was_acknowledged() {
    let mut technique = Technique::new("full disk", 3);
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed ^ 0xf011);
        let wal_sync = if seed % 3 == 0 { WalSync::None } else { WalSync::Group };
        let options = small_options(&mut random).wal_sync(wal_sync);
        let script = random_script(&mut random, 60);
        for capacity in (0..24_000).step_by(600) {
            let memory = crate::crash::disk(seed);
            let full = Arc::new(FaultStorage::over_memory(&memory));
            let storage: Arc<dyn Storage> = full.clone();
            full.set_capacity(Some(capacity));
            let outcome = run_failing(&storage, &options, &script, true);
            full.set_capacity(None);
            verify(&storage, &options, &outcome, &format!("seed {seed}, capacity {capacity}"));
            technique.count(1);
        }
    }
}

#[test]
fn writes_become_durable_in_the_documented_order() {
    let mut technique = Technique::new("order of writes", 20);
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed ^ 0x0d3);
        let options = small_options(&mut random);
        let (watcher, storage) = OrderWatcher::over(Arc::new(MemoryStorage::default()));
        let mut db = open(&storage, &options);
        for op in random_script(&mut random, 200) {
            if let Op::Reopen = op {
                drop(db);
                db = open(&storage, &options);
            } else {
                run(&db, &op).expect("the operation works");
            }
        }
        drop(db);
        assert!(watcher.breaches().is_empty(), "seed {seed}: {:?}", watcher.breaches());
        technique.count(1);
    }
}

/// A host that opens files only between calls: the same script, the same bytes.
#[test]
fn a_host_that_opens_files_later_gets_the_same_database() {
    let mut technique = Technique::new("hosts that open late", 20);
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed ^ 0xb10c);
        let options = small_options(&mut random).maintenance(Maintenance::Manual);
        let script = random_script(&mut random, 200);
        let direct = MemoryStorage::default();
        run_blocking(
            &Arc::new(BlockingStorage::new(Arc::new(direct.clone()))),
            &options,
            &script,
            true,
        );
        let delayed = MemoryStorage::default();
        let host = Arc::new(BlockingStorage::new(Arc::new(delayed.clone())));
        run_blocking(&host, &options, &script, false);
        assert!(host.refusals() > 0, "seed {seed}: nothing blocked");
        assert_eq!(direct.hash(), delayed.hash(), "seed {seed}");
        technique.count(1);
    }
}

fn run_blocking(host: &Arc<BlockingStorage>, options: &Options, script: &[Op], open_all: bool) {
    if open_all {
        host.admit_everything();
    }
    let storage: Arc<dyn Storage> = host.clone();
    let open =
        || host.host(|| open_watched(Arc::clone(&storage), options.clone(), None)).expect("opens");
    let mut db = open();
    for (index, op) in script.iter().enumerate() {
        if let Op::Reopen = op {
            drop(db);
            db = open();
            continue;
        }
        if !open_all && index % 7 == 0 {
            host.evict_all();
        }
        let result: Result<()> = match batch_of(op) {
            Some(batch) => loop {
                match host.host(|| db.write(&batch, None)) {
                    Err(error) if error.kind() == ErrorKind::Stalled => {
                        step(host, &db, Budget::Job);
                    }
                    other => break other.map(drop),
                }
            },
            None => match op {
                // Whole phases: a budget of entries begins anew when a step is repeated.
                Op::Step(count) => {
                    (0..count % 6).for_each(|_| step(host, &db, Budget::Phase));
                    Ok(())
                }
                _ => host.host(|| run(&db, op)),
            },
        };
        result.expect("the operation works");
    }
    let model = host.host(|| contents(&db)).expect("a scan");
    let again = host.host(|| contents(&db)).expect("a scan");
    assert_eq!(model, again);
}

fn step(host: &BlockingStorage, db: &Db, budget: Budget) {
    while let StepOutcome::Blocked(file) = db.step(budget).expect("the step works") {
        host.admit(file);
    }
}
