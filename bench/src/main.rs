//! `levelscope-bench`: the same workloads on Levelscope and on other embedded engines.
//!
//! The parent plans and sums up; every (engine, step) runs in a child process of its own, engines taking
//! turns within each step, in another order each round.

mod bounds;
mod child;
mod data;
mod engine;
mod failure;
mod plan;
mod process;
mod ratio;
mod report;
mod settings;
mod timing;
mod workload;

use bounds::Bounds;
use child::{Job, Row};
use engine::Known;
use failure::Outcome;
use plan::{Chain, Step};
use process::Others;
use ratio::ratios;
use report::{Machine, Report};
use settings::Settings;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

const USAGE: &str = "levelscope-bench [options]
  --engines a,b      engines, of those in this build (default: all)
  --workloads a,b    workloads (default: all; --list names them)
  --entries N        entries that the fills write (default 1000000)
  --reads N          point reads of each read workload (default: entries, at most 300000)
  --value-size N     bytes of a value (default 100)
  --rounds N         rounds, of which medians are taken (default 1)
  --rounds-max N     repeat what is not stable, up to so many rounds (default: as --rounds)
  --cache N          bytes of the block cache (default 8388608)
  --write-buffer N   bytes of a memtable (default 4194304)
  --bloom-bits N     bits a key of the filters (default 10)
  --threads N        background threads, where an engine lets one choose (default 2)
  --write-rate N     puts a second beside readwhilewriting (default 50000)
  --seed N           seed of keys, values and orders (default 1)
  --set NAME=VALUE   option of Levelscope, such as block_bytes=16k; may be given often
  --dir PATH         where the databases are made (default: the system's temporary directory)
  --json FILE        write every figure there
  --list             name engines and workloads";

struct Arguments {
    engines: Vec<Known>,
    workloads: Vec<String>,
    rounds: u32,
    rounds_max: u32,
    directory: PathBuf,
    json: Option<PathBuf>,
    settings: Settings,
}

fn main() -> ExitCode {
    match dispatch() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("levelscope-bench: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some("--child") => {
            let job: Job = serde_json::from_str(arguments.get(1).map_or("", String::as_str))?;
            println!("{}", serde_json::to_string(&child::run(&job)?)?);
            Ok(())
        }
        Some("--help" | "-h") => {
            println!("{USAGE}");
            Ok(())
        }
        Some("--list") => {
            for known in engine::known() {
                println!(
                    "{:<23}{} {}. {}",
                    known.name,
                    known.title,
                    known.version(),
                    known.differs
                );
            }
            for workload in workload::WORKLOADS {
                println!("{:<23}{}", workload.name, workload.purpose);
            }
            Ok(())
        }
        _ => measure(&parse(&arguments)?),
    }
}

fn parse(arguments: &[String]) -> Outcome<Arguments> {
    let mut parsed = Arguments {
        engines: engine::usual(),
        workloads: Vec::new(),
        rounds: 1,
        rounds_max: 0,
        directory: std::env::temp_dir(),
        json: None,
        settings: Settings::default(),
    };
    let settings = &mut parsed.settings;
    let mut words = arguments.iter();
    while let Some(flag) = words.next() {
        let value = words.next().ok_or_else(|| format!("{flag} needs a value\n{USAGE}"))?;
        match flag.as_str() {
            "--engines" => {
                parsed.engines = value.split(',').map(Known::named).collect::<Outcome<_>>()?
            }
            "--workloads" => parsed.workloads = value.split(',').map(str::to_owned).collect(),
            "--entries" => settings.entries = value.parse()?,
            "--reads" => settings.reads = value.parse()?,
            "--value-size" => settings.value_bytes = value.parse()?,
            "--rounds" => parsed.rounds = value.parse()?,
            "--rounds-max" => parsed.rounds_max = value.parse()?,
            "--cache" => settings.cache_bytes = value.parse()?,
            "--write-buffer" => settings.write_buffer_bytes = value.parse()?,
            "--bloom-bits" => settings.bloom_bits = value.parse()?,
            "--threads" => settings.threads = value.parse()?,
            "--write-rate" => settings.write_rate = value.parse()?,
            "--seed" => settings.seed = value.parse()?,
            "--set" => {
                let (name, value) = value.split_once('=').ok_or("--set takes NAME=VALUE")?;
                settings.levelscope.push((name.to_owned(), value.to_owned()));
            }
            "--dir" => parsed.directory = PathBuf::from(value),
            "--json" => parsed.json = Some(PathBuf::from(value)),
            _ => return Err(format!("there is no {flag}\n{USAGE}").into()),
        }
    }
    if settings.entries == 0 || parsed.rounds == 0 {
        return Err("--entries and --rounds must be at least 1".into());
    }
    if settings.reads == 0 {
        settings.reads = settings.entries.min(300_000);
    }
    Ok(parsed)
}

fn measure(arguments: &Arguments) -> Outcome<()> {
    let chains = plan::plan(&arguments.workloads)?;
    let root = arguments.directory.join(format!("levelscope-bench-{}", std::process::id()));
    std::fs::create_dir_all(&root)?;
    let mut machine = Machine::here();
    let bounds = Bounds::measure(&root, &arguments.settings)?;
    let others = Others::start()?;
    let rounds = run_rounds(arguments, &chains, &root);
    machine.disturbance = others.cores()?;
    // The databases are deleted in any case; a failure of the run matters more than a failure of the deletion.
    let cleaned = std::fs::remove_dir_all(&root);
    let settings = arguments.settings.clone();
    let report = Report::new(machine, bounds, settings, &arguments.engines, rounds?);
    print!("{}", report.text());
    if let Some(path) = &arguments.json {
        std::fs::write(path, serde_json::to_string_pretty(&report)? + "\n")?;
    }
    Ok(cleaned?)
}

/// Rounds of all chains; after the wanted number only the chains with a ratio that is not stable.
fn run_rounds(arguments: &Arguments, chains: &[Chain], root: &Path) -> Outcome<Vec<Row>> {
    let engines: Vec<_> = arguments.engines.iter().map(|known| known.name).collect();
    let mut rows: Vec<Row> = Vec::new();
    for round in 1..=arguments.rounds.max(arguments.rounds_max) {
        let ratios = ratios(&arguments.settings, &engines, &rows);
        let stable =
            |name: &String| ratios.iter().any(|ratio| ratio.workload == name && ratio.is_stable());
        for chain in chains {
            let mut names = chain.steps.iter().flat_map(|step| &step.workloads);
            if round <= arguments.rounds || !names.all(stable) {
                rows.extend(run_chain(arguments, chain, round, root)?);
            }
        }
    }
    Ok(rows)
}

/// One round of a chain: engines take turns within each step.
fn run_chain(arguments: &Arguments, chain: &Chain, round: u32, root: &Path) -> Outcome<Vec<Row>> {
    let mut rows = Vec::new();
    let mut going = arguments.engines.clone();
    let turn = (round as usize - 1) % going.len().max(1);
    going.rotate_left(turn);
    let directory = |known: &Known| root.join(format!("{}-{}", known.name, chain.name));
    for step in &chain.steps {
        let mut stuck = Vec::new();
        for known in &going {
            let found = run_step(*known, &directory(known), step, &arguments.settings)?;
            let Some(found) = found else {
                let (title, workloads) = (known.title, step.workloads.join(", "));
                eprintln!(
                    "round {round}  {title} hangs in {workloads}; it sits out the rest of \"{}\"",
                    chain.name
                );
                stuck.push(known.name);
                continue;
            };
            for mut row in found {
                row.round = round;
                let speed = row.measure.operations as f64 / row.measure.seconds / 1000.0;
                eprintln!("round {round}  {:<11}{:<23}{speed:>10.1} k/s", row.engine, row.workload);
                rows.push(row);
            }
        }
        going.retain(|known| !stuck.contains(&known.name));
    }
    for known in &arguments.engines {
        std::fs::remove_dir_all(directory(known))?;
    }
    Ok(rows)
}

/// The measurements of one step of an engine, on a copy where it asks for one; `None` when it hung and was killed.
fn run_step(
    known: Known,
    directory: &Path,
    step: &Step,
    settings: &Settings,
) -> Outcome<Option<Vec<Row>>> {
    if !step.copied {
        return run_child(known, directory, step, settings);
    }
    let copy = directory.with_extension("copy");
    copy_files(directory, &copy)?;
    child::write_back(&copy)?;
    let found = run_child(known, &copy, step, settings);
    std::fs::remove_dir_all(&copy)?;
    found
}

fn copy_files(from: &Path, to: &Path) -> Outcome<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_files(&entry.path(), &target)?;
        } else {
            // Not `std::fs::copy`: where files can share their blocks, it leaves the copy outside the system's cache.
            std::fs::write(target, std::fs::read(entry.path())?)?;
        }
    }
    Ok(())
}

/// The measurements of one step in a process of its own.
fn run_child(
    known: Known,
    directory: &Path,
    step: &Step,
    settings: &Settings,
) -> Outcome<Option<Vec<Row>>> {
    std::fs::create_dir_all(directory)?;
    let job = Job {
        engine: known.name.to_owned(),
        directory: directory.to_owned(),
        step: step.clone(),
        settings: settings.clone(),
    };
    let mut child = Command::new(std::env::current_exe()?)
        .args(["--child", &serde_json::to_string(&job)?])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()?;
    let mut output = child.stdout.take().ok_or("the child has no output")?;
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        std::io::Read::read_to_end(&mut output, &mut text).map(|_| text)
    });
    // Generous: it is meant for threads that wait for one another, not for slow machines.
    let patience = Duration::from_secs(120 + settings.entries / 5000 * step.workloads.len() as u64);
    let deadline = Instant::now() + patience;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if Instant::now() > deadline {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(100));
    };
    let text = reader.join().map_err(|_| "the output of the child cannot be read")??;
    if !status.success() {
        return Err(format!("{} failed in {}", known.title, step.workloads.join(", ")).into());
    }
    Ok(Some(serde_json::from_slice(&text)?))
}
